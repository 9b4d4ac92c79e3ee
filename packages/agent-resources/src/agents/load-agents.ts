import { basename, dirname, join, relative, sep } from 'node:path';
import type { ResourceFolder, TrustGate } from '@robota-sdk/agent-config';
import {
  entriesIn,
  type ModelChooser,
  mayChooseModel,
  parseFrontMatter,
  readProjectFile,
} from '@robota-sdk/agent-config';
import {
  addSentence,
  errorMessage,
  given,
  isMissing,
  type Problem,
  type ProblemText,
  permissionModes,
  sentence,
  warning,
} from '@robota-sdk/agent-core';
import { FieldReader } from '../files/field-reader.ts';
import type { IAgentDefinition } from '../source/agent-definition.ts';

/** The agents of the files, and what was wrong with some of them. */
export interface LoadedAgents {
  /** The first of a name is the one in force. */
  readonly definitions: readonly IAgentDefinition[];
  readonly problems: readonly Problem[];
}

/**
 * Reads the agent definitions in folders, strongest first. A broken one is skipped. One of a repository uses
 * the session's model unless its own was approved.
 */
export async function loadAgents(
  folders: readonly ResourceFolder[],
  trust?: TrustGate | undefined,
): Promise<LoadedAgents> {
  const read = await readAgents(folders);
  const definitions = new Map<string, IAgentDefinition>();
  for (const { definition, folder } of read)
    if (definition && !definitions.has(definition.name))
      definitions.set(definition.name, withTrustedModel(definition, folder, trust));
  const problems = [...read.flatMap((each) => each.problems), ...repeatsIn(read)];
  return { definitions: [...definitions.values()], problems };
}

/** A stronger folder's agent instead of another one is meant; two in one folder are not. */
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

function withTrustedModel(
  definition: IAgentDefinition,
  folder: ResourceFolder,
  trust: TrustGate | undefined,
): IAgentDefinition {
  if (mayChooseModel(agentChooser(definition, folder), trust)) return definition;
  const { model, ...rest } = definition;
  return rest;
}

interface AgentFile {
  readonly path: string;
  readonly folder: Pick<ResourceFolder, 'root' | 'plugin'>;
  /** Put before its name. */
  readonly group?: string;
  /** Lies in a folder of a collection, where pages about the collection may lie, too. */
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
  /** Real directories that were entered: a link may lead back. */
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

/** Reads one definition, and reports what cannot be used of it. */
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
  const { name: ownName, description } = matter.data;
  if (isNested && !matter.isUnfinished && ownName === undefined && description === undefined)
    return { problems: [] };
  const fields = new FieldReader(path, matter);
  if (matter.isUnfinished) return { problems: fields.problems.map(withSkip) };
  const systemPrompt = matter.body.trim();
  if (systemPrompt === '')
    return { problems: [...fields.problems, unusable(path, 'The agent has no prompt; it is skipped.')] };
  const name = fields.text('name') ?? basename(path, '.md');
  const definition: IAgentDefinition = {
    name: [plugin, group, name].filter((part) => part !== undefined).join(':'),
    description: fields.text('description') ?? firstLine(systemPrompt),
    systemPrompt,
    ...given('model', fields.text('model')),
    ...given('maxTurns', fields.count('maxTurns', 'max-turns', 'max_turns')),
    ...given('tools', fields.list('tools', 'allowed-tools', 'allowedTools')),
    ...given('disallowedTools', fields.list('disallowedTools', 'disallowed-tools')),
    ...given('permissionMode', fields.oneOf(permissionModes, 'permissionMode', 'permission-mode')),
    ...given('isolation', fields.oneOf(['worktree'] as const, 'isolation')),
    source: path,
  };
  fields.ignore(...unusedFields);
  fields.checkNames();
  return { definition, problems: fields.problems };
}

function unusable(file: string, message: string | ProblemText): Problem {
  return warning('agent.unusable', message, { source: { file }, isInactive: true });
}

function withSkip(problem: Problem): Problem {
  return addSentence(problem, 'The agent is skipped.');
}

/** Fields of Claude Code without a meaning here. */
const unusedFields = [
  'color',
  'skills',
  'mcpServers',
  'hooks',
  'memory',
  'effort',
  'background',
  'initialPrompt',
];

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.replace(/^#+\s*/, '') ?? '';
}
