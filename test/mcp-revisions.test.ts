import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import {
  type Answer,
  type JsonObject,
  type Question,
  textOf,
  type UserInterface,
} from '@robota-sdk/agent-core';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import {
  type McpMemory,
  type McpServerSettings,
  McpServers,
  type McpServersOptions,
} from '@robota-sdk/agent-tool-mcp';
import { afterEach, describe, expect, it, vi } from 'vitest';

const require = createRequire(import.meta.url);
const eraServer = resolve('test/fixtures/mcp/era-server.mjs');
const suiteServer = resolve('test/fixtures/mcp/conformance-server.mjs');
const bridge = resolve('test/fixtures/mcp/stdio-bridge.mjs');

const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function ready(servers: readonly McpServerSettings[], options: Partial<McpServersOptions> = {}) {
  const { PATH = '' } = process.env;
  const all = new McpServers({
    servers,
    clientInfo: { name: 'robota', version: '0.1.0' },
    env: { PATH },
    cwd: process.cwd(),
    roots: () => [process.cwd()],
    ...options,
  });
  closers.push(() => all.dispose());
  await all.start();
  await all.settled();
  return all;
}

function node(name: string, ...args: readonly string[]): McpServerSettings {
  return { name, transport: { kind: 'stdio', command: process.execPath, args } };
}

function http(url: string): McpServerSettings {
  return { name: 'http', transport: { kind: 'http', url } };
}

async function echo(servers: McpServers, server: string): Promise<string> {
  return textOf((await servers.callTool({ server, tool: 'echo', arguments: { message: 'hi' } })).content);
}

/** Answers every question in the same way. */
function person(answers: readonly Answer[]): UserInterface & { readonly asked: Question[] } {
  const asked: Question[] = [];
  return {
    asked,
    ask: async (question) => answers[asked.push(question) - 1] ?? { kind: 'dismissed' },
    notify: () => {},
  };
}

function memory(): McpMemory {
  const kept = new Map<string, Awaited<ReturnType<McpMemory['recall']>>>();
  return {
    recall: async ({ name }) => kept.get(name),
    keep: async ({ name }, knowledge) => void kept.set(name, knowledge),
  };
}

describe('the revision of a program', () => {
  it.each([
    ['refuse', 1],
    ['ignore', 1],
    ['exit', 2],
    ['hang', 2],
  ] as const)('is an older one if it would %s at the first question of 2026-07-28', async (kind, starts) => {
    proves('R-75', 'P-139');
    const log = join(await temporaryDirectory(), 'log');
    const known = memory();
    const config = { ...node('old', eraServer, kind, log), startTimeoutMs: 5000 };
    const servers = await ready([config], { memory: known });
    expect(servers.state('old')).toMatchObject({ status: 'ready', protocolVersion: '2025-11-25' });
    expect(await echo(servers, 'old')).toBe('hi');
    const lines = (await readFile(log, 'utf8')).split('\n');
    expect(lines.filter((line) => line === 'start')).toHaveLength(starts);
    // It is not asked again.
    const again = await ready([{ ...config, name: 'old' }], { memory: known });
    expect(await echo(again, 'old')).toBe('hi');
    expect(
      (await readFile(log, 'utf8'))
        .trim()
        .split('\n')
        .slice(lines.length - 1),
    ).toEqual(['start', 'initialize', 'tools/list', 'tools/call']);
  });

  it('is 2026-07-28 where a program knows no other, and is not asked for again', async () => {
    proves('R-75', 'P-139');
    const log = join(await temporaryDirectory(), 'log');
    const known = memory();
    const first = await ready([node('new', eraServer, 'modern', log)], { memory: known });
    expect(first.state('new')).toMatchObject({
      status: 'ready',
      protocolVersion: '2026-07-28',
      serverInfo: { name: 'modern' },
    });
    expect(await echo(first, 'new')).toBe('hi');
    const second = await ready([node('new', eraServer, 'modern', log)], { memory: known });
    expect(await echo(second, 'new')).toBe('hi');
    const once = ['server/discover', 'tools/list', 'tools/call'];
    expect((await readFile(log, 'utf8')).trim().split('\n')).toEqual([
      'start',
      ...once,
      'start',
      ...once.slice(1),
    ]);
  });

  it('is asked for again after a day', async () => {
    const log = join(await temporaryDirectory(), 'log');
    const yesterday = Date.now() - 25 * 3_600_000;
    const { recall, keep } = memory();
    const old: McpMemory = {
      recall,
      keep: (server, knowledge) =>
        keep(server, { ...knowledge, protocol: { ...knowledge.protocol, at: yesterday } }),
    };
    for (const _day of [1, 2]) await ready([node('new', eraServer, 'modern', log)], { memory: old });
    const asked = (await readFile(log, 'utf8')).split('\n').filter((line) => line === 'server/discover');
    expect(asked).toHaveLength(2);
  });

  it('is found out also of one that is slow to start', async () => {
    const servers = await ready([node('slow', eraServer, 'slow')]);
    expect(servers.state('slow')).toMatchObject({ status: 'ready', protocolVersion: '2026-07-28' });
  });

  it('is asked for again where the remembered one is spoken no longer', async () => {
    proves('R-75');
    const known = memory();
    for (const [kind, version] of [
      ['modern', '2026-07-28'],
      ['refuse', '2025-11-25'],
      ['modern', '2026-07-28'],
    ] as const) {
      const servers = await ready([node('changing', eraServer, kind)], { memory: known });
      expect(servers.state('changing')).toMatchObject({ status: 'ready', protocolVersion: version });
      expect(await echo(servers, 'changing')).toBe('hi');
    }
  });
});

describe('a server of 2026-07-28', () => {
  it('may ask the user within a call, over standard input and over HTTP', async () => {
    proves('R-75');
    const servers = await ready([node('stdio', suiteServer), http(await bridged(suiteServer))], {
      ui: person([
        { kind: 'selected', indexes: [0] },
        { kind: 'text', text: 'Ada' },
        { kind: 'selected', indexes: [0] },
        { kind: 'text', text: 'Bob' },
      ]),
    });
    const tool = 'test_input_required_result_elicitation';
    for (const [server, name] of [
      ['stdio', 'Ada'],
      ['http', 'Bob'],
    ] as const) {
      expect(servers.state(server)).toMatchObject({ status: 'ready', protocolVersion: '2026-07-28' });
      const steps: string[] = [];
      const call = servers.callTool(
        { server, tool, arguments: {} },
        { progress: (text) => steps.push(text) },
      );
      expect(textOf((await call).content)).toBe(`Hello, ${name}!`);
      expect(steps).toEqual([]);
      await servers.callTool(
        { server, tool: 'test_tool_with_progress', arguments: {} },
        { progress: (text) => steps.push(text) },
      );
      expect(steps).toEqual(['0/100\n', '50/100\n', '100/100\n']);
    }
    const prompt = await servers.getPrompt({ server: 'stdio', name: 'test_simple_prompt', arguments: {} });
    expect(textOf(prompt)).toContain('simple prompt');
    const resources = await servers.listResources('http');
    expect(resources.map(({ uri }) => uri)).toContain('test://static-text');
    expect(textOf(await servers.readResource('http', 'test://static-text'))).toContain(
      'static text resource',
    );
  });

  it('may answer a call with a task, which is followed, asked about and cancelled', async () => {
    proves('R-75');
    const log = join(await temporaryDirectory(), 'log');
    const ui = person([
      { kind: 'selected', indexes: [0] },
      { kind: 'text', text: 'Ada' },
    ]);
    const servers = await ready([node('tasks', eraServer, 'modern', log)], { ui });
    const steps: string[] = [];
    const done = await servers.callTool(
      { server: 'tasks', tool: 'task', arguments: {} },
      { progress: (text) => steps.push(text) },
    );
    expect(textOf(done.content)).toBe('done for Ada');
    expect(steps).toEqual(['1 step 1\n', '2 step 2\n']);
    expect(ui.asked).toHaveLength(2);
    const controller = new AbortController();
    const endless = servers.callTool(
      { server: 'tasks', tool: 'endless', arguments: {} },
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(new Error('stopped')), 200);
    await expect(endless).rejects.toThrow('stopped');
    await vi.waitFor(async () => expect(await readFile(log, 'utf8')).toContain('tasks/cancel'));
  });

  it('is listened to again when the stream of its changes breaks off', async () => {
    proves('R-75');
    let streams = 0;
    const names = ['first'];
    const { url } = await answering(async ({ id, method }, response) => {
      if (method !== 'subscriptions/listen')
        return modernResult(method, {
          tools: names.map(toolNamed),
          capabilities: { tools: { listChanged: true } },
        });
      streams += 1;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const meta = { 'io.modelcontextprotocol/subscriptionId': id };
      const notify = (notification: string, params: JsonObject = {}) =>
        response.write(
          `data: ${JSON.stringify({ jsonrpc: '2.0', method: notification, params: { ...params, _meta: meta } })}\n\n`,
        );
      notify('notifications/subscriptions/acknowledged', { notifications: { toolsListChanged: true } });
      if (streams === 1)
        setTimeout(() => {
          names.push('missed');
          response.destroy();
        }, 300);
      else if (streams === 2)
        setTimeout(() => {
          names.push('told');
          notify('notifications/tools/list_changed');
        }, 300);
      return undefined;
    });
    const servers = await ready([http(url)]);
    const offered = () => servers.state('http')?.tools.map(({ name }) => name);
    expect(offered()).toEqual(['first']);
    await vi.waitFor(() => expect(offered()).toEqual(['first', 'missed', 'told']), 15_000);
  });

  it('has no session to lose: an unknown method is an error of that request', async () => {
    proves('R-75');
    const methods: string[] = [];
    const { url } = await answering(async ({ method }) => {
      methods.push(method);
      if (method === 'prompts/list' || method === 'resources/list')
        return { status: 404, error: { code: -32601, message: 'Method not found' } };
      return modernResult(method, {
        tools: [toolNamed('echo')],
        capabilities: { tools: {}, prompts: {}, resources: {} },
      });
    });
    const servers = await ready([http(url)]);
    expect(servers.state('http')).toMatchObject({ status: 'ready', protocolVersion: '2026-07-28' });
    await expect(servers.listResources('http')).rejects.toThrow('"http" failed: Method not found');
    expect(methods.filter((method) => method === 'resources/list')).toHaveLength(1);
    expect(methods.filter((method) => method === 'server/discover')).toHaveLength(1);
    expect(methods).not.toContain('initialize');
  });
});

describe('an older server over HTTP', () => {
  it.each([
    ['400', { status: 400 }],
    ['404', { status: 404 }],
    ['406', { status: 406 }],
    ['500', { status: 500 }],
    ['an error', { status: 200, error: { code: -32600, message: 'Server not initialized' } }],
    ['nothing', 'never'],
  ] as const)('is reached if it answers the first question of 2026-07-28 with %s', async (_, refusal) => {
    proves('R-75', 'P-139');
    const { url } = await answering(async ({ method }) =>
      method === 'server/discover' ? refusal : legacyResult(method),
    );
    const known = memory();
    for (const _attempt of [1, 2]) {
      const servers = await ready([http(url)], { memory: known });
      expect(servers.state('http')).toMatchObject({ status: 'ready', protocolVersion: '2025-11-25' });
      expect(await echo(servers, 'http')).toBe('hi');
    }
  });

  it('may forget its session: all calls that find that out share one new one', async () => {
    proves('R-75');
    const sessions = new Set<string>();
    let [greetings, executions] = [0, 0];
    const { url } = await answering(async ({ method }, _, headers) => {
      if (method === 'server/discover') return { status: 400 };
      const session = String(headers['mcp-session-id']);
      if (method === 'initialize') {
        greetings += 1;
        const fresh = randomUUID();
        sessions.add(fresh);
        return { ...legacyResult(method), headers: { 'mcp-session-id': fresh } };
      }
      if (!sessions.has(session)) return { status: 404 };
      if (method === 'tools/call') executions += 1;
      return legacyResult(method);
    });
    const servers = await ready([http(url)]);
    expect(await echo(servers, 'http')).toBe('hi');
    for (const _round of [1, 2]) {
      sessions.clear();
      [greetings, executions] = [0, 0];
      const calls = Array.from({ length: 20 }, () => echo(servers, 'http'));
      expect(await Promise.all(calls)).toEqual(calls.map(() => 'hi'));
      expect([greetings, executions]).toEqual([1, 20]);
    }
  });
});

describe('the official servers', () => {
  it('that are programs are reached over HTTP as well, in their own revision', async () => {
    proves('R-75', 'P-139');
    const everything = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');
    const filesystem = require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
    const servers = await ready([
      node('everything', everything),
      node('files', filesystem, process.cwd()),
      http(await bridged(filesystem, process.cwd())),
    ]);
    for (const state of servers.states())
      expect(state).toMatchObject({ status: 'ready', protocolVersion: '2025-11-25' });
    const listed = await servers.callTool({
      server: 'http',
      tool: 'list_allowed_directories',
      arguments: {},
    });
    expect(textOf(listed.content)).toContain(process.cwd());
  });
});

/** Starts a program behind a bridge to HTTP; resolves with its address. */
async function bridged(...command: readonly string[]): Promise<string> {
  const child: ChildProcess = spawn(process.execPath, [bridge, ...command], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  closers.push(() => void child.kill());
  const [address] = await once(child.stdout ?? child, 'data');
  return String(address).trim();
}

interface Asked {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: JsonObject;
}

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly result?: JsonObject;
  readonly error?: JsonObject;
}

/** A server over HTTP that answers as it is told: with a reply, never, or itself. */
async function answering(
  reply: (
    asked: Asked,
    response: ServerResponse,
    headers: IncomingHttpHeaders,
  ) => Promise<Reply | 'never' | undefined>,
) {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const asked = JSON.parse(body) as Asked;
    if (asked.id === undefined) return void response.writeHead(202).end();
    const replied = await reply(asked, response, request.headers);
    if (replied === undefined || replied === 'never') return;
    const { status = 200, headers = {}, result, error } = replied;
    const message = { jsonrpc: '2.0', id: asked.id, ...(error ? { error } : { result }) };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(result || error ? JSON.stringify(message) : '');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` };
}

function toolNamed(name: string): JsonObject {
  return { name, inputSchema: { type: 'object' } };
}

function modernResult(
  method: string,
  { tools, capabilities }: { tools: JsonObject[]; capabilities: JsonObject },
): Reply {
  const lasting = { ttlMs: 0, cacheScope: 'private', resultType: 'complete' };
  if (method === 'server/discover')
    return { result: { ...lasting, supportedVersions: ['2026-07-28'], capabilities } };
  return method === 'tools/list' ? { result: { ...lasting, tools } } : { status: 404 };
}

function legacyResult(method: string): Reply {
  const results: Readonly<Record<string, JsonObject>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'old', version: '1' },
    },
    'tools/list': { tools: [toolNamed('echo')] },
    'tools/call': { content: [{ type: 'text', text: 'hi' }] },
  };
  const result = results[method];
  return result ? { result } : { status: 400 };
}
