import { declareAccess } from '../files/resolve-path.ts';
import { type StandaloneTool, standaloneTool } from '../tool/standalone-tool.ts';
import { strictSchema } from '../tool/strict-schema.ts';
import { type EditInput, editedPath } from './edit-input.ts';

const editProperties = {
  old_string: { type: 'string' },
  new_string: { type: 'string' },
  replace_all: { type: 'boolean' },
};

/** Changes parts of a file and keeps every other byte. */
export const editTool: StandaloneTool<EditInput> = standaloneTool({
  name: 'Edit',
  description:
    'Replace text in a file. old_string must match exactly one place (or set replace_all); quote enough lines, without line numbers. ' +
    'Use edits for several changes at once: all are made, in order, or none. An empty old_string creates a file.',
  input: strictSchema({
    type: 'object',
    properties: {
      file_path: { type: 'string' },
      ...editProperties,
      edits: {
        type: 'array',
        items: { type: 'object', properties: editProperties, required: ['old_string', 'new_string'] },
      },
    },
    required: ['file_path'],
  }),
  access: async (input, scope) => [await declareAccess(editedPath(input), scope)],
  preview: async (input, scope) => (await import('./edit-file.ts')).previewEdit(input, scope),
  intend: async (input, scope) => (await import('./edit-file.ts')).intendEdit(input, scope),
  resume: async (intent, scope) => (await import('../files/file-intent.ts')).resumeChange(intent, scope),
  execute: async (input, context) => (await import('./edit-file.ts')).editFile(input, context),
});
