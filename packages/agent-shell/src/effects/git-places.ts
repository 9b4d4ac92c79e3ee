import path from 'node:path';
import { gitArguments } from '../commands/git-operands.ts';
import { baseName } from '../commands/nested-runs.ts';
import { gitDirectoryOf, gitHazard } from '../git/git-hazard.ts';
import type { ShellScope } from '../path/shell-scope.ts';
import type { SimpleCommand } from '../word/shell-script.ts';
import { literalOf } from '../word/shell-word.ts';
import type { PlacedCommand } from './place-commands.ts';
import { changesTree, mayPlantRepository, mayReplaceRepository } from './tree-changes.ts';

/** True if a command is git or runs git. */
export function runsGit(command: SimpleCommand): boolean {
  return baseName(command.words[0]) === 'git' || [...command.runs, ...(command.reaches ?? [])].some(runsGit);
}

/**
 * Why a read-only git command might run a program in its directory: because of existing files, or because of files that
 * other commands of the line may create. Undefined for other programs.
 */
export function hazardOfGit(
  { files }: ShellScope,
  placed: PlacedCommand,
  others: readonly SimpleCommand[],
): string | undefined {
  const { command, directories, isLost } = placed;
  if (files === undefined || baseName(command.words[0]) !== 'git') return undefined;
  if (isLost) return 'where git is started is only known when it runs';
  for (const directory of directories) {
    const hazard = gitHazard(files, directory);
    if (hazard !== undefined) return hazard;
    const isTop = files.look(path.posix.join(directory, '.git')) !== undefined;
    if (others.some(isTop ? mayReplaceRepository : mayPlantRepository))
      return 'another command of the line may change the repository that git finds';
  }
  return undefined;
}

/**
 * The directory of `git -C`, if it is outside the repository that git would use without it, or if another command of
 * the line may turn it into one.
 */
export function elsewhereOfGit(
  { files }: ShellScope,
  placed: PlacedCommand,
  others: readonly SimpleCommand[],
): string | undefined {
  const { command, directories, isLost } = placed;
  const words = command.words.slice(1);
  if (files === undefined || baseName(command.words[0]) !== 'git') return undefined;
  const { directory: target, optionCount } = gitArguments(words);
  const options = words.slice(0, optionCount);
  if (!options.some((word) => word.text === '-C')) return undefined;
  if (isLost || options.some((word) => literalOf(word) === undefined)) return target;
  if (others.some(changesTree)) return target;
  const isAlone = others.length === 0;
  const staysHere = directories.every((directory) => {
    const own = gitDirectoryOf(files, directory);
    const place = path.posix.resolve(directory, target);
    if (!isAlone && files.look(place) === undefined) return false;
    return own !== undefined && own === gitDirectoryOf(files, place);
  });
  return staysHere ? undefined : target;
}
