import { join } from 'node:path';
import { type Dialect, dialects, readsFilesOf, userFolder } from '@robota-sdk/agent-config';
import { isMissing, realPathOf } from '@robota-sdk/agent-core';
import type { DefinitionContext } from './resolve-server.ts';

/** An existing file that may define servers. */
export interface ServerFile {
  readonly path: string;
  readonly dialect: Dialect['name'];
  readonly isOfProject: boolean;
}

/** The files with servers that are there, the strongest first: those of the project, then those of the user. */
export function serverFiles(place: DefinitionContext): readonly ServerFile[] {
  const files = (['project', 'user'] as const).flatMap((scope) =>
    readsFilesOf(place.host, scope) ? filesOf(scope, place) : [],
  );
  const present = files.filter(({ path }) => !isMissing(path));
  if (present.length === 0) return present;
  // In the home directory, the user's file does not belong to a project.
  const ofUser = new Set(present.filter((file) => !file.isOfProject).map(({ path }) => realPathOf(path)));
  return present.filter((file) => !file.isOfProject || !ofUser.has(realPathOf(file.path)));
}

/** Our own file with servers: the project's, or the user's. */
export function ownServerFile(scope: 'project' | 'user', place: DefinitionContext): string {
  const own = filesOf(scope, place).find(({ dialect }) => dialect === 'robota');
  return own?.path ?? join(place.cwd, '.robota', 'mcp.json');
}

function filesOf(scope: 'project' | 'user', { cwd, host }: DefinitionContext): ServerFile[] {
  return dialects.flatMap((dialect) => {
    const { servers, name, projectFolder } = dialect;
    if (!servers) return [];
    const isOfProject = scope === 'project';
    const folder = isOfProject ? join(cwd, projectFolder) : userFolder(dialect, host);
    return [{ path: join(folder, isOfProject ? servers.project : servers.user), dialect: name, isOfProject }];
  });
}
