import path from 'node:path';
import { baseName } from '../commands/nested-runs.ts';
import { globsOverlap, openGlob } from '../path/glob-match.ts';
import type { PolicyFiles } from '../path/policy-files.ts';
import type { ShellScope } from '../path/shell-scope.ts';
import type { ShellScript, SimpleCommand } from '../word/shell-script.ts';
import { literalOf, type ShellWord, unknownText, type Variables, valuesOf } from '../word/shell-word.ts';
import { expandGlob, type GlobTarget } from './expand-glob.ts';

/** A command and its directories: after a `cd` that may have failed, every directory it may be in. */
export interface PlacedCommand {
  readonly command: SimpleCommand;
  readonly directories: readonly string[];
  /** The initial directory of the script. */
  readonly start: string;
  /** True if an earlier directory change has an unknown target. */
  readonly isLost: boolean;
  readonly variables: Variables;
}

const maximumDirectories = 16;

/** Follows directory changes through a script. */
export function placeCommands(script: ShellScript, policy: ShellScope, cwd: string): PlacedCommand[] {
  const { assigned, unsettled } = script;
  const variables: Variables = { home: policy.workspace.home, cwd, assigned, unsettled };
  const start = policy.files?.realPath(cwd) ?? cwd;
  let everywhere = [start];
  let here = everywhere;
  let chain: number | undefined;
  let isLost = false;
  return script.commands.map((command) => {
    if (command.chain !== chain) here = everywhere;
    chain = command.chain;
    const placed: PlacedCommand = { command, directories: here, start, isLost, variables };
    const targets = directoryChange(command, variables);
    if (targets === undefined || isLost) return placed;
    const next = targets.flatMap((target) =>
      here.flatMap((directory) => changedTo(directory, target, policy)),
    );
    everywhere = distinct([...everywhere, ...next]);
    here = distinct(command.isLink && next.length > 0 ? next : [...here, ...next]);
    isLost ||= targets.length === 0 || everywhere.length > maximumDirectories;
    everywhere = everywhere.slice(0, maximumDirectories);
    here = here.slice(0, maximumDirectories);
    return placed;
  });
}

/** True if a command may run in another directory than the script. */
export function hasMoved({ isLost, directories, start }: PlacedCommand): boolean {
  return isLost || directories.length > 1 || directories[0] !== start;
}

/** Every path a word may expand to; undefined if that is only known when it runs. */
export function placesOf(
  word: ShellWord,
  placed: PlacedCommand,
  policy: ShellScope,
): GlobTarget[] | undefined {
  const values = valuesOf(word, placed.variables);
  if (values.some((value) => value.includes(unknownText))) return undefined;
  if (word.pieces.some((piece) => piece.kind === 'glob') && values.some(mayClimb)) return undefined;
  if (placed.isLost && values.some((value) => !value.startsWith('/'))) return undefined;
  const places = values.flatMap((value) =>
    placed.directories.map((directory) => follow(directory, value, policy)),
  );
  if (policy.files === undefined || !word.pieces.some((piece) => piece.kind === 'glob')) return places;
  const matches = globMatches(word, placed, policy.files);
  return matches && [...places, ...matches];
}

/** The target of a directory change: `cd` removes `..` from the text, `cd -P` and the system resolve links first. */
export function changedTo(directory: string, target: string, policy: ShellScope): string[] {
  const { path: logical, real } = follow(directory, target, policy);
  return distinct([logical, real]);
}

/** Cached, because a decision expands a word several times. */
const expanded = new WeakMap<
  ShellWord,
  { readonly directories: readonly string[]; readonly matches?: GlobTarget[] }
>();

function globMatches(word: ShellWord, placed: PlacedCommand, files: PolicyFiles): GlobTarget[] | undefined {
  const known = expanded.get(word);
  if (known?.directories === placed.directories) return known.matches;
  const found = valuesOf(word, placed.variables).flatMap((value) =>
    placed.directories.map((directory) => expandGlob(directory, value, files)),
  );
  const isWhole = found.every((one) => one !== undefined);
  const { directories } = placed;
  expanded.set(word, isWhole ? { directories, matches: found.flat() } : { directories });
  return isWhole ? found.flat() : undefined;
}

/** The target of `cd` or `pushd`: empty if unknown, undefined for other commands. */
export function directoryChange(command: SimpleCommand, variables: Variables): string[] | undefined {
  const name = baseName(command.words[0]);
  if (name === 'popd') return [];
  if (name !== 'cd' && name !== 'pushd') {
    return command.runs
      .map((inner) => directoryChange(inner, variables))
      .find((change) => change !== undefined);
  }
  const target = command.words.slice(1).find((word) => !/^-[LPe@]+$|^--$/.test(literalOf(word) ?? ''));
  if (target === undefined) return name === 'cd' ? [variables.home] : [];
  const values = valuesOf(target, variables);
  return values.some((value) => value === '-' || value.includes(unknownText)) ? [] : values;
}

/** The position of the commands that a command runs. */
export function placeInside(placed: PlacedCommand): PlacedCommand {
  const directories = innerDirectories(placed);
  const { words } = placed.command;
  const isLost =
    placed.isLost ||
    directories.some((directory) => directory.includes(unknownText)) ||
    (baseName(words[0]) === 'find' && words.some((word) => /^-(?:exec|ok)dir$/.test(literalOf(word) ?? '')));
  return { ...placed, directories, isLost };
}

/** True if a command or an inner command runs another in a different directory. */
export function movesInside(placed: PlacedCommand): boolean {
  if (innerDirectories(placed) !== placed.directories) return true;
  return placed.command.runs.some((command) => movesInside({ ...placed, command }));
}

/** The directory of the wrapped command: `env -C dir` changes it first. */
export function innerDirectories({ command, directories, variables }: PlacedCommand): readonly string[] {
  if (baseName(command.words[0]) !== 'env') return directories;
  const at = command.words.findIndex((word) => /^(?:-C|--c)/.test(word.text));
  const [option, next] = [command.words[at], command.words[at + 1]];
  if (option === undefined) return directories;
  const attached = valuesOf(option, variables).map((value) => value.replace(/^(?:-C|--[a-z]+=?)/, ''));
  const targets =
    attached.every((value) => value === '') && next !== undefined ? valuesOf(next, variables) : attached;
  return directories.flatMap((directory) => targets.map((target) => path.posix.resolve(directory, target)));
}

/** `.*` and `.?` also match `..`, at least in older shells. */
function mayClimb(value: string): boolean {
  return value
    .split('/')
    .some((name) => name.startsWith('.') && /[*?[]/.test(name) && globsOverlap(openGlob(name), '..'));
}

function distinct(directories: readonly string[]): string[] {
  return [...new Set(directories)];
}

function follow(directory: string, value: string, policy: ShellScope): GlobTarget {
  const normal = path.posix.resolve(directory, value);
  if (policy.files === undefined) return { path: normal, real: normal };
  // Not normalized: after a symlink, `..` leads elsewhere than the text says.
  return {
    path: normal,
    real: policy.files.realPath(value.startsWith('/') ? value : `${directory}/${value}`),
  };
}
