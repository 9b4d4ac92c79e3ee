import type { LoadedAgents, LoadedSkills, ProjectContext } from '@robota-sdk/agent-resources';
import { skillExtensions } from '@robota-sdk/agent-resources';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
/** The instructions of a project, and the skills and agents that its files define. */
export interface LoadedContext extends ProjectContext {
  readonly skills?: LoadedSkills;
  readonly agents?: LoadedAgents;
  /** The texts of its problems. */
  readonly warnings?: readonly string[];
}

/** Adds the skills and agents of the context to the options. */
export function withContextResources(options: CreateSessionOptions, cwd: string): CreateSessionOptions {
  const { skills, agents }: LoadedContext = options.context;
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
