import type { ProjectContext } from '../context/load-context.ts';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import type { LoadedSkills } from '../skills/load-skills.ts';
import { skillExtensions } from '../skills/skills-extension.ts';
import type { LoadedAgents } from '../subagents/load-agents.ts';
/** The instructions of a project, and the skills and agents that its files define. */
export interface SessionContext extends ProjectContext {
  readonly skills?: LoadedSkills;
  readonly agents?: LoadedAgents;
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
