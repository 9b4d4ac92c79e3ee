import type { Extension } from '@robota-sdk/agent-core';
import { loadCommandFiles } from '../command-files/load-command-files.ts';
import type { Config } from '../config/load-config.ts';
import type { HostEnvironment } from '../dialects.ts';
import type { InteractiveSession } from '../interactive-session.ts';
import { loadSkills } from '../skills/load-skills.ts';
import type { Skill } from '../skills/skill.ts';
import { skillExtensions } from '../skills/skills-extension.ts';
import type { IAgentDefinition } from '../subagents/agent-definition.ts';
import { loadAgents } from '../subagents/load-agents.ts';
import { allResourceFolders, resourceFolders } from './resource-folders.ts';

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
  readonly skills: readonly Skill[];
  /** What was wrong with single files. */
  readonly warnings: readonly string[];
}

/** Finds everything that can be added to a session by putting files into folders. */
export async function loadResources({ cwd, host, config }: ResourcePlace): Promise<Resources> {
  const [agents, skills, commands] = await Promise.all([
    loadAgents(resourceFolders('agents', cwd, host)),
    loadSkills(allResourceFolders('skills', { cwd, host })),
    loadCommandFiles(allResourceFolders('commands', { cwd, host }), { cwd, host, trust: config.trust }),
  ]);
  const workspace = { cwd, additional: [], home: host.home };
  return {
    extensions: [
      ...skillExtensions(skills, { workspace, trust: config.trust }),
      ...commands.extensions,
    ],
    agents: agents.definitions,
    skills: skills.skills,
    warnings: [...agents.warnings, ...skills.warnings, ...commands.warnings],
  };
}
