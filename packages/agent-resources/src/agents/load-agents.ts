import { basename, dirname, join, relative, sep } from 'node:path';
import type { ResourceFolder, TrustGate } from '@robota-sdk/agent-config';
import {
  entriesIn,
  type ModelChooser,
  mayChooseModel,
  parseFrontMatter,
  parseHooks,
  readProjectFile,
  trustedGroups,
} from '@robota-sdk/agent-config';
import {
  addSentence,
  anyObject,
  errorMessage,
  given,
  isMissing,
  type Problem,
  type ProblemText,
  permissionModes,
  sentence,
  warning,
  words,
} from '@robota-sdk/agent-core';
import { effortShape } from '../files/effort-shape.ts';
import {
  field,
  readFields,
  ruleList,
  scalarCount,
  scalarFlag,
  scalarList,
  scalarText,
  syntaxProblems,
} from '../files/read-fields.ts';
import type { IAgentDefinition } from '../source/agent-definition.ts';

/** The agents of files, and problems of some of them. */
export interface LoadedAgents {
  /** The first of a name is the one in force. */
  readonly definitions: readonly IAgentDefinition[];
  readonly problems: readonly Problem[];
}

/**
 * Reads the agent definitions in folders, strongest first. A broken one is skipped. One of a repository uses
 * the session's model unless its own was approved, and only approved hooks.
 */
export async function loadAgents(
  folders: readonly ResourceFolder[],
  trust?: TrustGate | undefined,
): Promise<LoadedAgents> {
  const read = await readAgents(folders);
  const definitions = new Map<string, IAgentDefinition>();
  for (const { definition, folder } of read)
    if (definition && !definitions.has(definition.name))
      definitions.set(definition.name, withTrusted(definition, folder, trust));
  const problems = [...read.flatMap((each) => each.problems), ...repeatsIn(read)];
  return { definitions: [...definitions.values()], problems };
}

/** An agent in a stronger folder overrides another on purpose; two in one folder do not. */
function repeatsIn(read: readonly (ReadAgent & { readonly folder: ResourceFolder })[]): Problem[] {
  const first = new Map<string, string | undefined>();
  return read.flatMap(({ definition, folder: { path } }) => {
    if (!definition) return [];
    const { name, source } = definition;
    const key = `${path} ${name}`;
    if (first.has(key))
      return [
        unusable(
          source ?? path,
          sentence`The agent is skipped: ${{ other: first.get(key) ?? '' }} is also called "${{ agent: name }}".`,
        ),
      ];
    first.set(key, source);
    return [];
  });
}

/** Reads all definitions in folders. */
export async function readAgents(
  folders: readonly ResourceFolder[],
): Promise<readonly (ReadAgent & { readonly folder: ResourceFolder })[]> {
  const files = folders.flatMap((folder) => filesIn(folder).map((file) => ({ file, folder })));
  return Promise.all(files.map(async ({ file, folder }) => ({ ...(await readAgentFile(file)), folder })));
}

/** An agent as a chooser of a model. */
export function agentChooser({ name, model }: IAgentDefinition, { scope }: ResourceFolder): ModelChooser {
  return { title: `agent ${name}`, model, fromProject: scope === 'project' };
}

function withTrusted(
  { hooks, ...definition }: IAgentDefinition,
  folder: ResourceFolder,
  trust: TrustGate | undefined,
): IAgentDefinition {
  const { model, ...rest } = definition;
  const usable = folder.scope !== 'project' ? hooks : hooks && trust && trustedGroups(hooks, trust);
  return {
    ...(mayChooseModel(agentChooser(definition, folder), trust) ? definition : rest),
    ...given('hooks', usable),
  };
}

interface AgentFile {
  readonly path: string;
  readonly folder: Pick<ResourceFolder, 'root' | 'plugin'>;
  /** Put before its name. */
  readonly group?: string;
  /** Set in a folder of a collection, which may also contain other pages. */
  readonly isNested?: true;
}

/** How deep folders of agents may be nested. */
const maxDepth = 6;

function filesIn(folder: ResourceFolder): readonly AgentFile[] {
  if (isMissing(folder.path)) return [];
  return walk(folder.path, { folder, depth: 1, seen: new Set() });
}

interface Step {
  readonly folder: ResourceFolder;
  readonly depth: number;
  /** Real directories that were entered, because a link may lead back. */
  readonly seen: Set<string>;
}

/** The agents of a folder, then those of the folders in it. */
function walk(directory: string, { folder, depth, seen }: Step): readonly AgentFile[] {
  const { root, only } = folder;
  const entries = entriesIn(directory, { root, seen }).filter(
    ({ name }) =>
      !name.startsWith('.') && name !== 'node_modules' && (depth > 1 || (only?.includes(name) ?? true)),
  );
  const files = entries.filter(
    ({ name, path, kind }) =>
      (kind !== 'directory' && name.endsWith('.md')) || (kind === 'outside' && path === directory),
  );
  const folders = entries.filter(({ kind }) => kind === 'directory' && depth < maxDepth);
  const origin = depth > 1 ? ({ folder, isNested: true } as const) : { folder };
  return [
    ...files.map(({ path }) => ({ path, ...origin, ...given('group', groupOf(path, folder)) })),
    ...folders.flatMap(({ path }) => walk(path, { folder, depth: depth + 1, seen })),
  ];
}

/** In a plugin the folders below its `agents` are part of an agent's name. */
function groupOf(path: string, { path: folder, plugin, pluginRoot }: ResourceFolder): string | undefined {
  if (plugin === undefined) return undefined;
  const usual = join(pluginRoot ?? folder, 'agents');
  const base = `${folder}${sep}`.startsWith(`${usual}${sep}`) ? usual : folder;
  const between = relative(base, dirname(path)).split(sep).filter(Boolean);
  return between.length === 0 ? undefined : between.join(':');
}

interface ReadAgent {
  readonly definition?: IAgentDefinition;
  readonly problems: readonly Problem[];
}

/** Reads one definition, and reports its unusable parts. */
export async function readAgentFile({ path, folder, group, isNested }: AgentFile): Promise<ReadAgent> {
  const { root, plugin } = folder;
  let text: string;
  try {
    text = readProjectFile(path, root);
  } catch (thrown) {
    return {
      problems: [unusable(path, sentence`Cannot read the agent: ${{ reason: errorMessage(thrown) }}`)],
    };
  }
  const matter = await parseFrontMatter(text);
  const isNamed = matter.data.name !== undefined || matter.data.description !== undefined;
  if (isNested && !matter.isUnfinished && !isNamed) return { problems: [] };
  if (matter.isUnfinished) return { problems: syntaxProblems({ path, matter }).map(withSkip) };
  const systemPrompt = matter.body.trim();
  const { values, problems } = readFields(
    agentFields,
    { path, matter },
    {
      ignored: ['color'],
      lacking: {
        names: ['mcpServers', 'memory', 'initialPrompt'],
        hint: 'See docs/agents.md for what it reads.',
      },
    },
  );
  if (systemPrompt === '')
    return { problems: [...problems, unusable(path, 'The agent has no prompt; it is skipped.')] };
  const { name = basename(path, '.md'), description = firstLine(systemPrompt), hooks, ...rest } = values;
  const fullName = [plugin, group, name].filter((part) => part !== undefined).join(':');
  // A user agrees to the hooks of a plugin when it is installed, and these are not among them.
  if (plugin !== undefined && hooks !== undefined)
    problems.push(unusable(path, 'Hooks of an agent in a plugin do not run; hooks/hooks.json has those.'));
  const groups = plugin === undefined ? parseHooks(hooks, { source: path, problems }) : [];
  const definition = { ...rest, name: fullName, description, systemPrompt, source: path };
  return { definition: groups.length === 0 ? definition : { ...definition, hooks: groups }, problems };
}

function unusable(file: string, message: string | ProblemText): Problem {
  return warning('agent.unusable', message, { source: { file }, isInactive: true });
}

function withSkip(problem: Problem): Problem {
  return addSentence(problem, 'The agent is skipped.');
}

const agentFields = {
  name: field(scalarText, 'name'),
  description: field(scalarText, 'description'),
  model: field(scalarText, 'model'),
  effort: field(effortShape, 'effort'),
  maxTurns: field(scalarCount, 'maxTurns', 'max-turns', 'max_turns'),
  tools: field(ruleList, 'tools', 'allowed-tools', 'allowedTools'),
  disallowedTools: field(ruleList, 'disallowedTools', 'disallowed-tools'),
  permissionMode: field(words(...permissionModes), 'permissionMode', 'permission-mode'),
  isolation: field(words('worktree'), 'isolation'),
  background: field(scalarFlag, 'background'),
  omitInstructions: field(scalarFlag, 'omitInstructions', 'omitClaudeMd'),
  skills: field(scalarList, 'skills'),
  hooks: field(anyObject, 'hooks'),
};

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.replace(/^#+\s*/, '') ?? '';
}
