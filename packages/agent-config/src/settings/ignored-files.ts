import type { Workspace } from '@robota-sdk/agent-core';
import { IgnoreFiles } from '@robota-sdk/agent-tools';
import { userPaths } from '../host/paths.ts';
import type { Config } from './config.ts';

/** The files that are hidden from an agent in a workspace: by files in it, and by one of the user. */
export function ignoredFilesOf(
  {
    settings,
    host,
  }: { readonly settings: Pick<Config['settings'], 'ignoreFiles'>; readonly host: Config['host'] },
  workspace: Workspace,
): IgnoreFiles {
  return new IgnoreFiles({ workspace, names: settings.ignoreFiles, userFile: userPaths(host).ignore });
}
