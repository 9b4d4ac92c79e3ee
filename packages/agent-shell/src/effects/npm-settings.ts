import path from 'node:path';
import { baseName } from '../commands/nested-runs.ts';
import type { ShellScope } from '../path/shell-scope.ts';
import type { PlacedCommand } from './place-commands.ts';

/**
 * Why a listing npm command may do more: project settings choose the server it contacts, with any variable in the URL,
 * and its cache directory.
 */
export function settingsOfNpm({ files, workspace }: ShellScope, placed: PlacedCommand): string | undefined {
  const [first, second] = placed.command.words;
  if (files === undefined || baseName(first) !== 'npm' || second?.text === '--version') return undefined;
  if (placed.isLost) return 'where npm is started is only known when it runs';
  const home = files.realPath(workspace.home);
  for (const directory of placed.directories) {
    let current = files.realPath(directory);
    while (current !== home) {
      const file = path.posix.join(current, '.npmrc');
      if (files.look(file) !== undefined) return `npm obeys ${file}`;
      if (current === '/') break;
      current = path.posix.dirname(current);
    }
  }
  return undefined;
}
