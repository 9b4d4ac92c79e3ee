import { globsOverlap, openGlob } from '../path/glob-match.ts';
import type { SimpleCommand } from '../word/shell-script.ts';
import { literalOf, nameValuesOf } from '../word/shell-word.ts';
import { runningNames } from './code-programs.ts';
import { runnerNames } from './runners.ts';
import { interpreters, shells, wrappers } from './wrappers.ts';

const builtins =
  '. alias bind compgen complete fc hash let mapfile readarray source at batch find fd fdfind git';
/** Programs and builtins that may run what they are given. */
const running = [
  ...new Set([
    ...builtins.split(' '),
    ...Object.keys(wrappers),
    ...shells,
    ...interpreters,
    ...runnerNames,
    ...runningNames,
  ]),
];

/** True if a variable with a value from the script names a program that runs what it is given: `x=env; $x id`. */
export function isRunnerAssigned(
  commands: readonly SimpleCommand[],
  assigned: ReadonlyMap<string, readonly string[]>,
): boolean {
  if (assigned.size === 0) return false;
  const isRunner = (text: string) => running.includes(text.slice(text.lastIndexOf('/') + 1));
  const isNamed = ({ words: [name], runs }: SimpleCommand): boolean =>
    (name !== undefined &&
      literalOf(name) === undefined &&
      nameValuesOf(name, { home: '', cwd: '', assigned }).some(isRunner)) ||
    runs.some(isNamed);
  return commands.some(isNamed);
}

/** True if the unknown part of a command's name may make it a program that runs what it is given. */
export function mayRunArguments({ words: [name] }: SimpleCommand): boolean {
  if (name === undefined || literalOf(name) !== undefined) return false;
  const open = name.pieces.map((piece) =>
    piece.kind === 'text'
      ? piece.value.replaceAll('*', '?')
      : piece.kind === 'glob'
        ? openGlob(piece.value)
        : '*',
  );
  const pattern = open.join('').split('/').pop() ?? '';
  return !/^\**$/.test(pattern) && running.some((one) => globsOverlap(one, pattern));
}
