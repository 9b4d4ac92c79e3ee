import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Question, UserInterface } from '@robota-sdk/agent-core';
import { textOf } from '@robota-sdk/agent-core';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { type McpServerSettings, McpServers, type McpServersOptions } from '@robota-sdk/agent-tool-mcp';
import { afterEach, describe, expect, it } from 'vitest';

const require = createRequire(import.meta.url);
const everything = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');
const filesystem = require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
const hostile = resolve('test/fixtures/mcp/hostile-server.mjs');

const opened: McpServers[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((servers) => servers.dispose()));
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function open(servers: readonly McpServerSettings[], options: Partial<McpServersOptions> = {}): McpServers {
  const { PATH = '' } = process.env;
  const all = new McpServers({
    servers,
    clientInfo: { name: 'robota', version: '0.1.0' },
    env: { PATH },
    cwd: process.cwd(),
    roots: () => [process.cwd()],
    ...options,
  });
  opened.push(all);
  return all;
}

async function ready(servers: readonly McpServerSettings[], options: Partial<McpServersOptions> = {}) {
  const all = open(servers, options);
  await all.start();
  await all.settled();
  return all;
}

function node(name: string, ...args: readonly string[]): McpServerSettings {
  return { name, transport: { kind: 'stdio', command: process.execPath, args } };
}

/** Answers questions by their titles; unexpected ones are dismissed. */
function person(answers: Readonly<Record<string, Answer>>): UserInterface & { readonly asked: Question[] } {
  const asked: Question[] = [];
  return {
    asked,
    ask: async (question) => {
      asked.push(question);
      const found = Object.entries(answers).find(([title]) => question.title.includes(title));
      return found?.[1] ?? { kind: 'dismissed' };
    },
    notify: () => {},
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** Starts the official server over HTTP. */
async function serve(kind: 'streamableHttp' | 'sse'): Promise<number> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [everything, kind], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  await new Promise<void>((done, fail) => {
    const look = (chunk: Buffer) => /listening|running/i.test(String(chunk)) && done();
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('exit', () => fail(new Error('the server ended')));
  });
  return port;
}

async function isAlive(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < 60; attempt++) {
    try {
      process.kill(pid, 0);
    } catch {
      return false;
    }
    await pause(50);
  }
  return true;
}

describe('the official servers', () => {
  it('"everything" over stdio: tools, images, structure, progress, resources, prompts, roots', async () => {
    proves('R-75', 'P-139');
    const root = await temporaryDirectory();
    const servers = await ready([node('every', everything)], { roots: () => [root] });
    const state = servers.state('every');
    expect(state).toMatchObject({ status: 'ready', hasResources: true, restarts: 0 });
    expect(state?.tools.map(({ name }) => name)).toContain('echo');
    expect(state?.tokens).toBeGreaterThan(500);
    const call = (tool: string, input: object = {}, progress: (text: string) => void = () => {}) =>
      servers.callTool({ server: 'every', tool, arguments: { ...input } }, { progress });
    expect(textOf((await call('echo', { message: 'hello' })).content)).toContain('hello');
    const image = await call('get-tiny-image');
    expect(image.content.map(({ type }) => type)).toContain('image');
    const weather = await call('get-structured-content', { location: 'New York' });
    expect(textOf(weather.content)).toContain('temperature');
    const steps: string[] = [];
    await call('trigger-long-running-operation', { duration: 0.2, steps: 2 }, (text) => steps.push(text));
    expect(steps).toEqual(['1/2\n', '2/2\n']);
    expect(textOf((await call('get-roots-list')).content)).toContain(root);
    const resources = await servers.listResources('every');
    const [first] = resources;
    expect(resources.some(({ isTemplate }) => isTemplate)).toBe(true);
    expect(textOf(await servers.readResource('every', first?.uri ?? ''))).toContain(first?.uri);
    const prompt = await servers.getPrompt({
      server: 'every',
      name: 'args-prompt',
      arguments: { city: 'Oslo', state: 'Oslo' },
    });
    expect(textOf(prompt)).toContain('Oslo');
  });

  it('asks the user what a server wants to know, and takes no for an answer', async () => {
    proves('R-75');
    const ui = person({
      'asks for information': { kind: 'selected', indexes: [0] },
      String: { kind: 'text', text: 'Ada' },
    });
    const servers = await ready([node('every', everything)], { ui });
    const tool = 'trigger-elicitation-request';
    const dismissed = await servers.callTool({ server: 'every', tool, arguments: {} });
    expect(ui.asked[0]?.title).toBe('The MCP server "every" asks for information');
    expect(textOf(dismissed.content)).toMatch(/cancel/i);
    const never = person({ 'asks for information': { kind: 'selected', indexes: [1] } });
    const others = await ready([node('every', everything)], { ui: never });
    const declined = await others.callTool({ server: 'every', tool, arguments: {} });
    expect(textOf(declined.content)).toMatch(/decline/i);
    expect(never.asked).toHaveLength(1);
  });

  it('"filesystem" over stdio reads a file of its root and nothing outside', async () => {
    proves('P-139');
    const root = await temporaryDirectory();
    await writeFile(join(root, 'a.txt'), 'inside');
    const servers = await ready([node('files', filesystem, root)], { roots: () => [root] });
    const read = (path: string) =>
      servers.callTool({ server: 'files', tool: 'read_text_file', arguments: { path } });
    expect(textOf((await read(join(root, 'a.txt'))).content)).toContain('inside');
    expect(await read('/etc/hostname')).toMatchObject({ isError: true });
  });

  it('"everything" over streamable HTTP and over the older SSE, found out by itself', async () => {
    proves('R-75', 'P-139');
    const [http, sse] = await Promise.all([serve('streamableHttp'), serve('sse')]);
    const servers = await ready([
      { name: 'http', transport: { kind: 'http', url: `http://127.0.0.1:${http}/mcp` } },
      { name: 'sse', transport: { kind: 'sse', url: `http://127.0.0.1:${sse}/sse` } },
      { name: 'older', transport: { kind: 'http', url: `http://127.0.0.1:${sse}/sse` } },
      { name: 'nobody', transport: { kind: 'http', url: `http://127.0.0.1:${await freePort()}/mcp` } },
    ]);
    for (const server of ['http', 'sse', 'older']) {
      expect(servers.state(server)).toMatchObject({ name: server, status: 'ready' });
      const steps: string[] = [];
      const tool = 'trigger-long-running-operation';
      const input = { server, tool, arguments: { duration: 0.2, steps: 2 } };
      await servers.callTool(input, { progress: (text) => steps.push(text) });
      expect(steps).toContain('1/2\n');
    }
    expect(servers.state('nobody')?.error).toMatch(/"nobody" could not be started: .*ECONNREFUSED/s);
  });

  it('an HTTP server that dies in a call, or forgot us, is no harm to later calls', async () => {
    proves('R-75');
    const port = await serve('streamableHttp');
    const url = `http://127.0.0.1:${port}/mcp`;
    const servers = await ready([{ name: 'http', transport: { kind: 'http', url } }]);
    const tool = 'trigger-long-running-operation';
    const doomed = servers.callTool({ server: 'http', tool, arguments: { duration: 20, steps: 2 } });
    await pause(200);
    children[0]?.kill('SIGKILL');
    await expect(doomed).rejects.toThrow(/The MCP server "http" failed: the connection was closed/);
    const env = { ...process.env, PORT: String(port) };
    children.push(spawn(process.execPath, [everything, 'streamableHttp'], { env, stdio: 'ignore' }));
    const again = async (): Promise<string> => {
      const echo = { server: 'http', tool: 'echo', arguments: { message: 'back' } };
      const output = await servers.callTool(echo).catch(() => undefined);
      return output ? textOf(output.content) : pause(100).then(again);
    };
    expect(await again()).toContain('back');
  });
});

describe('servers that misbehave', () => {
  it('names a server whose command is not there, and starts the others', async () => {
    proves('R-75', 'P-139');
    const missing: McpServerSettings = {
      name: 'gone',
      transport: { kind: 'stdio', command: 'no-such-program' },
    };
    const servers = await ready([missing, node('fine', hostile)]);
    expect(servers.state('gone')).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(
        /"gone" could not be started: the command "no-such-program" was not found/,
      ),
    });
    expect(servers.state('fine')?.status).toBe('ready');
    await expect(servers.callTool({ server: 'gone', tool: 'x', arguments: {} })).rejects.toThrow('"gone"');
    await expect(servers.callTool({ server: 'fin', tool: 'x', arguments: {} })).rejects.toThrow(
      'Unknown MCP server "fin". Did you mean "fine"?',
    );
  });

  it('continues where standard output has rubbish, and shows it where nothing else came', async () => {
    proves('R-75');
    const mute = { ...node('mute', hostile, 'rubbish', 'mute'), startTimeoutMs: 3000 };
    const servers = await ready([node('chatty', hostile, 'rubbish'), mute]);
    expect(servers.state('chatty')?.status).toBe('ready');
    expect(servers.state('mute')?.error).toMatch(
      /"mute" was not ready within 3 seconds\.\nOn standard output.*Welcome/,
    );
  });

  it('a server that dies in a call fails that call with its last words, and is there for the next', async () => {
    proves('R-75');
    const servers = await ready([node('frail', hostile), node('other', hostile)]);
    const before = servers.state('frail')?.pid;
    const other = servers.callTool({ server: 'other', tool: 'alive', arguments: {} });
    await expect(servers.callTool({ server: 'frail', tool: 'die', arguments: {} })).rejects.toThrow(
      'The MCP server "frail" ended with code 7 before it had answered.\nOn standard error it wrote: something terrible happened',
    );
    const echo = await servers.callTool({ server: 'frail', tool: 'echo', arguments: { message: 'hi' } });
    expect(textOf(echo.content)).toBe('hi');
    expect(servers.state('frail')).toMatchObject({ status: 'ready', restarts: 1 });
    expect(servers.state('frail')?.pid).not.toBe(before);
    expect(textOf((await other).content)).toBe('done');
  });

  it('tells a server of a cancelled call, and gives up on one that is silent', async () => {
    proves('R-75');
    const servers = await ready([{ ...node('silent', hostile), callTimeoutMs: 2500 }]);
    const call = (tool: string, options = {}, input = {}) =>
      servers.callTool({ server: 'silent', tool, arguments: input }, options);
    const controller = new AbortController();
    const cancelled = call('never', { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(cancelled).rejects.toThrow(/abort/i);
    expect(textOf((await call('cancelled')).content)).toBe('1');
    await expect(call('never')).rejects.toThrow('"silent" did not answer within 2.5 seconds');
    const steps: string[] = [];
    const slow = await call('alive', { progress: (text: string) => steps.push(text) }, { ms: 500 });
    expect(textOf(slow.content)).toBe('done');
    expect(steps.at(-1)).toBe('6/6 still here\n');
    const last: string[] = [];
    await call('burst', { progress: (text: string) => last.push(text) });
    expect(last).toEqual(['1/1\n']);
  });

  it('throws 100 MB away while they arrive, and continues', async () => {
    proves('R-75');
    const servers = await ready([node('huge', hostile)]);
    await expect(servers.callTool({ server: 'huge', tool: 'huge', arguments: {} })).rejects.toThrow(
      /The MCP server "huge" failed: .*its answer of 100 MB is larger than the 16 MB that are read/,
    );
    const echo = await servers.callTool({ server: 'huge', tool: 'echo', arguments: { message: 'hi' } });
    expect(textOf(echo.content)).toBe('hi');
    expect(servers.state('huge')?.restarts).toBe(0);
  });

  it('gives a server the environment of the session and what its configuration names', async () => {
    proves('P-139');
    const config = node('env', hostile);
    const transport = { ...config.transport, env: { TOKEN: 'given' } } as McpServerSettings['transport'];
    const servers = await ready([{ ...config, transport }], {
      env: { PATH: process.env.PATH ?? '', LANG: 'C' },
    });
    const output = await servers.callTool({ server: 'env', tool: 'environment', arguments: {} });
    const env = JSON.parse(textOf(output.content)) as Record<string, string>;
    expect(env).toMatchObject({ LANG: 'C', TOKEN: 'given' });
    expect(Object.keys(env)).not.toContain('HOME');
  });

  it('hears of new tools, offers only those that are wanted, and asks for what changed', async () => {
    proves('P-139');
    const seen: number[] = [];
    const config = { ...node('grows', hostile), tools: { include: ['gr*', 'echo'], exclude: ['e*'] } };
    const servers = await ready([config], {
      approve: async (_, knowledge) => {
        seen.push(knowledge.tools.length);
        return knowledge;
      },
    });
    expect(servers.state('grows')?.tools.map(({ name }) => name)).toEqual(['grow']);
    const changed = new Promise<void>((done) =>
      servers.onChange(({ tools }) => tools.length === 2 && done()),
    );
    await servers.callTool({ server: 'grows', tool: 'grow', arguments: {} });
    await changed;
    expect(servers.state('grows')?.tools.map(({ name }) => name)).toEqual(['grow', 'grown']);
    expect(seen).toEqual([1, 2]);
  });

  it('calls no tool that its configuration leaves out, also before it is known', async () => {
    proves('P-139');
    const servers = open([{ ...node('few', hostile), tools: { exclude: ['echo'] } }]);
    const call = (tool: string) => servers.callTool({ server: 'few', tool, arguments: {} });
    await expect(call('echo')).rejects.toThrow('The MCP server "few" offers no tool "echo".');
    expect(textOf((await call('odd')).content)).toContain('42');
  });

  it('takes of strange descriptions what is readable, and says that the rest is left out', async () => {
    proves('P-139');
    const servers = await ready([node('strange', hostile, 'strange'), node('vast', hostile, 'countless')]);
    const { tools, leftOut, leftOutTools } = servers.state('strange') ?? { tools: [] };
    expect(tools.map(({ name }) => name)).toEqual(['plain.one', 'large']);
    expect(leftOut).toBe(3);
    expect(leftOutTools).toHaveLength(3);
    expect(leftOutTools?.join()).toMatch(/\(its name cannot be used\)/);
    expect(tools[0]).toMatchObject({
      title: 'Read[31m]0;mine',
      description: expect.stringMatching(/^Fine\[31m/),
    });
    expect(JSON.stringify(tools)).not.toMatch(/\\u001b|[\u202e\u{e0041}]/u);
    expect(tools[1]?.inputSchema).toEqual({ type: 'object' });
    const output = await servers.callTool({ server: 'strange', tool: 'plain_one', arguments: { a: 1 } });
    expect(textOf(output.content)).toBe('plain.one was called');
    expect(servers.state('vast')).toMatchObject({ status: 'ready', leftOut: 9000 });
  });

  it('says why a server cannot be used that never stops to list its tools', async () => {
    proves('R-75');
    const servers = await ready([node('endless', hostile, 'endless')]);
    expect(servers.state('endless')?.error).toMatch(
      /could not be started: tools\/list: exceeded listMaxPages/,
    );
  });

  it('stays ended when what it offers is told afterwards', async () => {
    proves('R-75');
    let agree = () => {};
    let asked = () => {};
    const isAsked = new Promise<void>((done) => (asked = done));
    const servers = await ready([node('late', hostile)], {
      approve: async (_, knowledge) => {
        if (!knowledge.tools.some(({ name }) => name === 'grown')) return knowledge;
        asked();
        await new Promise<void>((done) => (agree = done));
        return knowledge;
      },
    });
    await servers.callTool({ server: 'late', tool: 'grow', arguments: {} });
    await isAsked;
    await servers.stop('late');
    agree();
    await pause(20);
    expect(servers.state('late')?.status).toBe('stopped');
  });

  it('uses nothing of a server that is not approved', async () => {
    proves('R-75');
    const servers = await ready([node('new', hostile)], { approve: async () => undefined });
    expect(servers.state('new')).toMatchObject({ status: 'unapproved', tools: [] });
    await expect(servers.callTool({ server: 'new', tool: 'echo', arguments: {} })).rejects.toThrow('"new"');
  });

  it('stops starting a server that cannot live', async () => {
    proves('R-75');
    const mark = join(await temporaryDirectory(), 'mark');
    const servers = await ready([node('fragile', hostile, 'fragile', mark)]);
    await expect(servers.callTool({ server: 'fragile', tool: 'die', arguments: {} })).rejects.toThrow(
      'code 7',
    );
    const state = () => servers.state('fragile');
    expect(state()?.status).toBe('starting');
    await servers.stop('fragile');
    expect(state()?.status).toBe('stopped');
    await servers.restart('fragile');
    expect(state()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('I have lived once already'),
    });
  });
});

describe('the end of servers', () => {
  it('takes all their processes along', async () => {
    proves('R-75');
    const servers = await ready([node('parent', hostile)]);
    const { content } = await servers.callTool({ server: 'parent', tool: 'child', arguments: {} });
    const pids = [servers.state('parent')?.pid ?? 0, Number(textOf(content))];
    await servers.dispose();
    for (const pid of pids) expect(await isAlive(pid)).toBe(false);
  });

  it('takes them along also when this program is killed', async () => {
    proves('R-75');
    const directory = await temporaryDirectory();
    await mkdir(directory, { recursive: true });
    const { build } = await import('esbuild');
    const program = join(directory, 'host.mjs');
    await build({
      stdin: { contents: hostProgram, resolveDir: process.cwd(), loader: 'ts' },
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: ['@robota-sdk/source'],
      banner: { js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);" },
    });
    const host = spawn(process.execPath, [program, hostile], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(host);
    const pids = await new Promise<number[]>((done) =>
      host.stdout.once('data', (chunk) => done(JSON.parse(String(chunk)))),
    );
    host.kill('SIGKILL');
    for (const pid of pids) expect(await isAlive(pid)).toBe(false);
  });

  it('may come at any moment of their start, and leaves nothing behind', async () => {
    proves('R-75');
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    for (const delay of [0, 1, 5, 20, 40, 60, 80, 120]) {
      const mark = `robota-mark-${process.pid}-${delay}`;
      const servers = open([node('a', hostile, mark), node('b', hostile, 'mute', mark)]);
      await servers.start();
      await pause(delay);
      await servers.dispose();
      expect(servers.states().map(({ status }) => status)).toEqual(['stopped', 'stopped']);
      expect(await commandLines()).not.toContain(mark);
    }
    await pause(50);
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('an unneeded server is started by its first use', async () => {
    proves('P-139');
    const knowledge = { tools: [], prompts: [], hasResources: false };
    const memory = { recall: async () => knowledge, keep: async () => {} };
    const servers = await ready([{ ...node('lazy', hostile), lifecycle: 'lazy' }], { memory });
    expect(servers.state('lazy')?.status).toBe('idle');
    const echo = await servers.callTool({ server: 'lazy', tool: 'echo', arguments: { message: 'hi' } });
    expect(textOf(echo.content)).toBe('hi');
    await servers.update([{ ...node('lazy', hostile), isDisabled: true }]);
    expect(servers.state('lazy')?.status).toBe('disabled');
  });
});

/** The command lines of all processes, as far as the system tells. */
async function commandLines(): Promise<string> {
  const pids = await readdir('/proc').catch(() => []);
  const lines = pids.filter(Number).map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
  return (await Promise.all(lines)).join('\n');
}

const hostProgram = `
import { textOf } from '@robota-sdk/agent-core';
import { McpServers } from '@robota-sdk/agent-tool-mcp';
const servers = new McpServers({
  servers: [{ name: 'a', transport: { kind: 'stdio', command: process.execPath, args: [process.argv[2] ?? ''] } }],
  clientInfo: { name: 'host', version: '1' },
  env: { PATH: process.env.PATH ?? '' },
  cwd: process.cwd(),
  roots: () => [],
});
await servers.start();
const { content } = await servers.callTool({ server: 'a', tool: 'child', arguments: {} });
console.log(JSON.stringify([servers.state('a')?.pid, Number(textOf(content))]));
setInterval(() => {}, 1000);
`;
