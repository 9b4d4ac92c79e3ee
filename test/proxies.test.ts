import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  anthropicReply,
  type ProxyServer,
  startProxy,
  startTlsFront,
  testAuthority,
} from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let proxy: ProxyServer;
let env: Record<string, string>;
const ends: (() => unknown)[] = [];

/** The names that only the proxy knows, each a server over TLS. */
beforeEach(async () => {
  stage = await openStage();
  const ports = new Map([
    ['api.robota.test', await overTls(Number(new URL(stage.server.url).port))],
    ['pages.robota.test', await overTls(await serve((_, response) => response.end('the page')))],
    ['tools.robota.test', await overTls(await serve(toolServer))],
    ['hooks.robota.test', await overTls(await serve((_, response) => response.end('{}')))],
  ]);
  proxy = await startProxy({ credentials: 'me:swordfish', portOf: (host) => ports.get(host) });
  ends.push(proxy.stop, () => stage.server.close());
  env = {
    ANTHROPIC_BASE_URL: 'https://api.robota.test',
    HTTPS_PROXY: proxy.url.replace('://', '://me:swordfish@'),
    SSL_CERT_FILE: fileURLToPath(testAuthority),
  };
});

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function overTls(port: number): Promise<number> {
  const front = await startTlsFront(port);
  ends.push(front.stop);
  return front.port;
}

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

it('reaches models, pages, MCP servers and hooks through the proxy, and shows its password nowhere', async () => {
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
  const reached = [...new Set(proxy.requests)].sort();
  expect(reached).toEqual(
    ['api', 'hooks', 'pages', 'tools'].map((name) => `CONNECT ${name}.robota.test:443`),
  );
  // One tunnel carries both turns.
  expect(proxy.requests.filter((line) => line.includes('api.'))).toHaveLength(1);
  expect(stdout + stderr + JSON.stringify(await stage.sessionLines('session.jsonl'))).not.toContain(
    'swordfish',
  );
});

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
