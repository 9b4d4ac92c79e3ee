import { declareAccess } from '../files/resolve-path.ts';
import { type StandaloneTool, standaloneTool } from '../tool/standalone-tool.ts';
import { strictSchema } from '../tool/strict-schema.ts';
import { maxLines, type ReadInput, readPath } from './read-input.ts';

/** Reads a file: numbered lines of text, an image, or pages of a PDF. */
export const readTool: StandaloneTool<ReadInput> = standaloneTool({
  name: 'Read',
  description: `Read a text file as numbered lines (at most ${maxLines} lines or 50 KB a call; continue with offset), or show an image (PNG, JPEG, GIF, WebP) or pages of a PDF.`,
  input: strictSchema({
    type: 'object',
    properties: {
      file_path: { type: 'string' },
      offset: { type: 'integer', description: 'First line, from 1', minimum: 0 },
      limit: { type: 'integer', description: 'Number of lines', minimum: 1 },
      pages: { type: 'string', description: 'Pages of a PDF, such as 1-5' },
    },
    required: ['file_path'],
  }),
  paged: true,
  access: async (input, scope) => [await declareAccess(readPath(input), scope)],
  execute: async (input, context) => (await import('./read-file.ts')).readFileFor(input, context),
});
