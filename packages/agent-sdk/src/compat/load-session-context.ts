import { resolve } from 'node:path';
import type { HostEnvironment } from '@robota-sdk/agent-config';
import { processHost, resourceFolders } from '@robota-sdk/agent-config';
import { loadAgents, loadContext, loadSkills } from '@robota-sdk/agent-resources';
import type { SessionContext } from '../assembly/context-resources.ts';

/** Reads what the files of a directory and of its user say to the model, for `createSession`. */
export async function loadSessionContext(
  directory: string,
  options: { host?: HostEnvironment } = {},
): Promise<SessionContext> {
  const host = options.host ?? (await processHost());
  const cwd = resolve(directory);
  const [context, skills, agents] = await Promise.all([
    loadContext(cwd, { host }),
    loadSkills(resourceFolders('skills', cwd, host)),
    loadAgents(resourceFolders('agents', cwd, host)),
  ]);
  const warnings = [...(context.warnings ?? []), ...skills.warnings, ...agents.warnings];
  return {
    ...context,
    ...(skills.skills.length === 0 ? {} : { skills }),
    ...(agents.definitions.length === 0 ? {} : { agents }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}
