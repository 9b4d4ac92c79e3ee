import { executingSedWords } from './executing-sed.ts';
import { gitWords } from './git-operands.ts';
import { isHarmlessVariable } from './harmless-variables.ts';
import { baseName } from './nested-runs.ts';
import { list } from './read-only-spec.ts';
import type { SimpleCommand } from './shell-script.ts';
import { literalOf, type ShellWord } from './shell-word.ts';

/** By which arguments a command runs another program, obeys another directory or removes what it finds. */
interface ExecutingSpec {
  readonly options?: readonly string[];
  /** Options that only count where their value leads out of the current directory. */
  readonly elsewhere?: readonly string[];
  /** Letters that count in a bundle behind one dash. */
  readonly letters?: string;
  /** Whether a word counts by what it says. */
  readonly word?: (text: string, index: number) => boolean;
}

const editor: ExecutingSpec = {
  options: list('-c --cmd -S -s'),
  word: (text) => text.startsWith('+'),
};

const commands: Readonly<Record<string, ExecutingSpec>> = {
  awk: { word: runsFromAwk },
  cargo: { options: ['--config'], elsewhere: list('-C --manifest-path') },
  env: { word: setsVariable },
  fd: { options: list('-x -X --exec --exec-batch') },
  find: { options: list('-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls') },
  gawk: { word: runsFromAwk },
  git: {
    options: list(
      '-c --config-env --exec-path --git-dir --work-tree --upload-pack --receive-pack --ext-diff ' +
        '--open-files-in-pager --exec --extcmd --sendmail-cmd',
    ),
    elsewhere: ['-C'],
    word: (text, index) => text.startsWith('ext::') || (index === 0 && text === 'filter-branch'),
  },
  less: { word: (text) => text.startsWith('+') },
  make: {
    options: ['--eval'],
    elsewhere: list('-f --file --makefile -C --directory -I --include-dir'),
    word: (text) => /^(?:SHELL|MAKEFLAGS|MAKEFILES)[:?+!]*=/.test(text),
  },
  man: { options: list('-P --pager -H --html --preprocessor') },
  npm: { options: list('--script-shell --node-options'), elsewhere: list('--prefix -C --userconfig') },
  pnpm: { elsewhere: list('-C --dir') },
  rg: { options: ['--pre', '--hostname-bin'] },
  rsync: { options: ['-e', '--rsh', '--rsync-path'], letters: 'e' },
  scp: { options: list('-S -o -F') },
  sed: {},
  sort: { options: ['--compress-program'] },
  ssh: { options: list('-o -F') },
  tar: {
    options: list(
      '-I -F --use-compress-program --to-command --checkpoint-action --info-script --new-volume-script ' +
        '--rsh-command',
    ),
    letters: 'IF',
    word: (text, index) => index === 0 && /^[A-Za-z]*[IF]/.test(text),
  },
  vi: editor,
  view: editor,
  vim: editor,
  yarn: { elsewhere: ['--cwd'] },
  zip: { options: ['-TT', '--unzip-command'] },
};

/** The same for subcommands of git, beside what holds for all of them. */
const gitSubcommands: Readonly<Record<string, ExecutingSpec>> = {
  bisect: { word: (text) => text === 'run' },
  clone: { options: list('-u --template --config') },
  config: { word: (text, index) => index === 0 && !/^(?:--get.*|--list|-l|get|list)$/.test(text) },
  difftool: { options: ['-x'] },
  grep: { options: ['-O'] },
  init: { options: ['--template'] },
  rebase: { options: ['-x'], letters: 'x' },
  submodule: { word: (text) => text === 'foreach' },
};

/** The arguments of a command by which it would run something else, where a wildcard of a rule must not cover them. */
export function executingOptionsOf(command: SimpleCommand): string[] {
  const name = baseName(command.words[0]) ?? '';
  const spec = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (spec === undefined) return [];
  const words = command.words.slice(1);
  if (name === 'sed') return executingSedWords(words.map(literalOf));
  if (name !== 'git') return executing(words, spec);
  const { subcommand, rest } = gitWords(words);
  const inner = Object.hasOwn(gitSubcommands, subcommand) ? gitSubcommands[subcommand] : undefined;
  const found = inner === undefined ? [] : executing(rest, inner);
  // What is configured may be any key, so a rule for `git config` names it well enough.
  return [...executing(words, spec), ...(subcommand === 'config' ? found.map(() => subcommand) : found)];
}

function executing(words: readonly ShellWord[], spec: ExecutingSpec): string[] {
  return words.flatMap((word, index) => {
    const text = literalOf(word);
    if (text === undefined)
      return spec.options !== undefined && mayBecomeOption(word, spec) ? [word.text] : [];
    const { options = [], elsewhere = [], letters = '' } = spec;
    if (options.some((option) => isOption(text, option)) || spec.word?.(text, index)) return [text];
    if (isBundle(text) && [...letters].some((letter) => text.includes(letter))) return [text];
    const away = elsewhere.find((option) => isOption(text, option));
    return away !== undefined && !staysInside(optionValue(text, away, words[index + 1])) ? [text] : [];
  });
}

function isOption(text: string, option: string): boolean {
  const name = text.split('=', 1)[0] ?? text;
  if (name === option) return true;
  if (option.startsWith('--')) return name.length > 2 && name.startsWith('--') && option.startsWith(name);
  return option.length === 2 && text.length > 2 && text.startsWith(option) && !text.startsWith('--');
}

function isBundle(text: string): boolean {
  return /^-[A-Za-z]{2,}$/.test(text);
}

/** Git and editors have too many uses of variables for each of them to count. */
function mayBecomeOption(word: ShellWord, spec: ExecutingSpec): boolean {
  const first = word.pieces[0];
  if (spec.elsewhere !== undefined || spec === editor) return false;
  return first !== undefined && first.kind !== 'text' && first.kind !== 'home';
}

function optionValue(text: string, option: string, next: ShellWord | undefined): string | undefined {
  if (text.includes('=')) return text.slice(text.indexOf('=') + 1);
  if (text.length > option.length && !text.startsWith('--')) return text.slice(option.length);
  return next === undefined ? undefined : literalOf(next);
}

function staysInside(value: string | undefined): boolean {
  return value !== undefined && !value.startsWith('/') && !value.split('/').includes('..');
}

const longestProgram = 4_000;

function runsFromAwk(text: string): boolean {
  return text.length > longestProgram || /system|getline|\||>\s*["($]|@(?:load|include)/.test(text);
}

function setsVariable(text: string): boolean {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  return name !== undefined && !isHarmlessVariable(name, value);
}
