import type { ReadingBudget } from '../word/reading-budget.ts';
import { literalOf, type ShellWord, wordOf } from '../word/shell-word.ts';

/** A command that runs another one given in its arguments. */
export interface WrapperSpec {
  /** Options that take the next word as their value. */
  readonly valued?: readonly string[];
  /** Options without a value. */
  readonly flags?: readonly string[];
  /** Number of operands before the command. */
  readonly positionals?: number;
  /** Takes `NAME=value` words before the command. */
  readonly assignments?: true;
  /** Options that look a command up instead of running it. */
  readonly query?: readonly string[];
  /** Options whose value is a script. */
  readonly script?: readonly string[];
  /** Options that precede the command, if operands are something else. */
  readonly behind?: readonly string[];
  /** All its operands together are a script. */
  readonly joined?: true;
  /** Appends words to the command's arguments. */
  readonly appends?: true;
  /** Ignored when judging: always, or only without options. */
  readonly transparent?: 'always' | 'bare';
  /** Only a rule that spells the whole command allows it. */
  readonly exactOnly?: true;
}

/** All known wrappers. A wrapper that is not transparent must itself be allowed, together with its inner command. */
export const wrappers: Readonly<Record<string, WrapperSpec>> = {
  builtin: { transparent: 'always' },
  busybox: {},
  caffeinate: { flags: ['-d', '-i', '-m', '-s', '-u'], valued: ['-t', '-w'] },
  chroot: { positionals: 1 },
  chrt: { positionals: 1, flags: ['-b', '-f', '-i', '-o', '-r'] },
  command: { flags: ['-p'], query: ['-v', '-V', '-pv', '-pV'], transparent: 'always' },
  coproc: {},
  doas: { valued: ['-u', '-C'], flags: ['-n', '-s', '-L'] },
  entr: { exactOnly: true },
  env: {
    valued: ['-u', '-C', '--unset', '--chdir', '--argv0', '-a'],
    flags: ['-i', '-0', '-', '-v', '--ignore-environment', '--null', '--debug'],
    assignments: true,
  },
  eval: { joined: true },
  exec: { valued: ['-a'], flags: ['-c', '-l', '-cl', '-lc'] },
  fakeroot: {},
  flock: {
    positionals: 1,
    valued: ['-w', '-E', '--timeout', '--conflict-exit-code'],
    flags: ['-s', '-x', '-e', '-u', '-n', '-o', '-F'],
    script: ['-c', '--command'],
    exactOnly: true,
  },
  gdb: {},
  ionice: { valued: ['-c', '-n', '-p', '--class', '--classdata'], flags: ['-t'], exactOnly: true },
  ltrace: { valued: ['-e', '-o', '-p', '-s', '-u'] },
  nice: { valued: ['-n', '--adjustment'], transparent: 'always' },
  nohup: { transparent: 'always' },
  nsenter: { exactOnly: true },
  parallel: { joined: true, appends: true, exactOnly: true },
  pkexec: { valued: ['--user'] },
  prlimit: {},
  runuser: { valued: ['-u', '-g', '-G'], script: ['-c', '--command'] },
  script: { script: ['-c', '--command'], exactOnly: true },
  setarch: { positionals: 1 },
  setpriv: {},
  setsid: { flags: ['-c', '-f', '-w', '--ctty', '--fork', '--wait'], exactOnly: true },
  stdbuf: { valued: ['-i', '-o', '-e', '--input', '--output', '--error'], transparent: 'always' },
  strace: { valued: ['-e', '-o', '-p', '-s', '-u'], exactOnly: true },
  su: { script: ['-c', '--command'] },
  sudo: {
    valued: ['-u', '-g', '-h', '-p', '-C', '-r', '-t'],
    flags: ['-E', '-H', '-n', '-i', '-s', '-k', '-b'],
    assignments: true,
  },
  'systemd-run': { exactOnly: true },
  taskset: { positionals: 1, flags: ['-a', '-c'] },
  time: { valued: ['-f', '-o', '--format', '--output'], flags: ['-p', '-v', '-a'] },
  timeout: {
    positionals: 1,
    valued: ['-k', '-s', '--kill-after', '--signal'],
    flags: ['-f', '-p', '-v', '--foreground', '--preserve-status', '--verbose'],
    transparent: 'always',
  },
  torsocks: {},
  toybox: {},
  trap: { joined: true },
  unbuffer: { flags: ['-p'] },
  unshare: { exactOnly: true },
  valgrind: {},
  watch: {
    valued: ['-n', '--interval'],
    flags: ['-d', '-t', '-b', '-e', '-g', '-c', '-x', '-p'],
    joined: true,
    exactOnly: true,
  },
  xargs: {
    valued: [
      '-a',
      '-d',
      '-E',
      '-I',
      '-L',
      '-n',
      '-P',
      '-s',
      '--arg-file',
      '--delimiter',
      '--max-args',
      '--max-procs',
    ],
    flags: ['-0', '-o', '-p', '-r', '-t', '-x', '--null', '--no-run-if-empty', '--verbose'],
    appends: true,
    transparent: 'bare',
  },
};

/** Shells, which run the text after `-c` or what they are given to read. */
export const shells: ReadonlySet<string> = new Set(
  'ash bash csh dash fish ksh mksh rbash sh tcsh yash zsh'.split(' '),
);

/** Interpreters that run their input if no file is named. */
export const interpreters: ReadonlySet<string> = new Set([
  'bun',
  'deno',
  'lua',
  'node',
  'perl',
  'php',
  'python',
  'python3',
  'ruby',
]);

/** The command inside a wrapper. */
export interface Unwrapped {
  /** Every possible reading of the arguments. */
  readonly commands: readonly (readonly ShellWord[])[];
  /** Words that are scripts. */
  readonly scripts: readonly ShellWord[];
  /** True if there is only one reading, with known options only. */
  readonly certain: boolean;
  readonly hasOptions: boolean;
}

/** Reads the arguments of a wrapper; after unknown options, every position where the command may start. */
export function unwrap(words: readonly ShellWord[], spec: WrapperSpec, budget: ReadingBudget): Unwrapped {
  const starts = new Set<number>();
  const scripts: ShellWord[] = [];
  let certain = true;
  let hasOptions = false;
  const seen = new Set<number>();
  const open = [1];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const word = words[at];
    if (word === undefined || seen.has(at)) continue;
    seen.add(at);
    const text = literalOf(word);
    const step = text === undefined ? 'command' : classify(text, spec);
    if (text === undefined) certain = false;
    if (step !== 'command' && step !== 'assignment') hasOptions = true;
    if (step === 'query') return { commands: [], scripts: [], certain: true, hasOptions };
    if (step === 'command') starts.add(at + (spec.positionals ?? 0));
    if (step === 'end') starts.add(at + 1 + (spec.positionals ?? 0));
    if (step === 'flag' || step === 'assignment' || step === 'either') open.push(at + 1);
    if (step === 'valued' || step === 'either' || step === 'script') open.push(at + 2);
    if (step === 'either') certain = false;
    const script = words[at + 1];
    if (step === 'script' && script !== undefined) scripts.push(script);
    const attached = text === undefined ? undefined : attachedScript(text, spec);
    if (attached !== undefined) scripts.push(wordOf(attached));
  }
  const commands = [...starts]
    .filter((start) => budget.takeWords(Math.max(words.length - start, 1)))
    .map((start) => words.slice(skipAssignments(words, start, spec)))
    .filter((command) => command.length > 0);
  return { commands, scripts, certain: certain && commands.length === 1, hasOptions };
}

/** `-c'curl x'` and `--command='curl x'`. */
function attachedScript(text: string, spec: WrapperSpec): string | undefined {
  const option = spec.script?.find((one) =>
    one.startsWith('--') ? text.startsWith(`${one}=`) : text.startsWith(one) && text.length > one.length,
  );
  return option === undefined ? undefined : text.slice(option.length + (option.startsWith('--') ? 1 : 0));
}

type Step = 'assignment' | 'command' | 'either' | 'end' | 'flag' | 'query' | 'script' | 'valued';

function classify(text: string, spec: WrapperSpec): Step {
  if (text === '--') return 'end';
  if (spec.assignments && isAssignment(text)) return 'assignment';
  if (!text.startsWith('-')) return 'command';
  if (spec.query?.includes(text)) return 'query';
  if (spec.script?.includes(text)) return 'script';
  if (spec.flags?.includes(text)) return 'flag';
  if (spec.valued?.includes(text)) return 'valued';
  if (text.startsWith('--') && text.includes('=')) return 'flag';
  if (/^-\d+$/.test(text)) return 'flag';
  const isAttached =
    !text.startsWith('--') &&
    (spec.valued ?? []).some((option) => option.length === 2 && text.startsWith(option));
  return isAttached ? 'flag' : 'either';
}

function skipAssignments(words: readonly ShellWord[], start: number, spec: WrapperSpec): number {
  if (!spec.assignments) return start;
  let at = start;
  while (isAssignment(words[at]?.text ?? '')) at += 1;
  return at;
}

/** A program accepts any variable name, even one that shells reject: `BASH_FUNC_ls%%=() { id; }`. */
function isAssignment(text: string): boolean {
  return !text.startsWith('-') && text.includes('=');
}
