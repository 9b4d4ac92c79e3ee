import { resolve } from 'node:path';
import {
  AgentError,
  type Config,
  didYouMean,
  ignoredFilesOf,
  isPermissionMode,
  loadConfig,
  modeOriginOf,
  type PermissionMode,
  type PermissionPolicy,
  permissionModes,
  processHost,
  type ReadOptions,
  rulesInForce,
} from '@robota-sdk/agent-sdk/front-end';
import { givenDirectory } from '../arguments/given-directory.ts';

/** The policy of a project as a session in it would have it. */
export interface ProjectPolicy {
  readonly policy: PermissionPolicy;
  readonly modeOrigin: string;
  readonly config: Config;
}

/** Loads the rules of the settings, or takes those of the command line in their place. */
export async function projectPolicy(options: ReadOptions): Promise<ProjectPolicy> {
  const cwd = givenDirectory(options.value('cwd'));
  const host = await processHost();
  const config = await loadConfig(cwd, { host, trustProject: options.has('trust-project') });
  const flags = { allow: options.values('allow'), ask: options.values('ask'), deny: options.values('deny') };
  const hasOwn = Object.values(flags).some((list) => list.length > 0);
  const none = { allow: [], ask: [], deny: [] };
  const { settings } = config;
  const asked = modeOf(options.value('mode'));
  const workspace = {
    cwd,
    additional: settings.additionalDirectories.map((directory) => resolve(cwd, directory)),
    home: host.home,
  };
  return {
    config,
    modeOrigin:
      asked === undefined ? await modeOriginOf(settings.permissionMode, { cwd, host }) : 'command line',
    policy: {
      mode: asked ?? settings.permissionMode,
      rules: rulesInForce(hasOwn ? none : settings.permissions, flags),
      ignored: ignoredFilesOf(config, workspace),
      workspace,
    },
  };
}

/** Checks the name of a mode. */
export function modeOf(text: string | undefined): PermissionMode | undefined {
  if (text === undefined || isPermissionMode(text)) return text;
  const hint = didYouMean(text, permissionModes);
  throw new AgentError('usage', `Unknown mode "${text}". Available: ${permissionModes.join(', ')}.`, {
    hint,
  });
}
