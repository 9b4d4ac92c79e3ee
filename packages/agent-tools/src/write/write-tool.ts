import { declareAccess } from '../files/resolve-path.ts';
import { type StandaloneTool, standaloneTool } from '../tool/standalone-tool.ts';
import { strictSchema } from '../tool/strict-schema.ts';
import { type WriteInput, writtenPath } from './write-input.ts';

const noAppending = 'Write replaces the whole file; add to the end of one with Edit.';

/** Creates a file or replaces its whole content. */
export const writeTool: StandaloneTool<WriteInput> = standaloneTool({
  name: 'Write',
  description:
    'Create a file, or replace all of one that you have read before. Missing directories are created. Prefer Edit for changes.',
  input: strictSchema(
    {
      type: 'object',
      properties: { file_path: { type: 'string' }, content: { type: 'string' } },
      required: ['file_path', 'content'],
    },
    { append: noAppending, mode: noAppending },
  ),
  access: async (input, scope) => [await declareAccess(writtenPath(input), scope)],
  preview: async (input, scope) => (await import('./write-file.ts')).previewWrite(input, scope),
  intend: async (input, scope) => (await import('./write-file.ts')).intendWrite(input, scope),
  resume: async (intent, scope) => (await import('../files/file-intent.ts')).resumeChange(intent, scope),
  execute: async (input, context) => (await import('./write-file.ts')).writeWholeFile(input, context),
});
