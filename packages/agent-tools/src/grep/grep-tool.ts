import {
  type Access,
  AgentError,
  claudeTools,
  type JsonObject,
  type Schema,
  type ToolContext,
  type ToolOutput,
  type ToolScope,
  toOwnCall,
} from '@robota-sdk/agent-core';
import { declareAccess } from '../files/resolve-path.ts';
import { filesToLeaveOut } from '../search/hidden-from-search.ts';
import { type StandaloneTool, standaloneTool } from '../tool/standalone-tool.ts';
import { strictSchema } from '../tool/strict-schema.ts';

export interface GrepInput {
  readonly pattern: string;
  readonly path?: string;
  /** File filter relative to `path`; without a slash it matches names at any depth. */
  readonly glob?: string;
  readonly type?: string;
  readonly output_mode?: 'content' | 'files' | 'count';
  readonly ignore_case?: boolean;
  readonly literal?: boolean;
  readonly multiline?: boolean;
  readonly context?: number;
  readonly head_limit?: number;
  readonly offset?: number;
}

/** Searches the contents of files. */
export const grepTool: StandaloneTool<GrepInput> = standaloneTool({
  name: 'Grep',
  description:
    'Search file contents by regex (ripgrep syntax), sorted by path; ignored and binary files are left out.',
  input: grepSchema({
    type: 'object',
    properties: {
      pattern: { type: 'string' },
      path: { type: 'string', description: 'File or directory' },
      glob: { type: 'string', description: 'e.g. *.ts' },
      type: { type: 'string', description: 'e.g. py' },
      output_mode: { enum: ['content', 'files', 'count'], description: 'Default content' },
      ignore_case: { type: 'boolean' },
      literal: { type: 'boolean', description: 'Plain text, no regex' },
      multiline: { type: 'boolean' },
      context: { type: 'number', description: 'Lines around' },
      head_limit: { type: 'number', description: 'Default 200' },
      offset: { type: 'number' },
    },
    required: ['pattern'],
  }),
  access,
  execute,
});

/** Also accepts grep's switches, which other agents use as argument names. */
function grepSchema(json: JsonObject): Schema<GrepInput> {
  const around = 'Use context, for lines before and after.';
  const schema = strictSchema<GrepInput>(json, { '-A': around, '-B': around });
  return { json: schema.json, parse: (value) => schema.parse(toOwnCall(claudeTools, 'Grep', value).input) };
}

async function access(input: GrepInput, scope: ToolScope): Promise<readonly Access[]> {
  return [await declareAccess({ input, path: input.path ?? '.', kind: 'search' }, scope)];
}

async function execute(input: GrepInput, context: ToolContext): Promise<ToolOutput> {
  if (input.pattern === '') throw new AgentError('tool', 'The pattern is empty. Give what to look for.');
  const [{ confirmPlace }, { grepFiles }] = await Promise.all([
    import('../search/search-place.ts'),
    import('./grep-files.ts'),
  ]);
  const place = await confirmPlace(input, input.path ?? '.', context);
  return grepFiles(input, place, {
    signal: context.signal,
    hidden: await filesToLeaveOut(context),
  });
}
