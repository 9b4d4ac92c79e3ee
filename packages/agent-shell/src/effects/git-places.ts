import path from 'node:path';
import { gitArguments } from '../commands/git-operands.ts';
import { baseName } from '../commands/nested-runs.ts';
import { gitDirectoryOf, gitHazard } from '../git/git-hazard.ts';
import type { ShellScope } from '../path/shell-scope.ts';
import type { SimpleCommand } from '../word/shell-script.ts';
import { literalOf } from '../word/shell-word.ts';
import type { PlacedCommand } from './place-commands.ts';
import { changesTree, mayPlantRepository, mayReplaceRepository } from './tree-changes.ts';

/**
 * Why git that only reads might run a program where it is started: by what is there, or by what the other commands of the
 * line may yet put there. Undefined for other programs.
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
 * The directory that `git -C` names, where it is not in the repository that git would use without it, or where another
 * command of the line may yet make it one.
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
