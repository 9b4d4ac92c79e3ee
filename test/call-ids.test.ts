import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  anthropicReply,
  googleReply,
  openaiChatReply,
  openaiResponsesReply,
  type Reply,
  runRobota,
  temporaryDirectory,
} from '@robota-sdk/agent-testing';
import { modelServerPerTest } from '@robota-sdk/agent-testing/each-test';
import { beforeEach, expect, it } from 'vitest';

const server = modelServerPerTest();
let cwd: string;
let home: string;

beforeEach(async () => {
  cwd = await temporaryDirectory();
  home = await temporaryDirectory('robota-home');
});

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: Record<string, unknown>;
}

type Replies = (answer: { readonly calls?: readonly Call[]; readonly text?: string }) => Reply;

const wires: readonly (readonly [model: string, replies: Replies])[] = [
  ['claude-sonnet-4-5', ({ calls = [], text = '' }) => anthropicReply({ text, toolCalls: [...calls] })],
  ['gpt-5', ({ calls = [], text = '' }) => openaiChatReply({ text, calls: [...calls] })],
  ['gpt-5-responses', ({ calls = [], text = '' }) => openaiResponsesReply({ text, calls: [...calls] })],
  [
    'gemini-2.5-pro',
    ({ calls = [], text = '' }) =>
      googleReply({
        chunks: [
          [
            ...(text === '' ? [] : [{ text }]),
            ...calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })),
          ],
        ],
      }),
  ],
];

it.each(wires)('calls with one id get their own results: %s', async (model, reply) => {
  const echo = (word: string) => ({ id: 't', name: 'Bash', input: { command: `echo ${word}` } });
  server.reply(
    reply({ calls: [echo('one'), echo('two'), echo('three')] }),
    reply({ calls: [echo('four')] }),
    reply({ text: 'Done.' }),
  );
  const isResponses = model.endsWith('-responses');
  const env = {
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: server.url,
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: `${server.url}/v1`,
    GEMINI_API_KEY: 'k',
    GOOGLE_GEMINI_BASE_URL: server.url,
  };
  const args = ['-p', 'go', '--model', model];
  if (isResponses) await saveProfile(model);
  const run = await runRobota([...args, '--permission-mode', 'bypassPermissions'], { cwd, home, env });
  expect(run).toMatchObject({ code: 0, stdout: 'Done.\n' });
  const results = (await sessionLines()).flatMap(({ message }) =>
    message?.role === 'toolResult' ? [message] : [],
  );
  expect(results.map(({ content }) => content[0]?.text.trim())).toEqual(['one', 'two', 'three', 'four']);
  expect(new Set(results.map(({ toolCallId }) => toolCallId)).size).toBe(4);
  const sent = server.requests.at(-1)?.text ?? '';
  const places = ['one', 'two', 'three', 'four'].map((word) => sent.lastIndexOf(`${word}\\n`));
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

async function saveProfile(name: string): Promise<void> {
  const profile = {
    name,
    provider: 'openai',
    model: 'gpt-5',
    apiKind: 'openai-responses',
    baseUrl: `${server.url}/v1`,
  };
  await mkdir(join(home, '.robota'));
  const settings = { models: { active: name, profiles: [profile] } };
  await writeFile(join(home, '.robota/settings.json'), JSON.stringify(settings));
}

interface Line {
  readonly message?: {
    readonly role: string;
    readonly toolCallId: string;
    readonly content: readonly { readonly text: string }[];
  };
}

async function sessionLines(): Promise<Line[]> {
  const sessions = join(home, '.robota/sessions');
  const files = await readdir(sessions, { recursive: true });
  const file = files.find((name) => name.endsWith('session.jsonl')) ?? '';
  const text = await readFile(join(sessions, file), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
