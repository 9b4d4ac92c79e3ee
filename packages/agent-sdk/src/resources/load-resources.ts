import type { Extension } from '@robota-sdk/agent-core';
import type { Config } from '../config/load-config.ts';
import type { HostEnvironment } from '../dialects.ts';
import type { InteractiveSession } from '../interactive-session.ts';
import type { IAgentDefinition } from '../subagents/agent-definition.ts';
import { loadAgents } from '../subagents/load-agents.ts';
import { resourceFolders } from './resource-folders.ts';

/** Where resources are looked for, and what decides about them. */
export interface ResourcePlace {
  readonly cwd: string;
  readonly host: HostEnvironment;
  readonly config: Config;
}

/** What files of the project, the user and plugins add to a session. */
export interface Resources {
  readonly extensions: readonly Extension<InteractiveSession>[];
  readonly agents: readonly IAgentDefinition[];
  /** What was wrong with single files. */
  readonly warnings: readonly string[];
}

/** Finds everything that can be added to a session by putting files into folders. */
export async function loadResources({ cwd, host }: ResourcePlace): Promise<Resources> {
  const agents = await loadAgents(resourceFolders('agents', cwd, host));
  return { extensions: [], agents: agents.definitions, warnings: agents.warnings };
}
