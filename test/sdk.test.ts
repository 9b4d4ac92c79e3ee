import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import {
  AgentError,
  type Compaction,
  createSession,
  detectProject,
  type Extension,
  loadConfig,
  loadContext,
  Robota,
} from '@robota-sdk/agent-sdk';
import {
  bashTool,
  createInteractiveSession,
  editTool,
  globTool,
  grepTool,
  type InteractiveSession,
  readTool,
  Session,
  webFetchTool,
  webSearchTool,
  writeTool,
} from '@robota-sdk/agent-sdk/compat';
import type { UserInterface } from '@robota-sdk/agent-sdk/front-end';
import {
  anthropicError,
  anthropicReply,
  openaiChatReply,
  startModelServer,
  temporaryDirectory,
} from '@robota-sdk/agent-testing';
import { modelServerPerTest } from '@robota-sdk/agent-testing/each-test';
import { proves } from '@robota-sdk/agent-testing/proves';
import { beforeEach, describe, expect, it } from 'vitest';

const key = 'canary-0123456789-key';
const server = modelServerPerTest();
let home: string;
let cwd: string;

beforeEach(async () => {
  home = await temporaryDirectory('robota-home');
  cwd = await temporaryDirectory();
});

function hostOf(env: Record<string, string> = {}) {
  return {
    home,
    env: { PATH: process.env.PATH, ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url, ...env },
  };
}

/** A client with a private home and environment. */
const client = (env: Record<string, string> = {}) => new Robota(hostOf(env));

/** Options for a session in a private folder. */
function place(env: Record<string, string> = {}) {
  return { cwd, host: hostOf(env) };
}

interface Sent {
  readonly system: { text: string }[];
  readonly messages: { role: string; content: unknown }[];
  readonly tools: { name: string }[];
  readonly model: string;
}

function sent(index: number): Sent {
  const request = server.requests[index];
  if (!request) throw new Error(`there was no request ${index}`);
  return request.body as Sent;
}

const writeCall = { toolCalls: [{ name: 'Write', input: { file_path: 'a.txt', content: 'hi' } }] };

/** Asks for a file first, then says that it is done. */
function answerByWriting() {
  server.handle(({ body }) =>
    anthropicReply((body as Sent).messages.length === 1 ? writeCall : { text: 'done' }),
  );
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

describe('query', () => {
  it('returns the answer', async () => {
    proves('R-3');
    server.reply(anthropicReply({ text: 'Forty-two.' }));
    expect(await client().query('what is it?', { cwd })).toBe('Forty-two.');
    expect(await exists(join(home, '.robota'))).toBe(false);
  });

  it('works in cwd, with the permission mode that is given', async () => {
    proves('R-4');
    answerByWriting();
    await client().query('write', { cwd });
    expect(await exists(join(cwd, 'a.txt'))).toBe(false);
    expect(
      sent(0)
        .system.map(({ text }) => text)
        .join(),
    ).toContain(`Working directory: ${cwd}`);
    await client().query('write', { cwd, permissionMode: 'acceptEdits' });
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('hi');
  });

  it('works in a relative cwd', async () => {
    proves('R-4', 'R-5');
    answerByWriting();
    const nearby = relative(process.cwd(), cwd);
    await client().query('write', { cwd: nearby, permissionMode: 'acceptEdits' });
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('hi');
    expect(JSON.stringify(sent(0).system)).toContain(`Working directory: ${cwd}`);
  });

  it('maxTurns ends a run that does not end by itself', async () => {
    proves('R-4');
    let turn = 0;
    server.handle(() => anthropicReply({ toolCalls: [{ name: 'Glob', input: { pattern: `*${turn++}` } }] }));
    await expect(client().query('go', { cwd, maxTurns: 2 })).rejects.toMatchObject({ code: 'max-turns' });
    expect(server.requests).toHaveLength(2);
  });

  it('onTextDelta hears every delta, the promise gives the whole', async () => {
    proves('R-4', 'R-39');
    server.reply(anthropicReply({ text: ['One ', 'two ', 'three.'] }));
    const deltas: string[] = [];
    const answer = await client().query('count', { cwd, onTextDelta: (delta) => deltas.push(delta) });
    expect(deltas).toEqual(['One ', 'two ', 'three.']);
    expect(answer).toBe('One two three.');
  });

  it('onCompact hears of an automatic compaction', async () => {
    proves('R-4', 'R-47', 'R-54');
    await writeFile(join(cwd, 'long.txt'), 'many words in a line\n'.repeat(1_000));
    await writeFile(join(cwd, 'CLAUDE.md'), '## Compact Instructions\nNever forget the port number.');
    let turn = 0;
    server.handle(({ body }) => {
      if (JSON.stringify(body).includes('<record>')) return anthropicReply({ text: '## Goal\nread it' });
      turn++;
      if (turn > 8) return anthropicReply({ text: 'done' });
      const input = { file_path: 'long.txt', offset: turn, limit: 900 };
      return anthropicReply({
        toolCalls: [{ id: `toolu_${turn}`, name: 'Read', input }],
        usage: { input: turn === 8 ? 190_000 : 1_000 },
      });
    });
    const compactions: Compaction[] = [];
    const onCompact = (compaction: Compaction) => void compactions.push(compaction);
    const model = 'claude-haiku-4-5';
    await client().query('read it all', { cwd, model, onCompact });
    expect(compactions).toHaveLength(1);
    expect(compactions[0]).toMatchObject({ kind: 'summarised', summary: expect.stringContaining('read it') });
    const [before, summary, after] = server.requests.slice(-3).map(({ text }) => text);
    expect(summary).toContain('<record>');
    expect(summary).toContain('Never forget the port number.');
    expect(after?.length).toBeLessThan(before?.length ?? 0);
  });

  it('onServerToolUse hears of a search while it streams', async () => {
    proves('R-38');
    server.reply(
      anthropicReply({
        serverSearch: { query: 'robota', results: [{ title: 'R', url: 'https://example.com' }] },
        text: 'Found.',
      }),
    );
    const uses: string[] = [];
    const onServerToolUse = (name: string, summary: string) => uses.push(`${name}: ${summary}`);
    await client().query('search', { cwd, onServerToolUse, onTextDelta: () => uses.push('text') });
    expect(uses[0]).toMatch(/web_search: .*robota/);
    expect(uses.at(-1)).toBe('text');
  });

  it('asks the program with the prompt that the command line shows', async () => {
    proves('R-13');
    answerByWriting();
    const titles: string[] = [];
    await client().query('write', {
      cwd,
      questions: ({ title, choices }) => {
        titles.push(title);
        return { choice: choices[0]?.id ?? '' };
      },
    });
    expect(titles).toEqual(['Create a.txt']);
    expect(await exists(join(cwd, 'a.txt'))).toBe(true);
  });

  it('rejects with an AgentError that has a code, and stops when its signal fires', async () => {
    server.reply(anthropicError(401, 'invalid x-api-key'));
    const failure = await client()
      .query('hi', { cwd })
      .catch((thrown: unknown) => thrown);
    expect(AgentError.is(failure) && failure.code).toBe('auth');
    server.reply({ ...anthropicReply({ text: 'partial' }), chunks: [{ hang: true }] });
    const controller = new AbortController();
    const running = client().query('hi', { cwd, signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(running).rejects.toMatchObject({ name: 'AbortError', code: 'aborted' });
    expect(await running.result).toMatchObject({ status: 'aborted', text: '' });
  });

  it('another vendor is a matter of the name of its model', async () => {
    proves('R-79');
    server.reply(openaiChatReply({ text: 'from openai' }));
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: server.url };
    expect(await client(env).query('hi', { cwd, model: 'gpt-5' })).toBe('from openai');
    expect(server.requests[0]?.path).toBe('/chat/completions');
  });
});

describe('createSession', () => {
  it('wires tools, provider and prompt from what the loaders found', async () => {
    proves('R-5', 'R-6', 'R-7');
    await writeFile(join(cwd, 'package.json'), '{"name": "shop"}');
    await writeFile(join(cwd, 'AGENTS.md'), 'Use tabs.');
    await writeFile(join(cwd, 'CLAUDE.md'), 'Use spaces.');
    const host = hostOf();
    const questions: string[] = [];
    const terminal: UserInterface = {
      ask: async ({ title }) => {
        questions.push(title);
        return { kind: 'selected', indexes: [0] };
      },
      notify: () => {},
    };
    const session = createSession({
      cwd,
      config: await loadConfig(cwd, { host }),
      context: await loadContext(cwd, { host }),
      projectInfo: await detectProject(cwd),
      terminal,
      permissionMode: 'acceptEdits',
    });
    expect(session).toBeInstanceOf(Session);
    const [write] = writeCall.toolCalls;
    const run = { name: 'Bash', input: { command: 'mkdir made' } };
    server.reply(
      anthropicReply({ toolCalls: [...(write ? [write] : []), run] }),
      anthropicReply({ text: 'done' }),
    );
    expect(await session.run('go')).toBe('done');
    const system = sent(0)
      .system.map(({ text }) => text)
      .join('\n');
    for (const part of ['Use tabs.', 'Use spaces.', 'shop (node, javascript)', cwd])
      expect(system).toContain(part);
    expect(sent(0).tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'Read',
        'Write',
        'Edit',
        'Bash',
        'Glob',
        'Grep',
        'WebFetch',
        'TodoWrite',
        'AskUser',
      ]),
    );
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('hi');
    expect(await exists(join(cwd, 'made'))).toBe(true);
    expect(questions).toEqual(['Run a command']);
    await session.close();
  });

  it('says which function to use for an extension that sets up asynchronously', async () => {
    const host = hostOf();
    const slow: Extension<InteractiveSession> = { name: 'slow', setup: async () => {} };
    const config = await loadConfig(cwd, { host });
    const options = { cwd, config, context: { instructions: [] }, extensions: [slow] };
    expect(() => createSession(options)).toThrow('Use createInteractiveSession or query');
  });

  it('a directory that is not there is an error before anything happens', async () => {
    await expect(client().query('hi', { cwd: join(cwd, 'gone') })).rejects.toMatchObject({
      code: 'usage',
    });
    expect(server.requests).toHaveLength(0);
  });

  it('the tools are exported for direct use', () => {
    const tools = [bashTool, readTool, writeTool, editTool, globTool, grepTool, webFetchTool, webSearchTool];
    expect(tools.map(({ name }) => name)).toEqual([
      'Bash',
      'Read',
      'Write',
      'Edit',
      'Glob',
      'Grep',
      'WebFetch',
      'WebSearch',
    ]);
    for (const tool of tools) expect(tool.input.json).toMatchObject({ type: 'object' });
  });
});

describe('the first request', () => {
  it('system prompt and default tools take at most 7,500 bytes', async () => {
    server.reply(anthropicReply({ text: 'ok' }));
    await client().query('hi', { cwd: '/tmp' });
    const { system, tools } = sent(0);
    const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
    const list = tools.map((tool) => `${tool.name}: ${size(tool)}`).join(', ');
    expect(size({ system, tools }), `system: ${size(system)}, ${list}`).toBeLessThanOrEqual(7_500);
  });

  it('each request begins with the bytes of the one before, in one process and in the next', async () => {
    server.handle(({ body }) =>
      anthropicReply(
        (body as Sent).messages.length % 4 === 1
          ? {
              thinking: { text: 'hmm', signature: 'sig' },
              text: 'Looking.',
              toolCalls: [{ name: 'Glob', input: { pattern: '*', path: '.' } }],
            }
          : { text: 'Done.' },
      ),
    );
    const options = { ...place(), model: 'claude-sonnet-4-6' };
    const first = await createInteractiveSession(options);
    await first.submit('one');
    await first.submit('two');
    const id = first.getSession().id;
    await first.shutdown();
    const second = await createInteractiveSession({ ...options, store: { open: id } });
    await second.submit('three');
    await second.shutdown();
    const bodies = server.requests.map(({ body }) => withoutCacheMarks(body as Sent));
    expect(bodies.length).toBeGreaterThanOrEqual(5);
    for (const [index, body] of bodies.entries()) {
      const next = bodies[index + 1];
      if (!next) continue;
      expect(JSON.stringify(next.system)).toBe(JSON.stringify(body.system));
      expect(JSON.stringify(next.tools)).toBe(JSON.stringify(body.tools));
      const before = JSON.stringify(body.messages);
      expect(JSON.stringify(next.messages).startsWith(before.slice(0, -1))).toBe(true);
    }
  });

  it('after a change of vendor the thinking of the other one is left out', async () => {
    const openai = await startModelServer();
    server.reply(
      anthropicReply({ thinking: { text: 'secret thought', signature: 'sig-1' }, text: 'Hello.' }),
    );
    openai.reply(openaiChatReply({ text: 'Hi again.' }));
    const env = { OPENAI_API_KEY: 'k-openai', OPENAI_BASE_URL: openai.url };
    const session = await createInteractiveSession({
      ...place(env),
      model: 'claude-sonnet-4-6',
      store: 'none',
    });
    await session.submit('one');
    await session.executeCommand('model', 'openai/gpt-5');
    expect(await session.submit('two')).toMatchObject({ response: 'Hi again.' });
    const [request] = openai.requests;
    expect(request?.text).toContain('Hello.');
    expect(request?.text).not.toContain('secret thought');
    expect(request?.text).not.toContain('sig-1');
    expect(request?.text).not.toContain(key);
    await session.shutdown();
    await openai.close();
  });

  it('the language is asked for, also after a compaction', async () => {
    proves('R-46', 'C-83');
    await writeHome('settings.json', { language: 'ko' });
    server.handle(() => anthropicReply({ text: 'words '.repeat(400) }));
    const session = await createInteractiveSession({ ...place(), store: 'none' });
    for (const prompt of ['one', 'two', 'three']) await session.submit(prompt);
    expect((await session.executeCommand('compact'))?.message).toMatch(/^Context compressed/);
    await session.submit('four');
    for (const index of [0, server.requests.length - 1])
      expect(JSON.stringify(sent(index).system)).toContain('Always respond in Korean.');
    await session.shutdown();
  });
});

describe('what is left on disk', () => {
  it.each([
    ['the environment', {}, {}],
    ['a flag', {}, { apiKey: key }],
    ['auth.json', { 'auth.json': { anthropic: { type: 'api_key', key } } }, {}],
    ['settings', { 'settings.json': { apiKeys: { anthropic: key } } }, {}],
    [
      'a profile',
      { 'settings.json': { models: { profiles: [{ name: 'p', model: 'claude-x', apiKey: key }] } } },
      {},
    ],
  ])('no key, even if the vendor repeats it: %s', async (source, files, options) => {
    for (const [name, content] of Object.entries(files)) await writeHome(name, content);
    const before = await filesBelow(home);
    server.handle(({ headers }) => anthropicError(401, `invalid key ${headers['x-api-key']}`));
    const env = source === 'the environment' ? {} : { ANTHROPIC_API_KEY: '' };
    const session = await createInteractiveSession({ ...place(env), ...options });
    const result = await session.submit('hi');
    await session.shutdown();
    expect(result?.error?.message).toContain('[redacted]');
    expect(JSON.stringify(result)).not.toContain(key);
    const written = (await filesBelow(home)).filter((file) => !before.includes(file));
    expect(written.map((file) => file.replace(/.*\//, '')).sort()).toEqual([
      'history.xnl',
      'log.jsonl',
      'session.jsonl',
    ]);
    for (const file of [...written, ...(await filesBelow(cwd))])
      expect(await readFile(file, 'utf8'), file).not.toContain('canary');
  });
});

async function writeHome(name: string, content: unknown): Promise<void> {
  await mkdir(join(home, '.robota'), { recursive: true });
  await writeFile(join(home, '.robota', name), JSON.stringify(content));
}

async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Marks where the vendor may cache move along with the conversation; they are no part of what it says. */
function withoutCacheMarks(body: Sent): Sent {
  return JSON.parse(
    JSON.stringify(body, (name, value) => (name === 'cache_control' ? undefined : value)),
  ) as Sent;
}
