import { jsonSchema, textOutput } from '@robota-sdk/agent-core';
import { type StandaloneTool, standaloneTool } from '../tool/standalone-tool.ts';
import { searchAccess, searchUrl, searchWeb } from './search-backend.ts';

export interface WebSearchInput {
  readonly query: string;
}

/** Searches the web through a service the user configured, for vendors that do not search themselves. */
export const webSearchTool: StandaloneTool<WebSearchInput> = standaloneTool({
  name: 'WebSearch',
  description: 'Search the web: titles, URLs, snippets. Read a result with WebFetch.',
  input: jsonSchema({
    type: 'object',
    properties: { query: { type: 'string', minLength: 1 } },
    required: ['query'],
  }),
  access(_input, { state }) {
    const url = searchUrl(state.get(searchAccess));
    return url === undefined ? [] : [{ kind: 'fetch', url }];
  },
  async execute({ query }, { state, signal }) {
    const results = await searchWeb(query, state.get(searchAccess), signal);
    if (results.length === 0) return textOutput(`Nothing was found for "${query}".`);
    const rows = results.map(({ title, url, snippet }, index) =>
      [`${index + 1}. ${title}`, url, snippet].filter((line) => line !== '').join('\n   '),
    );
    const items = results.map(({ title, url }) => `${title} — ${url}`);
    return textOutput(rows.join('\n'), { display: { kind: 'list', items, total: items.length } });
  },
});
