import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dialogue, Line } from '../dialogue.ts';
import {
  call,
  openScene,
  recordAll,
  type Scene,
  type SceneOptions,
  say,
  talk,
  withPlainIds,
} from '../scripted.ts';
import type { GoldenTools, Section } from '../tools.ts';

/** Messages between `robota mcp serve` and a client, and between Robota as a client and a server. */
export const section: Section = {
  name: 'mcp',
  record: (language, tools) => {
    const isWanted = ({ also = [] }: { readonly also?: readonly string[] }) =>
      language === 'en' || also.includes(language);
    const serve = Object.entries(served)
      .filter(([, script]) => isWanted(script))
      .map(([name, script]) => [`serve-${name}.txt`, () => recordServe(tools, script)] as const);
    const use = Object.entries(used)
      .filter(([, script]) => isWanted(script))
      .map(([name, script]) => [`client-${name}.txt`, () => recordUse(tools, script)] as const);
    return recordAll(Object.fromEntries([...serve, ...use]));
  },
};

interface Served extends SceneOptions {
  readonly args?: readonly string[];
  /** Recorded with these languages, too. */
  readonly also?: readonly string[];
  /** Answers of the user behind the client, in order. */
  readonly elicit?: readonly object[];
  script(client: Client, scene: Scene): Promise<void>;
}

async function recordServe(tools: GoldenTools, { args = [], elicit = [], script, ...options }: Served) {
  const scene = await openScene(tools, options);
  const answers = [...elicit];
  return talk(tools, scene, {
    args: ['mcp', 'serve', '--model', 'claude-sonnet-4-6', ...args],
    script: (dialogue) => script(new Client(dialogue), scene),
    reply: ({ id, method }) =>
      method === 'elicitation/create'
        ? { jsonrpc: '2.0', id, result: answers.shift() ?? { action: 'cancel' } }
        : undefined,
  });
}

/** The side of an MCP client. */
class Client {
  readonly dialogue: Dialogue;
  #id = 0;

  constructor(dialogue: Dialogue) {
    this.dialogue = dialogue;
  }

  request(method: string, params: object = {}): Promise<Line> {
    return this.answered(this.ask(method, params));
  }

  ask(method: string, params: object = {}): number {
    const id = ++this.#id;
    this.dialogue.send({ jsonrpc: '2.0', id, method, params });
    return id;
  }

  answered(id: number): Promise<Line> {
    return this.dialogue.next((line) => line.id === id && line.method === undefined);
  }

  async connect(capabilities: object = {}, protocolVersion = '2025-06-18'): Promise<void> {
    await this.request('initialize', {
      protocolVersion,
      capabilities,
      clientInfo: { name: 'test', version: '1' },
    });
    this.dialogue.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  call(name: string, args: object = {}): Promise<Line> {
    return this.request('tools/call', { name, arguments: args });
  }
}

const skill = '---\nname: greet\ndescription: Greets a user\n---\nGreet $ARGUMENTS.\n';

const served: Readonly<Record<string, Served>> = {
  'tools-and-sessions': {
    own: { '.robota/skills/greet/SKILL.md': skill },
    files: { 'note.txt': 'what the file says\n' },
    replies: [say('First.'), say('Second.'), say('Hello, Ada.')],
    script: async (client, { cwd }) => {
      await client.connect();
      await client.request('tools/list');
      const { result } = await client.call('submit', { prompt: 'one' });
      const { structuredContent } = result as { structuredContent?: { session_id?: string } };
      await client.call('submit', { prompt: 'two', session_id: structuredContent?.session_id });
      await client.call('command_greet', { args: 'Ada' });
      await client.call('Read', { file_path: join(cwd, 'note.txt') });
      await client.call('Grep', { pattern: 'file says' });
      await client.call('Glob', { pattern: '*' });
      await client.request('ping');
    },
  },
  'older-protocol': {
    script: async (client) => {
      await client.connect({}, '2024-11-05');
      await client.request('ping');
    },
  },
  'unknown-protocol': {
    script: async (client) => {
      await client.connect({}, '2099-01-01');
      await client.request('ping');
    },
  },
  'denied-without-a-user': {
    files: { '.env': 'SECRET=1\n' },
    args: ['--deny', 'Read(.env)'],
    replies: [call('Write', { file_path: 'x.txt', content: 'x' }), say('Could not.')],
    script: async (client, { cwd }) => {
      await client.connect();
      await client.call('Read', { file_path: join(cwd, '.env') });
      await client.call('Read', { file_path: '/etc/shadow' });
      await client.call('submit', { prompt: 'write' });
    },
  },
  questions: {
    also: ['de'],
    files: { 'a.txt': 'one\ntwo\n' },
    replies: [
      call('Write', { file_path: 'x.txt', content: 'x' }, 'toolu_1'),
      call('Edit', { file_path: 'a.txt', old_string: 'two', new_string: 'zwei' }, 'toolu_2'),
      call('Bash', { command: 'touch a' }, 'toolu_3'),
      call('Bash', { command: 'git push --force' }, 'toolu_4'),
      call('WebFetch', { url: 'https://docs.example.com/x', prompt: 'read' }, 'toolu_5'),
      call('Read', { file_path: '/etc/shadow' }, 'toolu_6'),
      call('AskUser', { question: 'Which colour?', options: ['Red', 'Blue'] }, 'toolu_7'),
      say('Done.'),
    ],
    elicit: [
      { action: 'accept', content: { answer: 'Allow once' } },
      { action: 'accept', content: { answer: 'Deny, and say what to do instead', words: 'Write y.txt.' } },
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'accept', content: { answer: 'nonsense' } },
      { action: 'decline' },
      { action: 'accept', content: { answer: 'Blue' } },
    ],
    script: async (client) => {
      await client.connect({ elicitation: { form: {} } });
      await client.call('submit', { prompt: 'go' });
    },
  },
  cancelled: {
    replies: [{ chunks: [{ hang: true }] }, say('Back.')],
    script: async (client, { server }) => {
      await client.connect();
      const id = client.ask('tools/call', { name: 'submit', arguments: { prompt: 'wait' } });
      while (server.requests.length < 1) await new Promise((resolve) => setTimeout(resolve, 10));
      client.dialogue.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
      await client.call('submit', { prompt: 'again' });
    },
  },
  'requests-that-are-wrong': {
    also: ['de'],
    script: async (client) => {
      await client.request('tools/list');
      await client.connect();
      client.dialogue.send('{"jsonrpc": oops');
      await client.request('dance');
      await client.request('resources/list');
      await client.request('prompts/list');
      await client.call('submit');
      await client.call('submit', { prompt: 3 });
      await client.call('submit', { prompt: '  ' });
      await client.call('submit', { prompt: 'x', session_id: 'no-such' });
      await client.call('Bash', { command: 'ls' });
      await client.call('command_none');
      await client.call('Read');
      await client.request('tools/call', {});
    },
  },
  'errors-of-the-model': {
    replies: [
      {
        status: 401,
        headers: { 'content-type': 'application/json' },
        chunks: ['{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}'],
      },
    ],
    script: async (client) => {
      await client.connect();
      await client.call('submit', { prompt: 'go' });
    },
  },
};

interface Used extends SceneOptions {
  readonly args: readonly string[];
  readonly also?: readonly string[];
  /** The fault of the server. */
  readonly fault?: string;
  /** More about the server in its definition. */
  readonly fields?: object;
}

/** Runs the program with a server that notes what it hears; gives that and what the program prints. */
async function recordUse(
  tools: GoldenTools,
  { args, fault = '', fields = {}, ...options }: Used,
): Promise<string> {
  const scene = await openScene(tools, options);
  const notes = join(scene.home, 'notes.txt');
  const noting = {
    command: process.execPath,
    args: [join(tools.fixtures, 'noting-server.mjs'), notes, fault],
    ...fields,
  };
  const { cwd, home, env } = scene;
  const config = JSON.stringify({ mcpServers: { noting } });
  const outcome = await tools.run([...args, '--mcp-config', config], { cwd, home, env });
  const heard = await readFile(notes, 'utf8').catch(() => '');
  const command = `$ robota ${args.join(' ')}\n`;
  const { stdout, stderr, code } = outcome;
  const text = `${command}── the server\n${heard}── standard output\n${stdout}── standard error\n${stderr}── exit ${code}\n`;
  return tools.normalise(withPlainIds(text.replaceAll(process.execPath, 'node')));
}

const print = ['-p', 'go', '--model', 'claude-sonnet-4-6'];
const allow = ['--allow', 'mcp__noting'];

const used: Readonly<Record<string, Used>> = {
  calls: {
    also: ['de'],
    args: [...print, ...allow, '--output-format', 'json'],
    replies: [
      call('ToolSearch', { query: 'say' }, 'toolu_0'),
      call('mcp__noting__say', { text: 'hello' }, 'toolu_1'),
      call('mcp__noting__fail', {}, 'toolu_2'),
      call('mcp__noting__typed', {}, 'toolu_3'),
      call('mcp__noting__roots', {}, 'toolu_4'),
      call('mcp__noting__ask', {}, 'toolu_5'),
      call('mcp__noting__none', {}, 'toolu_6'),
      call('mcp__noting__read_resource', { uri: 'note://one' }, 'toolu_7'),
      say('Done.'),
    ],
  },
  'calls-denied': {
    args: [...print, '--output-format', 'json'],
    replies: [
      call('ToolSearch', { query: 'say' }, 'toolu_0'),
      call('mcp__noting__say', { text: 'hello' }, 'toolu_1'),
      say('Done.'),
    ],
  },
  'defaults-for-questions': {
    args: [...print, ...allow],
    fields: { elicitation: 'defaults' },
    replies: [
      call('ToolSearch', { query: 'ask' }, 'toolu_0'),
      call('mcp__noting__ask', {}, 'toolu_1'),
      say('Done.'),
    ],
  },
  'prompt-and-resource': {
    args: ['-p', '/mcp__noting__greet Ada', '--model', 'claude-sonnet-4-6'],
    replies: [say('Hello, Ada.')],
  },
  'resource-mentioned': {
    args: ['-p', 'read @noting:note://one', '--model', 'claude-sonnet-4-6'],
    replies: [say('Read.')],
  },
  'older-protocol': {
    args: [...print, ...allow],
    fault: 'old',
    replies: [
      call('ToolSearch', { query: 'say' }, 'toolu_0'),
      call('mcp__noting__say', {}, 'toolu_1'),
      say('Done.'),
    ],
  },
  refused: {
    also: ['de'],
    args: [...print, ...allow],
    fault: 'refuses',
    replies: [call('mcp__noting__say', {}, 'toolu_1'), say('Done.')],
  },
  exits: {
    args: [...print, ...allow],
    fault: 'exits',
    replies: [call('mcp__noting__say', {}, 'toolu_1'), say('Done.')],
  },
};
