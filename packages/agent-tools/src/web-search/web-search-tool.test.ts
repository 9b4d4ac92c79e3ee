import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it, onTestFinished } from 'vitest';
import { textOfOutput, toolContext } from '../bash/fixtures/tool-context.ts';
import { hasSearchBackend, searchAccess } from './search-backend.ts';
import { webSearchTool } from './web-search-tool.ts';

interface Seen {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

async function startSearch(answer: unknown, status = 200) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ url: request.url ?? '', headers: request.headers, body });
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { seen, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function contextFor(env: Record<string, string>, baseUrls = {}) {
  const context = toolContext();
  Object.assign(context.state.get(searchAccess), { env, baseUrls });
  return context;
}

const search = async (query: string, context: ReturnType<typeof contextFor>) =>
  textOfOutput(await webSearchTool.execute({ query }, context));

describe('WebSearch', () => {
  it('asks Brave with the key in its header and lists title, address and snippet', async () => {
    proves('R-33');
    const rows = [
      {
        title: 'Node.js',
        url: 'https://nodejs.org/',
        description: 'Run <strong>JavaScript</strong> &amp; more',
      },
      { title: 'no address' },
    ];
    const { base, seen } = await startSearch({ web: { results: rows } });
    const context = contextFor({ BRAVE_API_KEY: 'key-1' }, { brave: base });
    expect(await search('node js & co', context)).toBe(
      '1. Node.js\n   https://nodejs.org/\n   Run JavaScript & more',
    );
    expect(seen[0]?.url).toBe('/res/v1/web/search?q=node%20js%20%26%20co&count=10');
    expect(seen[0]?.headers['x-subscription-token']).toBe('key-1');
    expect(webSearchTool.access({ query: 'x' }, context)).toEqual([{ kind: 'fetch', url: base }]);
  });

  it('asks Tavily by POST', async () => {
    proves('R-33');
    const { base, seen } = await startSearch({
      results: [{ title: 'T', url: 'https://t.example/', content: 'c' }],
    });
    const text = await search('q', contextFor({ TAVILY_API_KEY: 'key-2' }, { tavily: base }));
    expect(text).toBe('1. T\n   https://t.example/\n   c');
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ query: 'q' });
    expect(seen[0]?.headers.authorization).toBe('Bearer key-2');
  });

  it('asks a SearXNG server at its own address', async () => {
    proves('R-33');
    const { base, seen } = await startSearch({
      results: [{ title: 'S', url: 'https://s.example/', content: '' }],
    });
    expect(await search('q', contextFor({ SEARXNG_URL: `${base}/` }))).toBe('1. S\n   https://s.example/');
    expect(seen[0]?.url).toBe('/search?q=q&format=json');
  });

  it('says that nothing was found', async () => {
    const { base } = await startSearch({ results: [] });
    expect(await search('zzz', contextFor({ SEARXNG_URL: base }))).toBe('Nothing was found for "zzz".');
  });

  it('says how to configure a service when there is none', async () => {
    proves('R-33');
    const context = contextFor({});
    await expect(search('q', context)).rejects.toThrow(/BRAVE_API_KEY, TAVILY_API_KEY or SEARXNG_URL/);
    expect(webSearchTool.access({ query: 'q' }, context)).toEqual([]);
    expect(hasSearchBackend({})).toBe(false);
    expect(hasSearchBackend({ BRAVE_API_KEY: ' ' })).toBe(false);
    expect(hasSearchBackend({ SEARXNG_URL: 'http://localhost' })).toBe(true);
  });

  it.each([
    [401, /refused the search \(HTTP 401\): check BRAVE_API_KEY/],
    [429, /allows no more searches for now/],
    [500, /answered HTTP 500: \{"why":"x"\}/],
  ])('explains a refusal with HTTP %i', async (status, message) => {
    const { base } = await startSearch({ why: 'x' }, status);
    await expect(search('q', contextFor({ BRAVE_API_KEY: 'k' }, { brave: base }))).rejects.toThrow(message);
  });

  it('explains an answer that is not JSON and a server that is not there', async () => {
    const { base } = await startSearch('<html>login</html>');
    await expect(search('q', contextFor({ SEARXNG_URL: base }))).rejects.toThrow(/something other than JSON/);
    await expect(search('q', contextFor({ SEARXNG_URL: 'http://127.0.0.1:1' }))).rejects.toThrow(
      /search at searxng failed.*Check the network and SEARXNG_URL/,
    );
  });

  it('costs few bytes in every request', () => {
    const { name, description, input } = webSearchTool;
    expect(JSON.stringify({ name, description, input: input.json }).length).toBeLessThanOrEqual(250);
  });
});
