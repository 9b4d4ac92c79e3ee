import { resolve } from 'node:path';
import { loadContext, type ProjectContext } from '../context/load-context.ts';
import type { CreateSessionOptions } from '../create-session-options.ts';
import type { HostEnvironment } from '../dialects.ts';
import { processHost } from '../process-host.ts';
import { resourceFolders } from '../resources/resource-folders.ts';
import { type LoadedSkills, loadSkills } from '../skills/load-skills.ts';
import { skillExtensions } from '../skills/skills-extension.ts';
import { type LoadedAgents, loadAgents } from '../subagents/load-agents.ts';

/** The instructions of a project, and the skills and agents that its files define. */
export interface SessionContext extends ProjectContext {
  readonly skills?: LoadedSkills;
  readonly agents?: LoadedAgents;
}

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

/** Adds the skills and agents of the context to what a session is made of. */
export function withContextResources(options: CreateSessionOptions, cwd: string): CreateSessionOptions {
  const { skills, agents }: SessionContext = options.context;
  const { host, trust, settings } = options.config;
  const workspace = { cwd, additional: [], home: host.home };
  const { deny } = settings.permissions;
  return {
    ...options,
    extensions: [
      ...(options.extensions ?? []),
      ...(skills ? skillExtensions(skills, { workspace, trust, deny }) : []),
    ],
    agents: [...(options.agents ?? []), ...(agents?.definitions ?? [])],
  };
}
