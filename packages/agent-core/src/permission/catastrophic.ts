import path from 'node:path';
import type { SimpleCommand } from '@robota-sdk/agent-shell';
import {
  diskPrograms,
  erasesDisk,
  globsOverlap,
  isRawDevice,
  isVital,
  literalOf,
  nameValuesOf,
  openGlob,
  type ShellWord,
  shells,
  unknownText,
  type Variables,
  valuesOf,
} from '@robota-sdk/agent-shell';
import type { Rule } from './policy/permission.ts';

/** A built-in refusal that applies in every mode. */
export interface Catastrophe {
  readonly rule: Rule;
  readonly reason: string;
}

/** The directories of a command, and the values of its variables. */
export interface CommandEnvironment {
  readonly variables: Variables;
  /** Every directory it may run in. */
  readonly directories: readonly string[];
}

const namedCommands: Readonly<Record<string, readonly string[]>> = {
  'gives up the limits of this account': ['doas', 'pkexec', 'run0', 'runuser', 'su', 'sudo', 'sudoedit'],
  'stops or restarts the machine': ['halt', 'poweroff', 'reboot', 'shutdown', 'telinit'],
  'erases a file system or a disk': [
    'blkdiscard',
    'mkdosfs',
    'mke2fs',
    'mkexfatfs',
    'mkfs',
    'mkntfs',
    'mkswap',
    'newfs',
    'wipefs',
  ],
};

const powerActions = 'emergency exit halt hibernate kexec poweroff reboot rescue soft-reboot suspend'.split(
  ' ',
);
const powerTarget =
  /^(?:ctrl-alt-del|emergency|exit|final|halt|hibernate|kexec|poweroff|reboot|rescue|runlevel[06]|shutdown|soft-reboot|suspend)\.target$/;
const removers = ['mv', 'rm', 'shred', 'unlink'];
const owners = ['chattr', 'chgrp', 'chmod', 'chown', 'setfacl'];
const deviceWriters = ['cp', 'install', 'mv', 'shred', 'tee', 'truncate'];
const harmlessFindTests = /^-(?:delete|depth|exec|execdir|ok|okdir|maxdepth|mindepth|mount|print|type|xdev)$/;

const judgedNames: ReadonlySet<string> = new Set([
  ...Object.values(namedCommands).flat(),
  ...removers,
  ...owners,
  ...deviceWriters,
  ...diskPrograms,
  ...['dd', 'eval', 'find', 'init', 'kexec', 'kill', 'loginctl', 'rsync', 'systemctl'],
  ...shells,
]);

/** The built-in refusal that applies to a command, however it is spelled. */
export function catastropheOf(command: SimpleCommand, place: CommandEnvironment): Catastrophe | undefined {
  for (const redirection of command.redirections) {
    if (redirection.kind !== 'write' || redirection.target === undefined) continue;
    const device = pathsOf(redirection.target, place).find(isRawDevice);
    if (device !== undefined) return refuse(`* > ${device}`, `it writes to ${device} itself`);
  }
  const [first, ...rest] = command.words;
  if (first === undefined || (first.plain && !isJudged(baseOf(first.text)))) return undefined;
  const hidden = hiddenName(command, place);
  if (hidden !== undefined) return judgeName(hidden);
  const all = nameValuesOf(first, place.variables).flatMap((value) => splitValue(value));
  for (const [name = '', ...more] of all) {
    const found = judge(
      baseOf(name),
      [
        ...more.map((text) => ({ values: [text], paths: toPaths(text, place) })),
        ...rest.map((word) => argument(word, place)),
      ],
      place,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Finds a refused program in a command name that only the shell can expand: `$(which sudo) id`. */
function hiddenName({ words }: SimpleCommand, { variables }: CommandEnvironment): string | undefined {
  const [first, ...rest] = words;
  if (first === undefined) return undefined;
  const name = literalOf(first);
  if (name !== undefined) {
    const runsText = name === 'eval' || shells.has(baseOf(name));
    return runsText
      ? rest.flatMap((word) => (literalOf(word) === undefined ? nameWithin(word.text) : []))[0]
      : undefined;
  }
  const arrays = [...first.text.matchAll(/\$\{!?(\w+)(?=[[}])/g)].flatMap(
    (match) => variables.assigned.get(match[1] ?? '') ?? [],
  );
  const indirect = arrays.flatMap((value) => variables.assigned.get(value) ?? []);
  return [first.text, ...arrays, ...indirect].flatMap(nameWithin)[0];
}

/** Finds names of refused programs as separate words in a text. */
function nameWithin(text: string): string[] {
  return text.split(/[^\w.-]+/).filter((word) => judgeName(word) !== undefined);
}

function isJudged(name: string): boolean {
  return judgedNames.has(name) || name.startsWith('mkfs.');
}

interface Argument {
  readonly values: readonly string[];
  readonly paths: readonly string[];
}

function judge(name: string, given: readonly Argument[], place: CommandEnvironment): Catastrophe | undefined {
  // If the name is empty or unknown until it runs, the next word is the name.
  if (name === '' || name === unknownText) {
    const [next, ...rest] = given;
    const value = next?.values[0];
    return value === undefined ? undefined : judge(baseOf(value), rest, place);
  }
  return judgeName(name) ?? judgeArguments(name, given, place);
}

function judgeName(name: string): Catastrophe | undefined {
  const isGlob = /[*?[]/.test(name);
  for (const [what, names] of Object.entries(namedCommands)) {
    const hit = names.find((one) => one === name || (isGlob && globsOverlap(one, openGlob(name))));
    if (hit !== undefined) return refuse(`${hit} *`, `${hit} ${what}`);
  }
  return name.startsWith('mkfs.') ? refuse('mkfs.* *', `${name} erases a file system or a disk`) : undefined;
}

function judgeArguments(
  name: string,
  given: readonly Argument[],
  place: CommandEnvironment,
): Catastrophe | undefined {
  const values = given.flatMap((one) => one.values);
  const vital = given.flatMap((one) => one.paths).find((file) => isVital(file, place.variables.home));
  if (removers.includes(name) && vital !== undefined) {
    const sources = name === 'mv' ? given.slice(0, -1).flatMap((one) => one.paths) : [vital];
    const lost = sources.find((file) => isVital(file, place.variables.home));
    if (lost !== undefined) return refuse(`${name} ${lost}`, `it would remove ${lost}`);
  }
  if (owners.includes(name) && vital !== undefined && values.some(isRecursive)) {
    return refuse(`${name} -R ${vital}`, `it would change who may use everything in ${vital}`);
  }
  if (name === 'find' && vital !== undefined && emptiesTree(values))
    return refuse(`find ${vital} -delete`, `it would remove ${vital}`);
  if (name === 'systemctl' && values.some((value) => powerActions.includes(value))) {
    return refuse('systemctl reboot', 'it stops or restarts the machine');
  }
  if (
    name === 'systemctl' &&
    values.some((value) => powerTarget.test(value)) &&
    values.some((value) => /^(?:isolate|reload-or-restart|restart|start)$/.test(value))
  ) {
    return refuse('systemctl isolate reboot.target', 'it stops or restarts the machine');
  }
  if (name === 'loginctl' && values.some((value) => powerActions.includes(value)))
    return refuse('loginctl reboot', 'it stops or restarts the machine');
  if (name === 'kexec' && values.some((value) => /^(?:-[a-z]*e|--exec)$/.test(value)))
    return refuse('kexec -e', 'it restarts the machine');
  if (name === 'rsync' && values.some((value) => value.startsWith('--del'))) {
    const lost = given.at(-1)?.paths.find((file) => isVital(file, place.variables.home));
    if (lost !== undefined) return refuse(`rsync --delete * ${lost}`, `it would remove what is in ${lost}`);
  }
  if (name === 'init' && values.some((value) => /^[06]$/.test(value)))
    return refuse('init 0', 'it stops or restarts the machine');
  if (name === 'kill' && values.length > 1 && values[values.length - 1] === '-1') {
    return refuse('kill * -1', 'it ends every process of this account');
  }
  return judgeDevices(name, given, place);
}

function judgeDevices(
  name: string,
  given: readonly Argument[],
  place: CommandEnvironment,
): Catastrophe | undefined {
  const values = given.flatMap((one) => one.values);
  const namesDevice = given.flatMap((one) => one.paths).some(isRawDevice);
  if (erasesDisk(name, values, { namesDevice }))
    return refuse(`${name} *`, `${name} erases a disk with these arguments`);
  const outputs =
    name === 'dd'
      ? given.flatMap((one) =>
          one.values
            .filter((value) => value.startsWith('of='))
            .flatMap((value) => toPaths(value.slice(3), place)),
        )
      : deviceWriters.includes(name)
        ? given.flatMap((one) => one.paths)
        : [];
  const device = outputs.find(isRawDevice);
  return device === undefined ? undefined : refuse(`${name} ${device}`, `it writes to ${device} itself`);
}

/** True for a `find` that deletes everything it finds, without a test that spares anything. */
function emptiesTree(values: readonly string[]): boolean {
  const removes =
    values.includes('-delete') ||
    values.some(
      (value, at) => value.startsWith('-exec') && ['rm', 'shred'].includes(baseOf(values[at + 1] ?? '')),
    );
  if (!removes) return false;
  const end = values.findIndex((value) => value.startsWith('-exec'));
  return values
    .slice(0, end === -1 ? undefined : end)
    .every((value) => !value.startsWith('-') || harmlessFindTests.test(value));
}

function argument(word: ShellWord, place: CommandEnvironment): Argument {
  const values = valuesOf(word, place.variables).flatMap((value) =>
    word.plain ? [value] : splitValue(value).flat(),
  );
  return { values, paths: pathsOf(word, place) };
}

function pathsOf(word: ShellWord, place: CommandEnvironment): string[] {
  return valuesOf(word, place.variables).flatMap((value) => toPaths(value, place));
}

function toPaths(value: string, place: CommandEnvironment): string[] {
  if (value === '' || value.startsWith('-') || value.includes(unknownText)) return [];
  return place.directories.map((directory) => path.posix.resolve(directory, value));
}

/** An unquoted variable may expand to several words. */
function splitValue(value: string): string[][] {
  const words = value.split(/\s+/).filter((word) => word !== '');
  return [words.length === 0 ? [''] : words];
}

function baseOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function isRecursive(value: string): boolean {
  return /^-[A-Za-z]*R/.test(value) || (value.length > 3 && '--recursive'.startsWith(value));
}

/** Formats the refusal as a rule, so that every answer names one. */
export function refuse(specifier: string, why: string): Catastrophe {
  const rule = {
    tool: 'Bash',
    specifier,
    text: `Bash(${specifier})`,
    origin: { source: 'built-in catastrophic commands' },
  };
  return { rule, reason: `Refused in every mode by the built-in rule ${rule.text}: ${why}.` };
}
