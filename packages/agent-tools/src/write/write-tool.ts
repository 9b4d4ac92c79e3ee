import { jsonSchema } from '@robota-sdk/agent-core';
import { declareAccess } from '../files/resolve-path.ts';
import { type StandaloneTool, standaloneTool } from '../tool/standalone-tool.ts';
import { type WriteInput, writtenPath } from './write-input.ts';

/** Creates a file or replaces its whole content. */
export const writeTool: StandaloneTool<WriteInput> = standaloneTool({
  name: 'Write',
  description:
    'Create a file, or replace all of one that you have read before. Missing directories are created. Prefer Edit for changes.',
  input: jsonSchema({
    type: 'object',
    properties: { file_path: { type: 'string' }, content: { type: 'string' } },
    required: ['file_path', 'content'],
  }),
  access: async (input, scope) => [await declareAccess(writtenPath(input), scope)],
  preview: async (input, scope) => (await import('./write-file.ts')).previewWrite(input, scope),
  execute: async (input, context) => (await import('./write-file.ts')).writeWholeFile(input, context),
});
