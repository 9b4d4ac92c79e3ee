import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorMessage, permissionModes } from '@robota-sdk/agent-core';
import { given } from '../assembly/given.ts';
import { isMissing } from '../config/is-missing.ts';
import { FieldReader } from '../resources/field-reader.ts';
import { parseFrontMatter } from '../resources/front-matter.ts';
import type { ResourceFolder } from '../resources/resource-folders.ts';
import type { IAgentDefinition } from './agent-definition.ts';

/** The agents of the files, and what was wrong with some of them. */
export interface LoadedAgents {
  /** The first of a name is the one in force. */
  readonly definitions: readonly IAgentDefinition[];
  readonly warnings: readonly string[];
}

/** Reads the agent definitions in folders, the strongest folder first. One that is broken costs itself alone. */
export async function loadAgents(folders: readonly ResourceFolder[]): Promise<LoadedAgents> {
  const files = (await Promise.all(folders.map(filesIn))).flat();
  const read = await Promise.all(files.map(readAgent));
  const definitions = new Map<string, IAgentDefinition>();
  for (const { definition } of read)
    if (definition && !definitions.has(definition.name)) definitions.set(definition.name, definition);
  return { definitions: [...definitions.values()], warnings: read.flatMap(({ problems }) => problems) };
}

interface AgentFile {
  readonly path: string;
  /** The plugin it belongs to, whose name stands before the agent's. */
  readonly plugin?: string;
}

async function filesIn(folder: ResourceFolder): Promise<readonly AgentFile[]> {
  if (isMissing(folder.path)) return [];
  const names = await readdir(folder.path).catch(() => []);
  return names
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => ({ path: join(folder.path, name), ...pluginOf(folder) }));
}

function pluginOf(folder: ResourceFolder): { plugin?: string } {
  const { plugin } = folder as ResourceFolder & { readonly plugin?: string };
  return plugin === undefined ? {} : { plugin };
}

interface ReadAgent {
  readonly definition?: IAgentDefinition;
  readonly problems: readonly string[];
}

async function readAgent({ path, plugin }: AgentFile): Promise<ReadAgent> {
  const text = await readFile(path, 'utf8').catch((thrown: unknown) => errorOf(thrown));
  if (typeof text !== 'string') return { problems: [`${path}: ${text.message}`] };
  const matter = await parseFrontMatter(text);
  const fields = new FieldReader(path, matter);
  const systemPrompt = matter.body.trim();
  if (systemPrompt === '')
    return { problems: [...fields.problems, `${path}: the agent has no prompt; it is left out.`] };
  const name = fields.text('name') ?? basename(path, '.md');
  const definition: IAgentDefinition = {
    name: plugin === undefined ? name : `${plugin}:${name}`,
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

/** What Claude Code knows beside that. */
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

function errorOf(thrown: unknown): { message: string } {
  return { message: errorMessage(thrown) };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.replace(/^#+\s*/, '') ?? '';
}
