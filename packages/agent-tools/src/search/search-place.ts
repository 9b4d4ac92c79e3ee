import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { AgentError, isInWorkspace, relativePath, type ToolContext } from '@robota-sdk/agent-core';
import { confirmAccess } from '../files/resolve-path.ts';

/** The root of a search, and how its results are named. */
export interface SearchRoot {
  /** A real directory. */
  readonly root: string;
  /** The only file to search, by its name in the root. */
  readonly file?: string;
  /** Prepended to results so that they start from the working directory: empty, or ending with a slash. */
  readonly prefix: string;
}

/** Checks the root of a search when it runs. A link that leads out of the workspace is not followed. */
export async function confirmPlace(input: object, path: string, context: ToolContext): Promise<SearchRoot> {
  const { workspace } = context;
  const place = await confirmAccess({ input, path, kind: 'search' }, context);
  if (isInWorkspace(place.path, workspace) && !isInWorkspace(place.real, workspace)) {
    throw new AgentError(
      'tool',
      `OutsideWorkspace: ${JSON.stringify(path)} is a symbolic link out of the workspace, which is not followed. To search it, use ${place.real}.`,
    );
  }
  const isFile = (await stat(place.real)).isFile();
  const directory = isFile ? dirname(place.path) : place.path;
  const asked = relativePath(workspace.cwd, directory);
  // Results outside the working directory have absolute paths.
  const shown = asked.startsWith('..') ? directory : asked;
  const prefix = shown === '' || shown.endsWith('/') ? shown : `${shown}/`;
  if (!isFile) return { root: place.real, prefix };
  return { root: dirname(place.real), file: basename(place.real), prefix };
}
