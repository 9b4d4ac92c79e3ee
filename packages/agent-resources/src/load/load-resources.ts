import type { HostEnvironment } from '@robota-sdk/agent-config';
import { allResourceFolders } from '@robota-sdk/agent-config';
import { type Extension, type Problem, sentence, type UserInterface, warning } from '@robota-sdk/agent-core';
import { loadAgents } from '../agents/load-agents.ts';
import { loadCommandFiles } from '../command-files/load-command-files.ts';
import { loadExtensions } from '../extensions/load-extensions.ts';
import type { NamesInFile } from '../files/names-in-file.ts';
import type { SessionMcp } from '../mcp/session-mcp.ts';
import { withSkills } from '../skills/agent-skills.ts';
import { type LoadedSkills, loadSkills } from '../skills/load-skills.ts';
import type { Skill } from '../skills/skill.ts';
import { skillExtensions } from '../skills/skills-extension.ts';
import type { IAgentDefinition } from '../source/agent-definition.ts';
import type { LoadedConfig } from '../source/loaded-config.ts';
import type { ResourceHost } from '../source/resource-host.ts';
import { findComponents } from '../wasm/find-components.ts';
import type { LoadedComponent, LoadedComponents } from '../wasm/load-components.ts';

/** Search paths of resources, and the gates that approve them. */
export interface ResourceContext {
  readonly cwd: string;
  readonly host: HostEnvironment;
  readonly config: LoadedConfig;
  /** False: files add only agents. */
  readonly modules?: boolean | undefined;
  /** False: no skills; a list: only those of these names. */
  readonly skills?: boolean | readonly string[] | undefined;
  /** Asks for the permissions of extensions, if a user is present. */
  readonly ui?: UserInterface | undefined;
  /** The MCP servers of the session. Default: none. */
  readonly mcp?: SessionMcp | undefined;
  /** Called for later problems of an extension. */
  onProblem?(problem: Problem): void;
}

/** Resources of the project, the user and plugins. */
export interface Resources {
  readonly extensions: readonly Extension<ResourceHost>[];
  /** The WebAssembly ones. */
  readonly components: readonly LoadedComponent[];
  readonly agents: readonly IAgentDefinition[];
  readonly skills: readonly Skill[];
  /** The names that the files refer to. */
  readonly names: readonly NamesInFile[];
  /** Problems of single files. */
  readonly problems: readonly Problem[];
}

/** Finds everything that can be added to a session by putting files into folders. */
export async function loadResources(place: ResourceContext): Promise<Resources> {
  const { cwd, host, config, modules = true, onProblem = () => {} } = place;
  const places = { cwd, host, plugins: config.plugins };
  const [agents, skills, commands, loaded, wasm, mcp] = await Promise.all([
    loadAgents(allResourceFolders('agents', places), config.trust),
    loadSkills(place.skills === false ? [] : allResourceFolders('skills', places), {
      invocation: config.settings.skillInvocation,
    }).then((found) => onlyNamed(found, place.skills)),
    loadCommandFiles(allResourceFolders('commands', places), { cwd, host, trust: config.trust }),
    modules ? loadExtensions({ cwd, host, config, onProblem }) : { extensions: [], problems: [] },
    modules ? loadWasm(place) : { components: [], problems: [] },
    modules ? place.mcp?.extension(config) : undefined,
  ]);
  const { settings, trust } = config;
  const workspace = { cwd, additional: [], home: host.home };
  const definitions = await Promise.all(
    agents.definitions.map((agent) => withSkills(agent, skills.skills, { workspace, trust })),
  );
  return {
    extensions: modules
      ? [
          ...skillExtensions(skills, { workspace, trust: config.trust, deny: settings.permissions.deny }),
          ...commands.extensions,
          ...loaded.extensions,
          ...wasm.components.map(({ extension }) => extension),
          ...(mcp ? [mcp] : []),
        ]
      : [],
    components: wasm.components,
    agents: definitions,
    skills: modules ? skills.skills : [],
    names: [
      ...agents.definitions.map(namesInAgent),
      ...(modules
        ? [...skills.skills.map((skill) => namesInSkill(skill, definitions)), ...commands.names]
        : []),
    ],
    problems: [agents, skills, commands, loaded, wasm].flatMap(({ problems }) => problems),
  };
}

/** Loaded on demand: most users have no such extensions. */
async function loadWasm(place: ResourceContext): Promise<LoadedComponents> {
  const { cwd, host, config, ui, onProblem = () => {} } = place;
  const { components: found, problems } = findComponents({ cwd, host, plugins: config.plugins });
  if (found.length === 0) return { components: [], problems };
  const { loadComponents } = await import('../wasm/load-components.ts');
  const loaded = await loadComponents(found, { cwd, host, config, ui, onProblem });
  return { components: loaded.components, problems: [...problems, ...loaded.problems] };
}

function namesInAgent({
  source = '',
  tools = [],
  disallowedTools = [],
  model,
}: IAgentDefinition): NamesInFile {
  return { path: source, tools: [...tools, ...disallowedTools], model };
}

function namesInSkill(
  { path, plugin, allowedTools = [], disallowedTools = [], model, agent }: Skill,
  agents: readonly IAgentDefinition[],
): NamesInFile {
  const ofPlugin = `${plugin}:${agent}`;
  const named = agents.some(({ name }) => name === ofPlugin) ? ofPlugin : agent;
  return { path, tools: [...allowedTools, ...disallowedTools], model, agent: named };
}

/** Reports names that no skill has: the program relies on them. */
function onlyNamed(found: LoadedSkills, names: ResourceContext['skills']): LoadedSkills {
  if (typeof names !== 'object') return found;
  const missing = names.filter((name) => !found.skills.some((skill) => skill.name === name));
  return {
    skills: found.skills.filter(({ name }) => names.includes(name)),
    hidden: found.hidden,
    problems: [
      ...found.problems,
      ...missing.map((name) =>
        warning('skill.unknown', sentence`Unknown skill "${{ skill: name }}".`, { subject: name }),
      ),
    ],
  };
}
