import type { Extension } from '@robota-sdk/agent-core';
import { loadCommandFiles } from '../command-files/load-command-files.ts';
import type { Config } from '../config/load-config.ts';
import type { HostEnvironment } from '../dialects.ts';
import { loadExtensions } from '../extensions/load-extensions.ts';
import type { InteractiveSession } from '../interactive-session.ts';
import { loadSkills } from '../skills/load-skills.ts';
import type { Skill } from '../skills/skill.ts';
import { skillExtensions } from '../skills/skills-extension.ts';
import type { IAgentDefinition } from '../subagents/agent-definition.ts';
import { loadAgents } from '../subagents/load-agents.ts';
import type { NamesInFile } from './doubtful-names.ts';
import { allResourceFolders } from './resource-folders.ts';

/** Where resources are looked for, and what decides about them. */
export interface ResourcePlace {
  readonly cwd: string;
  readonly host: HostEnvironment;
  readonly config: Config;
  /** False: nothing that files bring is added but agents. */
  readonly modules?: boolean | undefined;
  /** False: no skills. */
  readonly skills?: boolean | undefined;
  /** Told of what goes wrong in an extension later. */
  onProblem?(message: string): void;
}

/** What files of the project, the user and plugins add to a session. */
export interface Resources {
  readonly extensions: readonly Extension<InteractiveSession>[];
  readonly agents: readonly IAgentDefinition[];
  readonly skills: readonly Skill[];
  /** What the files refer to by name. */
  readonly names: readonly NamesInFile[];
  /** What was wrong with single files. */
  readonly warnings: readonly string[];
}

/** Finds everything that can be added to a session by putting files into folders. */
export async function loadResources(place: ResourcePlace): Promise<Resources> {
  const { cwd, host, config, modules = true, onProblem = () => {} } = place;
  const places = { cwd, host, plugins: config.plugins };
  const [agents, skills, commands, loaded] = await Promise.all([
    loadAgents(allResourceFolders('agents', places), config.trust),
    loadSkills(place.skills === false ? [] : allResourceFolders('skills', places)),
    loadCommandFiles(allResourceFolders('commands', places), { cwd, host, trust: config.trust }),
    modules ? loadExtensions({ cwd, host, config, onProblem }) : { extensions: [], warnings: [] },
  ]);
  const { settings } = config;
  const workspace = { cwd, additional: [], home: host.home };
  return {
    extensions: modules
      ? [
          ...skillExtensions(skills, { workspace, trust: config.trust, deny: settings.permissions.deny }),
          ...commands.extensions,
          ...loaded.extensions,
        ]
      : [],
    agents: agents.definitions,
    skills: modules ? skills.skills : [],
    names: [
      ...agents.definitions.map(namesInAgent),
      ...(modules ? [...skills.skills.map(namesInSkill), ...commands.names] : []),
    ],
    warnings: [...agents.warnings, ...skills.warnings, ...commands.warnings, ...loaded.warnings],
  };
}

function namesInAgent({
  source = '',
  tools = [],
  disallowedTools = [],
  model,
}: IAgentDefinition): NamesInFile {
  return { path: source, tools: [...tools, ...disallowedTools], model };
}

function namesInSkill({ path, allowedTools = [], disallowedTools = [], model, agent }: Skill): NamesInFile {
  return { path, tools: [...allowedTools, ...disallowedTools], model, agent };
}
