import { isHarmlessAwkVariable, isReadingAwkProgram } from './read-only-awk.ts';
import type { ParsedOption } from './read-only-options.ts';
import { isReadingSedScript } from './read-only-sed.ts';

/** A condition on a command's arguments besides its options. */
export type ReadOnlyCheck = keyof typeof checks;

/** The arguments and operands of a command. */
export interface CommandArguments {
  readonly options: readonly ParsedOption[];
  readonly operands: readonly string[];
}

const columns =
  /^(?:pid|ppid|pgid|sid|tty|tt|user|uid|ruser|group|comm|args|cmd|command|stat|state|s|etimes?|time|cputime|pcpu|%cpu|pmem|%mem|rss|vsz|sz|nice|ni|pri|lstart|start|start_time|nlwp|psr)=?$/;

/** Keys of git settings that hold no secrets. */
const openSections =
  /^(?:branch|commit|core|diff|fetch|init|merge|pull|push|rebase|remote|submodule|tag|user)\.[\w./-]+$/;

const jqEscapes =
  /\b(?:env|input|inputs|input_filename|include|import|debug|stderr|halt_error|modulemeta|get_search_list|ENV)\b|\b__\w/;

const checks = {
  archive: ({ operands }: CommandArguments) =>
    /^-?t[vzjJ]*f$/.test(operands[0] ?? '') && isArchive(operands.slice(1)),
  awk: ({ options, operands }: CommandArguments) =>
    isReadingAwkProgram(operands[0] ?? '') &&
    options.every(({ name, value = '' }) => name !== '-v' || isHarmlessAwkVariable(value)),
  config: ({ options, operands }: CommandArguments) =>
    options.length === 1 && operands.length === 1 && openSections.test(operands[0] ?? ''),
  date: ({ operands }: CommandArguments) => operands.every((operand) => operand.startsWith('+')),
  devices: ({ operands }: CommandArguments) =>
    operands.every((operand) => /^\/dev\/(?:null|std(?:out|err))$/.test(operand)),
  jq: ({ operands: [program = ''] }: CommandArguments) => program !== '' && !jqEscapes.test(program),
  listless: ({ options, operands }: CommandArguments) =>
    ![...operands, ...options.map(({ value = '' }) => value)].some((text) => text.startsWith('@')),
  packages: ({ operands: [action, ...names] }: CommandArguments) =>
    (action === 'ls' || action === 'list') && names.every((name) => /^@?[\w.-]+(?:\/[\w.-]+)?$/.test(name)),
  page: ({ operands }: CommandArguments) =>
    operands.every((operand) => /^[A-Za-z0-9][\w.+-]*$/.test(operand)),
  pager: ({ operands }: CommandArguments) => !operands.some((operand) => operand.startsWith('+')),
  // `ps e` shows the environment of every process, and with it their keys.
  processes: ({ options, operands }: CommandArguments) =>
    operands.every((operand) => /^[auxw]+$/.test(operand)) &&
    options.every(({ value = '' }) => value.split(',').every((name) => name === '' || columns.test(name))),
  sed: ({ options, operands }: CommandArguments) =>
    isReadingSedScript(sedScript(options) ?? operands[0] ?? ''),
  // `test -v 'a[$(id)]'` evaluates the subscript and runs its contents; so do comparisons in some shells.
  test: ({ operands }: CommandArguments) =>
    !operands.some((operand) => operand === '-v' || operand === '-R' || /[[$`]/.test(operand)),
  text: ({ operands }: CommandArguments) => !operands.some((operand) => operand.startsWith('-v')),
  zip: ({ operands }: CommandArguments) =>
    /^-(?:l|v|Z1)$/.test(operands[0] ?? '') && isArchive(operands.slice(1)),
} satisfies Record<string, (given: CommandArguments) => boolean>;

/** True if a command's arguments keep it read-only. */
export function passesCheck(check: ReadOnlyCheck, given: CommandArguments): boolean {
  return checks[check](given);
}

/** An archive and its members to show; `host:archive` would be fetched by a remote shell. */
function isArchive([archive, ...members]: readonly string[]): boolean {
  if (archive === undefined || archive.startsWith('-') || archive.includes(':')) return false;
  return !members.some((member) => member.startsWith('-'));
}

function sedScript(options: readonly ParsedOption[]): string | undefined {
  const scripts = options.filter(({ name }) => name === '-e' || name === '--expression');
  return scripts.length === 0 ? undefined : scripts.map(({ value = '' }) => value).join('\n');
}
