import type { ReadingBudget } from '../word/reading-budget.ts';
import { literalOf, type ShellWord, wordOf } from '../word/shell-word.ts';
import { unwrap, type WrapperSpec } from './wrappers.ts';

/**
 * Programs that are there to run others: an allow rule for them covers what they run, but deny and ask rules look
 * behind them. The key is the program and, where it has some, the subcommand.
 */
const runners: Readonly<Record<string, WrapperSpec>> = {
  'asdf exec': {},
  'bun x': {},
  bunx: {},
  'bundle exec': {},
  'conda run': {},
  'devbox run': {},
  'direnv exec': { positionals: 1 },
  dotenv: {},
  'hatch run': {},
  'mamba run': {},
  'micromamba run': {},
  'mise exec': {},
  'mise x': {},
  npx: { valued: ['-p', '--package'] },
  'npm exec': { valued: ['-p', '--package'] },
  'npm x': { valued: ['-p', '--package'] },
  'op run': {},
  'pdm run': {},
  pipenv: { positionals: 1 },
  'pnpm dlx': {},
  'pnpm exec': {},
  pnpx: {},
  'poetry run': {},
  'rye run': {},
  'tox exec': {},
  'uv run': {},
  uvx: {},
  'yarn dlx': {},
  'yarn exec': {},
};

/** What a program such as `npx` runs, in every reading of its arguments. */
export function reachedCommands(
  words: readonly ShellWord[],
  budget: ReadingBudget,
): readonly (readonly ShellWord[])[] {
  const name = literalOf(words[0] ?? noWord)
    ?.split('/')
    .pop();
  if (name === undefined) return [];
  if (/^python[\d.]*$/.test(name)) return moduleCommand(words);
  const at = words.findIndex((word, index) => index > 0 && !(literalOf(word) ?? '').startsWith('-'));
  const two = at === -1 ? '' : `${name} ${literalOf(words[at] ?? noWord) ?? ''}`;
  if (Object.hasOwn(runners, two)) return unwrap(words.slice(at), runners[two] ?? {}, budget).commands;
  return Object.hasOwn(runners, name) ? unwrap(words, runners[name] ?? {}, budget).commands : [];
}

/** `python -m pytest -x` is `pytest -x`. */
function moduleCommand(words: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  const at = words.findIndex((word, index) => index > 0 && !/^-[A-Za-ln-z]+$/.test(word.text));
  const [, module] = /^-[A-Za-ln-z]*m(.*)$/s.exec(literalOf(words[at] ?? noWord) ?? '') ?? [];
  if (module === undefined) return [];
  const rest = words.slice(at + 1);
  return [module === '' ? rest : [wordOf(module), ...rest]];
}

const noWord: ShellWord = { text: '', pieces: [], plain: false };
