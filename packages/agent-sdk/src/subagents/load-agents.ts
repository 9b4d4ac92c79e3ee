import { basename } from 'node:path';
import { errorMessage, permissionModes } from '@robota-sdk/agent-core';
import { given } from '../assembly/given.ts';
import { isMissing } from '../config/is-missing.ts';
import { entriesIn } from '../resources/entries-in.ts';
import { FieldReader } from '../resources/field-reader.ts';
import { parseFrontMatter } from '../resources/front-matter.ts';
import { readProjectFile } from '../resources/read-project-file.ts';
import type { ResourceFolder } from '../resources/resource-folders.ts';
import { type ModelChooser, mayChooseModel } from '../trust/model-subject.ts';
import type { TrustGate } from '../trust/trust-gate.ts';
import type { IAgentDefinition } from './agent-definition.ts';

/** The agents of the files, and what was wrong with some of them. */
export interface LoadedAgents {
  /** The first of a name is the one in force. */
  readonly definitions: readonly IAgentDefinition[];
  readonly warnings: readonly string[];
}

/**
 * Reads the agent definitions in folders, the strongest folder first. One that is broken costs itself alone, and one of a
 * repository works with the session's model where nobody agreed to its own.
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
  const warnings = [...read.flatMap(({ problems }) => problems), ...repeatsIn(read)];
  return { definitions: [...definitions.values()], warnings };
}

/** A stronger folder's agent in the place of another one is meant; two in one folder are not. */
function repeatsIn(read: readonly (ReadAgent & { readonly folder: ResourceFolder })[]): string[] {
  const first = new Map<string, string | undefined>();
  return read.flatMap(({ definition, folder: { path } }) => {
    if (!definition) return [];
    const { name, source } = definition;
    const key = `${path} ${name}`;
    if (first.has(key))
      return [`${source}: the agent is left out: ${first.get(key)} is called "${name}", too.`];
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

/** An agent as somebody who may name a model. */
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
}

function filesIn(folder: ResourceFolder): readonly AgentFile[] {
  if (isMissing(folder.path)) return [];
  return entriesIn(folder.path, { root: folder.root })
    .filter(({ name, path, kind }) => name.endsWith('.md') || (kind === 'outside' && path === folder.path))
    .map(({ path }) => ({ path, folder }));
}

interface ReadAgent {
  readonly definition?: IAgentDefinition;
  readonly problems: readonly string[];
}

/** Reads one definition, and says what could not be used of it. */
export async function readAgentFile({ path, folder }: AgentFile): Promise<ReadAgent> {
  const { root, plugin } = folder;
  let text: string;
  try {
    text = readProjectFile(path, root);
  } catch (thrown) {
    return { problems: [`${path}: the agent is left out: ${errorMessage(thrown)}`] };
  }
  const matter = await parseFrontMatter(text);
  const fields = new FieldReader(path, matter);
  if (matter.isUnfinished)
    return { problems: fields.problems.map((problem) => `${problem} The agent is left out.`) };
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

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.replace(/^#+\s*/, '') ?? '';
}
