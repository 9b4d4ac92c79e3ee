import {
  type Access,
  AgentError,
  type ToolContext,
  type ToolOutput,
  type ToolScope,
  textOutput,
} from '@robota-sdk/agent-core';
import { declareAccess } from '../files/resolve-path.ts';
import { filesToLeaveOut } from '../search/hidden-from-search.ts';
import { type StandaloneTool, standaloneTool } from '../tool/standalone-tool.ts';
import { strictSchema } from '../tool/strict-schema.ts';
import type { GlobPlan } from './find-paths.ts';

export interface GlobInput {
  readonly pattern: string;
  readonly path?: string;
}

const maxEntries = 1000;

/** Lists files by a glob. */
export const globTool: StandaloneTool<GlobInput> = standaloneTool({
  name: 'Glob',
  description: `List files that match a glob, such as src/**/*.{ts,tsx}, by path; ignored files are left out. At most ${maxEntries}.`,
  input: strictSchema<GlobInput>({
    type: 'object',
    properties: { pattern: { type: 'string' }, path: { type: 'string', description: 'Start directory' } },
    required: ['pattern'],
  }),
  access,
  execute,
});

async function access(input: GlobInput, scope: ToolScope): Promise<readonly Access[]> {
  const { directory } = await planOf(input, scope);
  return [await declareAccess({ input, path: directory, kind: 'search' }, scope)];
}

async function execute(input: GlobInput, context: ToolContext): Promise<ToolOutput> {
  const plan = await planOf(input, context);
  const [{ confirmPlace }, { findPaths }, { fitLines, searchRemarks }] = await Promise.all([
    import('../search/search-place.ts'),
    import('./find-paths.ts'),
    import('../search/search-text.ts'),
  ]);
  const place = await confirmPlace(input, plan.directory, context);
  if (place.file !== undefined)
    throw new AgentError('tool', `${plan.directory} is a file. Give a directory as path.`);
  const places = (await filesToLeaveOut(context))?.search();
  const { root } = place;
  const found = await findPaths({ rest: plan.rest, root, limit: maxEntries, signal: context.signal, places });
  const items = fitLines(found.paths.map((path) => place.prefix + path));
  const remarks = searchRemarks(found);
  if (found.hidden > 0) remarks.push(`${found.hidden} left out by rules or the sandbox`);
  if (items.length < found.total)
    remarks.unshift(`${items.length} of ${found.total} files; narrow the pattern to see others`);
  const head = items.length === 0 ? [nothingFound(input, plan)] : items;
  const text = [...head, ...remarks.map((remark) => `[${remark}]`)].join('\n');
  return textOutput(text, { display: { kind: 'list', items, total: found.total } });
}

async function planOf({ pattern, path }: GlobInput, { workspace }: ToolScope): Promise<GlobPlan> {
  if (pattern === '') throw new AgentError('tool', 'The pattern is empty. Use ** for all files.');
  const { planGlob } = await import('./find-paths.ts');
  return planGlob(pattern, path ?? '.', workspace.cwd);
}

function nothingFound(input: GlobInput, plan: GlobPlan): string {
  const isFlat = !plan.rest.includes('/') && plan.rest !== '**';
  const advice = isFlat ? ` Use ${JSON.stringify(`**/${plan.rest}`)} to look in all directories below.` : '';
  return `No files match ${JSON.stringify(input.pattern)}.${advice} Ignored files are not listed.`;
}
