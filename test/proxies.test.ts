import { writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { anthropicReply, type ProxyServer } from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openProxiedNetwork, type ProxiedNetwork, proxyPassword } from './proxied-network.ts';
import type { Stage } from './stage.ts';

let network: ProxiedNetwork;
let stage: Stage;
let proxy: ProxyServer;
let env: Readonly<Record<string, string>>;

async function open(options?: { readonly isSocks: boolean }): Promise<void> {
  network = await openProxiedNetwork(options);
  ({ stage, proxy, env } = network);
}

beforeEach(() => open());

afterEach(() => network.close());

/** An MCP server with one tool. */
const toolServer: RequestListener = async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { id, method, params } = text === '' ? {} : JSON.parse(text);
  if (id === undefined) return void response.writeHead(request.method === 'POST' ? 202 : 405).end();
  const inputSchema = { type: 'object' };
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'tools', version: '1' },
    },
    'tools/list': { tools: [{ name: 'ring', description: 'Rings.', inputSchema }] },
    'tools/call': { content: [{ type: 'text', text: 'rang' }] },
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
};

it.each(['http', 'socks5'])(
  'reaches models, pages, MCP servers and hooks by %s, and shows the password nowhere',
  async (protocol) => {
    if (protocol === 'socks5') {
      await network.close();
      await open({ isSocks: true });
    }
    await network.serve('pages', (_, response) => response.end('the page'));
    await network.serve('tools', toolServer);
    await network.serve('hooks', (_, response) => response.end('{}'));
    await stage.settings({
      permissions: { allow: ['WebFetch(domain:pages.robota.test)', 'mcp__tools__ring'] },
      hooks: { Stop: [{ hooks: [{ type: 'http', url: 'https://hooks.robota.test/' }] }] },
    });
    const mcpServers = { tools: { type: 'http', url: 'https://tools.robota.test/mcp' } };
    await writeFile(join(stage.home, '.robota', 'mcp.json'), JSON.stringify({ mcpServers }));
    stage.server.reply(
      anthropicReply({
        toolCalls: [
          { id: 'a', name: 'WebFetch', input: { url: 'https://pages.robota.test/x' } },
          { id: 'b', name: 'mcp__tools__ring', input: {} },
        ],
      }),
      anthropicReply({ text: 'done' }),
    );
    const { stdout, stderr, code } = await stage.robota(['-p', 'go', '--verbose'], { env });
    expect({ code, stderr, isDone: stdout.includes('done') }).toMatchObject({ code: 0, isDone: true });
    expect(stage.results(1).map(({ text }) => text)).toEqual([
      expect.stringContaining('the page'),
      expect.stringContaining('rang'),
    ]);
    expect(network.reached()).toEqual(['api', 'hooks', 'pages', 'tools']);
    // One tunnel carries both turns.
    expect(proxy.requests.filter((line) => line.includes('api.'))).toHaveLength(1);
    expect(stdout + stderr + JSON.stringify(await stage.sessionLines('session.jsonl'))).not.toContain(
      proxyPassword,
    );
  },
);

it('says which proxy or certificate is wrong, on a turn and in robota doctor', async () => {
  const wrong = { ...env, HTTPS_PROXY: proxy.url.replace('://', '://me:wrong-one@') };
  const turn = await stage.robota(['-p', 'go'], { env: wrong });
  expect(turn.stderr).toContain(
    `the proxy ${proxy.url} refused the credentials (HTTP 407). Set HTTPS_PROXY=`,
  );
  expect(turn.code).not.toBe(0);
  const doctor = await stage.robota(['doctor', '--json'], { env: { ...wrong, SSL_CERT_FILE: '/none.pem' } });
  const { findings } = JSON.parse(doctor.stdout) as { findings: readonly Record<string, string>[] };
  expect(findings.filter(({ area }) => area === 'network')).toEqual([
    { area: 'network', status: 'ok', what: `HTTPS_PROXY: ${proxy.url}, with credentials` },
    {
      area: 'network',
      status: 'broken',
      what: 'SSL_CERT_FILE: /none.pem',
      why: expect.stringContaining('cannot be read (ENOENT)'),
    },
  ]);
  const vendor = findings.find(({ what }) => what?.startsWith('Anthropic'));
  expect(vendor?.why).toContain(`the proxy ${proxy.url} refused the credentials`);
  expect(doctor.stdout + turn.stderr).not.toContain('wrong-one');
});
