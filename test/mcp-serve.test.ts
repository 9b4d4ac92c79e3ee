import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, type ClientOptions, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { anthropicReply, robotaBin, sharedCode } from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();
let client: Client | undefined;
let log = '';
let mode: VersionNegotiationMode = 'legacy';

beforeEach(async () => {
  log = '';
});
afterEach(async () => {
  await client?.close();
});

/** Connects the official client to a server process of ours. */
async function connect(words: readonly string[] = [], options: ClientOptions = {}): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [robotaBin, 'mcp', 'serve', '--model', 'anthropic/claude-sonnet-4-6', ...words],
    cwd: stage.cwd,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: stage.home,
      ...sharedCode(),
      ANTHROPIC_API_KEY: 'sk-test-0123456789abcdef',
      ANTHROPIC_BASE_URL: stage.server.url,
    },
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (chunk) => {
    log += String(chunk);
  });
  client = new Client({ name: 'test', version: '1' }, { ...options, versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}

interface Answered {
  readonly session_id: string;
  readonly status: string;
  readonly answer: string;
  readonly denied?: readonly string[];
}

async function submit(from: Client, args: Record<string, unknown>): Promise<Answered> {
  const { structuredContent } = await from.callTool({ name: 'submit', arguments: args });
  return structuredContent as unknown as Answered;
}

describe.each([
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
] as const)('robota mcp serve, asked in %s', (revision, asked) => {
  beforeEach(() => {
    mode = asked;
  });

  it('offers prompts with sessions, skills as commands, and the tools that only read', async () => {
    await mkdir(join(stage.home, '.robota/skills/greet'), { recursive: true });
    await writeFile(
      join(stage.home, '.robota/skills/greet/SKILL.md'),
      '---\nname: greet\ndescription: Greets a user\n---\nGreet $ARGUMENTS.\n',
    );
    await stage.file('note.txt', 'what the file says\n');
    const from = await connect();
    expect(from.getNegotiatedProtocolVersion()).toBe(revision);
    const { tools } = await from.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['Glob', 'Grep', 'Read', 'command_greet', 'submit']);
    expect(tools.find(({ name }) => name === 'Read')?.annotations).toMatchObject({ readOnlyHint: true });
    expect(from.getServerVersion()).toMatchObject({ name: 'robota' });
    stage.server.reply(anthropicReply({ text: 'First.' }), anthropicReply({ text: 'Second.' }));
    const first = await submit(from, { prompt: 'one' });
    expect(first).toMatchObject({ status: 'completed', answer: 'First.' });
    const second = await submit(from, { prompt: 'two', session_id: first.session_id });
    expect(second).toMatchObject({ answer: 'Second.', session_id: first.session_id });
    expect(JSON.stringify(stage.messages(1))).toContain('First.');
    stage.server.reply(anthropicReply({ text: 'Hello, Ada.' }));
    const greeted = await from.callTool({ name: 'command_greet', arguments: { args: 'Ada' } });
    expect(JSON.stringify(greeted.content)).toContain('Hello, Ada.');
    expect(JSON.stringify(stage.messages(2))).toContain('Greet Ada.');
    const read = await from.callTool({ name: 'Read', arguments: { file_path: join(stage.cwd, 'note.txt') } });
    expect(JSON.stringify(read.content)).toContain('what the file says');
    const found = await from.callTool({ name: 'Grep', arguments: { pattern: 'file says' } });
    expect(JSON.stringify(found.content)).toContain('note.txt');
  });

  it('continues with a kept session in another process', async () => {
    stage.server.reply(anthropicReply({ text: 'First.' }), anthropicReply({ text: 'Later.' }));
    const { session_id } = await submit(await connect(), { prompt: 'one' });
    await client?.close();
    expect(await submit(await connect(), { prompt: 'two', session_id })).toMatchObject({
      answer: 'Later.',
      session_id,
    });
    expect(JSON.stringify(stage.messages(1))).toContain('First.');
  });

  it('holds its tools to the rules of the session, and denies what would need a question', async () => {
    await stage.file('.env', 'SECRET=1\n');
    const from = await connect(['--deny', 'Read(.env)']);
    const denied = await from.callTool({ name: 'Read', arguments: { file_path: join(stage.cwd, '.env') } });
    expect(denied.isError).toBe(true);
    expect(JSON.stringify(denied.content)).not.toContain('SECRET');
    const outside = await from.callTool({ name: 'Read', arguments: { file_path: '/etc/hostname' } });
    expect(outside.isError).toBe(true);
    stage.server.reply(write('x.txt'), anthropicReply({ text: 'Could not.' }));
    const result = await submit(from, { prompt: 'write' });
    expect(result).toMatchObject({ answer: 'Could not.' });
    expect(result.denied?.[0]).toMatch(/^Write: /);
  });

  it('asks the user behind a client that can ask', async () => {
    const asked: string[] = [];
    const from = await connect([], { capabilities: { elicitation: { form: {} } } });
    from.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      const schema = JSON.stringify(params);
      const choice = /"enum":\["([^"]+)"/.exec(schema)?.[1] ?? true;
      return { action: 'accept', content: { answer: choice } };
    });
    stage.server.reply(write('x.txt'), anthropicReply({ text: 'Written.' }));
    const result = await submit(from, { prompt: 'write' });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('x.txt');
    expect(result).toMatchObject({ answer: 'Written.' });
    expect(result.denied).toBeUndefined();
    expect(stage.results(1)[0]?.isError).toBe(false);
  });

  it('takes along what the user says with a no', async () => {
    const from = await connect([], { capabilities: { elicitation: { form: {} } } });
    from.setRequestHandler('elicitation/create', async () => ({
      action: 'accept',
      content: { answer: 'Deny, and say what to do instead', words: 'Write y.txt.' },
    }));
    stage.server.reply(write('x.txt'), anthropicReply({ text: 'All right.' }));
    expect(await submit(from, { prompt: 'write' })).toMatchObject({ answer: 'All right.' });
    expect(JSON.stringify(stage.results(1))).toContain('Write y.txt.');
  });

  it('tells of its progress, and stops when it is told to', async () => {
    const from = await connect(['--allow', 'Bash(echo *)']);
    const messages: (string | undefined)[] = [];
    stage.server.reply(
      anthropicReply({ toolCalls: [{ id: 'c1', name: 'Bash', input: { command: 'echo hi' } }] }),
      anthropicReply({ text: 'Done.' }),
    );
    await from.callTool(
      { name: 'submit', arguments: { prompt: 'go' } },
      { onprogress: ({ message }) => void messages.push(message) },
    );
    expect(messages.filter((message) => message?.startsWith('Bash'))).toEqual(['Bash {"command":"echo hi"}']);
    stage.server.reply({ chunks: [{ hang: true }] }, anthropicReply({ text: 'Back.' }));
    const controller = new AbortController();
    const hanging = from.callTool(
      { name: 'submit', arguments: { prompt: 'wait' } },
      { signal: controller.signal },
    );
    const over = expect(hanging).rejects.toThrow();
    while (stage.server.requests.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    controller.abort();
    await over;
    expect(await submit(from, { prompt: 'again' })).toMatchObject({ answer: 'Back.' });
  });

  it('says what is wrong with a call, and keeps keys to itself', async () => {
    const from = await connect();
    const call = async (name: string, args: Record<string, unknown>) => {
      const { content, isError } = await from.callTool({ name, arguments: args });
      expect(isError).toBe(true);
      return JSON.stringify(content);
    };
    expect(await call('submit', {})).toContain('submit needs a \\"prompt\\"');
    expect(await call('submit', { prompt: 'x', session_id: 'no-such' })).toContain('no-such');
    stage.server.reply(anthropicReply({ text: 'Remembered.' }));
    const { session_id: id } = await submit(from, { prompt: 'the words of another' });
    for (const session_id of ['the words', id.slice(0, -1)])
      expect(await call('submit', { prompt: 'x', session_id })).toContain('Unknown session id');
    for (const name of ['Bash', 'command_none'])
      await expect(from.callTool({ name, arguments: {} })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(`Unknown tool "${name}"`),
      });
    expect(await call('Read', {})).toContain('Wrong arguments for Read');
    stage.server.reply(anthropicReply({ text: 'Your key is sk-test-0123456789abcdef.' }));
    const { answer } = await submit(from, { prompt: 'tell' });
    expect(answer).not.toContain('0123456789abcdef');
    expect(log).not.toContain('0123456789abcdef');
  });

  it('asks again in the same run, and for the tools that only read', async () => {
    const from = await connect([], { capabilities: { elicitation: { form: {} } } });
    const questions: string[] = [];
    from.setRequestHandler('elicitation/create', async ({ params }) => {
      questions.push(params.message);
      const [, first] = /"enum":\["([^"]+)"/.exec(JSON.stringify(params)) ?? [];
      return { action: 'accept', content: { answer: first ?? true } };
    });
    stage.server.reply(write('x.txt'), write('y.txt'), anthropicReply({ text: 'Both.' }));
    expect(await submit(from, { prompt: 'write' })).toMatchObject({ answer: 'Both.' });
    expect(questions.map((question) => /[xy]\.txt/.exec(question)?.[0])).toEqual(['x.txt', 'y.txt']);
    const outside = await from.callTool({ name: 'Read', arguments: { file_path: '/etc/hostname' } });
    expect(questions).toHaveLength(3);
    expect(outside.isError).toBeFalsy();
  });

  it('ends with its client, and is not for people', async () => {
    const from = await connect();
    const { pid } = from.transport as StdioClientTransport;
    expect(pid).toBeTypeOf('number');
    stage.server.reply({ chunks: [{ hang: true }] });
    const hanging = submit(from, { prompt: 'wait' }).catch(() => 'gone');
    while (stage.server.requests.length < 1) await new Promise((resolve) => setTimeout(resolve, 20));
    await from.close();
    expect(await hanging).toBe('gone');
    expect(() => process.kill(pid ?? 0, 0)).toThrow();
    const wrong = await stage.robota(['mcp', 'serve', '--resume', 'x']);
    expect(wrong.stderr).toContain('robota mcp serve takes no --resume');
  });
});

describe('robota mcp serve on the wire of 2026-07-28', () => {
  it('refuses other versions with every request, and ends with standard input while a call is held', async () => {
    const child = spawn(
      process.execPath,
      [robotaBin, 'mcp', 'serve', '--model', 'anthropic/claude-sonnet-4-6'],
      {
        cwd: stage.cwd,
        env: {
          PATH: process.env.PATH,
          HOME: stage.home,
          ...sharedCode(),
          ANTHROPIC_API_KEY: 'sk-test-0123456789abcdef',
          ANTHROPIC_BASE_URL: stage.server.url,
        },
        stdio: ['pipe', 'pipe', 'ignore'],
      },
    );
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    let id = 0;
    const ask = async (method: string, params: object, version = '2026-07-28') => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
      };
      child.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params: { ...params, _meta } })}\n`,
      );
      return JSON.parse((await lines.next()).value ?? '{}');
    };
    const wrong = { error: { code: -32_022, data: { supported: ['2026-07-28'], requested: '1999-01-01' } } };
    expect(await ask('tools/list', {}, '1999-01-01')).toMatchObject(wrong);
    expect((await ask('tools/list', {})).result.tools).toHaveLength(4);
    expect(await ask('tools/list', {}, '1999-01-01')).toMatchObject(wrong);
    stage.server.reply(write('x.txt'));
    const call = { name: 'submit', arguments: { prompt: 'write' } };
    const held = await ask('tools/call', call);
    expect(held.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { answer: { method: 'elicitation/create' } },
      requestState: expect.any(String),
    });
    const forged = await ask('tools/call', { ...call, requestState: 'made-up', inputResponses: {} });
    expect(forged.error).toMatchObject({ code: -32_602 });
    child.stdin.end();
    expect(await ended).toBe(0);
  });
});

function write(path: string) {
  const input = { file_path: join(stage.cwd, path), content: 'x' };
  return anthropicReply({ toolCalls: [{ id: 'w1', name: 'Write', input }] });
}
