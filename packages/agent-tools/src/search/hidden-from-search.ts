import { join } from 'node:path';
import {
  type HiddenFiles,
  type HiddenNames,
  type HiddenPlaces,
  hiddenByEither,
  type StateKey,
  type ToolScope,
} from '@robota-sdk/agent-core';
import { sandboxAccess } from '../sandbox/sandbox-policy.ts';

/** Files that the session's rules hide from searches. */
export interface HiddenFromSearch {
  files?: HiddenFiles;
}

export const hiddenFromSearch: StateKey<HiddenFromSearch> = {
  name: 'hidden-from-search',
  create: () => ({}),
};

/** Files that a search must skip: hidden by rules, or by the sandbox. */
export async function filesToLeaveOut(scope: ToolScope): Promise<HiddenFiles | undefined> {
  const { files } = scope.state.get(hiddenFromSearch);
  if (scope.state.get(sandboxAccess).mode === 'off') return files;
  const { sandboxedFiles } = await import('../sandbox/sandboxed-files.ts');
  return hiddenByEither(files, await sandboxedFiles(scope));
}

/** Tests the paths that one search finds below a root. */
export function hiddenBelow(
  root: string,
  places: HiddenPlaces | undefined,
): (path: string, isDirectory?: 'directory') => boolean {
  if (places === undefined) return () => false;
  const known = new Map<string, HiddenNames>();
  return (path, kind) => {
    const slash = path.lastIndexOf('/');
    const directory = path.slice(0, Math.max(0, slash));
    let names = known.get(directory);
    if (names === undefined) {
      names = places.in(join(root, directory));
      known.set(directory, names);
    }
    if (typeof names === 'string') return names === 'all';
    return names(path.slice(slash + 1), kind === 'directory');
  };
}
