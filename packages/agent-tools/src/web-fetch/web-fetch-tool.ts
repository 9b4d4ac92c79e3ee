import { jsonSchema } from '@robota-sdk/agent-core';
import { type StandaloneTool, standaloneTool } from '../tool/standalone-tool.ts';
import type { WebFetchInput } from './web-access.ts';

/** Loads a page of the web as Markdown. */
export const webFetchTool: StandaloneTool<WebFetchInput> = standaloneTool({
  name: 'WebFetch',
  description: 'Fetch a URL. HTML comes as Markdown unless format is raw; text and JSON as they are.',
  input: jsonSchema({
    type: 'object',
    properties: { url: { type: 'string' }, format: { enum: ['markdown', 'raw'] } },
    required: ['url'],
  }),
  access: ({ url }) => [{ kind: 'fetch', url: URL.canParse(url) ? new URL(url).href : url }],
  execute: async (input, context) => (await import('./fetch-page.ts')).fetchPage(input, context),
});
