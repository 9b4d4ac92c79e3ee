import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AgentError, realPathOf } from '@robota-sdk/agent-core';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import type { OpenWorkspace } from '../permissions/session-permissions.ts';

/** The workspace of a session, with real paths. */
export function workspaceOf({ cwd, config }: CreateSessionOptions): OpenWorkspace {
  const root = realDirectory(resolve(cwd ?? config.cwd ?? '.'));
  return {
    cwd: root,
    additional: config.settings.additionalDirectories.map((directory) =>
      realDirectory(resolve(root, directory)),
    ),
    home: config.host.home,
  };
}

/** The real path of a directory; throws if it is unusable. */
export function realDirectory(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return realPathOf(path);
  const why = found ? 'it is a file' : 'it does not exist';
  throw new AgentError('usage', `The directory ${path} cannot be used: ${why}. Correct the path.`);
}
