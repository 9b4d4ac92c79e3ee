import type { ReadingBudget } from '../word/reading-budget.ts';
import { literalOf, type ShellWord, wordOf } from '../word/shell-word.ts';
import { unwrap, type WrapperSpec } from './wrappers.ts';

/**
 * Programs made to run others: an allow rule for them covers what they run, but deny and ask rules check the inner
 * command. The key is the program and, if needed, the subcommand.
 */
const runners: Readonly<Record<string, WrapperSpec>> = {
  'asdf exec': {},
  'bun x': {},
  bunx: {},
  'bundle exec': {},
  'cmake chdir': { positionals: 1 },
  'cmake env': { assignments: true },
  'cmake time': {},
  'conda run': {},
  'devbox run': {},
  'direnv exec': { positionals: 1 },
  dotenv: {},
  'guix environment': {},
  'guix shell': {},
  'hatch run': {},
  'ip netns': { positionals: 2 },
  'ip vrf': { positionals: 2 },
  'mamba run': {},
  'micromamba run': {},
  'mise exec': {},
  'mise x': {},
  npx: { valued: ['-p', '--package'] },
  'npm exec': { valued: ['-p', '--package'] },
  'nix develop': { behind: ['-c', '--command'] },
  'nix shell': { behind: ['-c', '--command'] },
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

/** The programs among them, without subcommands. */
export const runnerNames: readonly string[] = Object.keys(runners).map((name) => name.split(' ', 1)[0] ?? '');

/** The commands that a program such as `npx` runs, in every reading of its arguments. */
export function reachedCommands(
  words: readonly ShellWord[],
  budget: ReadingBudget,
): readonly (readonly ShellWord[])[] {
  const name = literalOf(words[0] ?? noWord)
    ?.split('/')
    .pop();
  if (name === undefined) return [];
  if (/^python[\d.]*$/.test(name)) return moduleCommand(words);
  const found = runnerOf(words, name);
  if (found === undefined) return [];
  const { spec, at } = found;
  if (spec.behind === undefined) return unwrap(words.slice(at), spec, budget).commands;
  const option = words.findIndex((word) => spec.behind?.includes(literalOf(word) ?? ''));
  return option === -1 ? [] : [words.slice(option + 1)];
}

/** True if a program is made to run its arguments. */
export function isRunner(words: readonly ShellWord[]): boolean {
  const name = literalOf(words[0] ?? noWord)
    ?.split('/')
    .pop();
  return name !== undefined && runnerOf(words, name) !== undefined;
}

function runnerOf(
  words: readonly ShellWord[],
  name: string,
): { readonly spec: WrapperSpec; readonly at: number } | undefined {
  const at = words.findIndex((word, index) => index > 0 && !(literalOf(word) ?? '').startsWith('-'));
  const two = at === -1 ? '' : `${name} ${literalOf(words[at] ?? noWord) ?? ''}`;
  if (Object.hasOwn(runners, two)) return { spec: runners[two] ?? {}, at };
  return Object.hasOwn(runners, name) ? { spec: runners[name] ?? {}, at: 0 } : undefined;
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
