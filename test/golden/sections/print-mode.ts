import {
  anthropicChunks,
  anthropicErrorEvent,
  anthropicReply,
  eventStream,
  type Reply,
} from '@robota-sdk/agent-testing';
import {
  call,
  openScene,
  rateLimited,
  recordAll,
  refused,
  type Scene,
  type SceneOptions,
  say,
  withPlainIds,
} from '../scripted.ts';
import type { GoldenTools, Section } from '../tools.ts';

/** Output of `robota -p` in each format, standard error and exit codes. */
export const section: Section = {
  name: 'print-mode',
  record: (language, tools) =>
    recordAll(
      Object.fromEntries(
        Object.entries(runs)
          .filter(([, { also = [] }]) => language === 'en' || also.includes(language))
          .map(([name, run]) => [
            `${name}.txt`,
            async () => {
              const wanted = language === 'en' ? (run.formats ?? ['text', 'json']) : ['text'];
              const parts = await Promise.all(wanted.map((format) => play(tools, run, format)));
              return parts.join('\n');
            },
          ]),
      ),
    ),
};

/** Formats by the name that stands above their output. */
const formats: Readonly<Record<string, readonly string[]>> = {
  text: [],
  'text --verbose': ['--verbose'],
  json: ['--output-format', 'json'],
  'stream-json': ['--output-format', 'stream-json'],
  'stream-json --verbose': ['--output-format', 'stream-json', '--verbose'],
  'stream-json --verbose --include-partial-messages': [
    '--output-format',
    'stream-json',
    '--verbose',
    '--include-partial-messages',
  ],
};
const all = Object.keys(formats);
const streams = ['text', 'stream-json --verbose'];

interface PrintRun extends SceneOptions {
  /** The command line behind `-p`. */
  readonly args: readonly string[];
  readonly input?: string;
  readonly formats?: readonly string[];
  /** Recorded with these languages, too. */
  readonly also?: readonly string[];
  /** Makes what answers each request, instead of `replies`. */
  answers?(): (text: string) => Reply;
  /** Environment in place of the key. */
  readonly env?: Readonly<Record<string, string>>;
  before?(tools: GoldenTools, scene: Scene): Promise<void>;
}

async function play(tools: GoldenTools, run: PrintRun, format: string): Promise<string> {
  const scene = await openScene(tools, run);
  const answer = run.answers?.();
  if (answer) scene.server.handle(({ text }) => answer(text));
  await run.before?.(tools, scene);
  const args = ['-p', ...run.args, '--model', 'claude-sonnet-4-6', ...(formats[format] ?? [])];
  const { cwd, home } = scene;
  const env = { ...scene.env, ...run.env };
  const outcome = await tools.run(args, {
    cwd,
    home,
    env,
    ...(run.input === undefined ? {} : { input: run.input }),
  });
  return (
    tools.normalise(`$ robota ${args.join(' ')}\n`) +
    tools.transcript({ ...outcome, stdout: withPlainIds(shortened(outcome.stdout)) })
  );
}

/** Counts the lists of the first line, which another section records whole. */
function shortened(stdout: string): string {
  if (!stdout.startsWith('{"type":"system","subtype":"init"')) return stdout;
  const end = stdout.indexOf('\n');
  const init = JSON.parse(stdout.slice(0, end)) as Record<string, unknown>;
  for (const name of ['tools', 'slash_commands', 'agents', 'skills', 'capabilities'])
    if (Array.isArray(init[name])) init[name] = `<${init[name].length}>`;
  return JSON.stringify(init) + stdout.slice(end);
}

const twoCalls = [
  anthropicReply({
    thinking: { text: 'Look first.', signature: 'sig' },
    text: 'I look.',
    toolCalls: [{ name: 'Read', input: { file_path: 'a.txt' } }],
  }),
  call('Bash', { command: 'touch made' }, 'toolu_2'),
  call('Bash', { command: 'ls; cat a.txt' }, 'toolu_3'),
  call('TodoWrite', { todos: [{ content: 'Look', status: 'completed' }] }, 'toolu_4'),
  say('It says alpha.'),
];

const runs: Readonly<Record<string, PrintRun>> = {
  answer: { args: ['what is it?'], replies: [say('The answer is 42.')], formats: all },
  markdown: {
    args: ['show'],
    replies: [say('# Title\n\n- one\n- **two**\n\n```js\nlet a = 1;\n```\n')],
    formats: ['text', 'text --verbose'],
  },
  calls: { also: ['de'], args: ['go'], files: { 'a.txt': 'alpha\n' }, replies: twoCalls, formats: all },
  edit: {
    args: ['go', '--permission-mode', 'acceptEdits'],
    files: { 'a.txt': 'one\ntwo\nthree\n' },
    replies: [
      call('Edit', { file_path: 'a.txt', old_string: 'two', new_string: 'zwei' }),
      call('Write', { file_path: 'new/b.txt', content: 'fresh\n' }, 'toolu_2'),
      say('Edited.'),
    ],
    formats: streams,
  },
  'plan-mode': {
    formats: ['json'],
    args: ['go', '--permission-mode', 'plan'],
    replies: [call('Write', { file_path: 'a.txt', content: 'x' }), say('Cannot.')],
  },
  subagent: {
    args: ['delegate'],
    files: { 'a.txt': 'alpha\n' },
    answers: () => (text) => {
      const isAnswered = text.includes('tool_result');
      if (text.includes('You work for another agent'))
        return isAnswered ? say('The file says alpha.') : call('Read', { file_path: 'a.txt' }, 'toolu_read');
      const input = { description: 'Look', prompt: 'Look around.' };
      return isAnswered ? say('An agent looked.') : call('Agent', input, 'toolu_agent');
    },
    formats: streams,
  },
  'wrong-key': {
    also: ['de'],
    args: ['go'],
    replies: [refused(401, 'authentication_error', 'invalid x-api-key')],
    formats: streams,
  },
  'bad-request': {
    formats: ['json'],
    args: ['go'],
    replies: [refused(400, 'invalid_request_error', 'messages: wrong')],
  },
  'unknown-model-of-the-vendor': {
    formats: ['json'],
    args: ['go'],
    replies: [refused(404, 'not_found_error', 'model: none')],
  },
  'no-money': {
    formats: ['json'],
    args: ['go'],
    replies: [refused(400, 'invalid_request_error', 'Your credit balance is too low')],
  },
  overloaded: {
    args: ['go'],
    answers: () => () => refused(529, 'overloaded_error', 'Overloaded'),
    formats: streams,
  },
  'rate-limited': {
    also: ['de'],
    args: ['go'],
    answers: () => () => rateLimited(7_200),
    formats: streams,
  },
  'broken-stream': {
    args: ['go'],
    replies: [
      eventStream([
        ...anthropicChunks({ text: 'Half of' }).slice(0, 4),
        anthropicErrorEvent('api_error', 'broke'),
      ]),
      say('Whole.'),
    ],
    formats: streams,
  },
  refusal: {
    formats: ['json'],
    args: ['go'],
    replies: [anthropicReply({ text: 'No.', stopReason: 'refusal' })],
  },
  'cut-off': {
    args: ['go'],
    answers: () => () => anthropicReply({ text: 'Cut o', stopReason: 'max_tokens' }),
  },
  fallback: {
    args: ['go', '--fallback-model', 'claude-haiku-4-5'],
    answers: () => (text) =>
      text.includes('haiku') ? say('From the other.') : refused(529, 'overloaded_error', 'Overloaded'),
    formats: streams,
  },
  'max-turns': {
    formats: ['text', 'json'],
    args: ['go', '--max-turns', '2'],
    answers: () => turns(),
  },
  'max-cost': {
    formats: ['json'],
    args: ['go', '--max-cost', '0.5'],
    answers: () => turns({ input: 100_000, output: 10 }),
  },
  'schema-kept': {
    args: ['how many?', '--json-schema', '{"type":"object","required":["count"]}'],
    replies: [say('There are three.'), say('```json\n{"count": 3}\n```')],
    formats: ['text', 'json'],
  },
  'schema-never-kept': {
    formats: ['json'],
    args: ['how many?', '--json-schema', '{"type":"object","required":["count"]}'],
    answers: () => () => say('no'),
  },
  'goal-unproven': {
    formats: ['json'],
    args: ['--goal', 'make it pass', '--check', 'exit 3', '--max-turns', '2', '--allow', 'Bash(exit *)'],
    answers: () => () => say('Done, I think.'),
  },
  'hook-blocks': {
    args: ['go away'],
    settings: {
      hooks: {
        UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo "not such words" >&2; exit 2' }] }],
      },
    },
  },
  'hook-fails': {
    args: ['go'],
    settings: { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'echo broken >&2; exit 1' }] }] } },
    replies: [say('Done.')],
    formats: streams,
  },
  compacted: {
    args: ['-c', '/compact'],
    replies: [say('word '.repeat(8_000)), say('## Goal\nto test')],
    before: async (tools, { cwd, home, env }) => {
      await tools.run(['-p', 'one', '--model', 'claude-sonnet-4-6'], { cwd, home, env });
      await tools.run(['-p', '-c', '/mode', '--model', 'claude-sonnet-4-6'], { cwd, home, env });
    },
    formats: ['text', 'json'],
  },
  resumed: {
    args: ['-c', 'and then?', '--verbose'],
    replies: [say('First.'), say('Second.')],
    before: async (tools, { cwd, home, env }) => {
      await tools.run(['-p', 'one', '--model', 'claude-sonnet-4-6'], { cwd, home, env });
    },
    formats: ['text', 'json'],
  },
  command: { args: ['/context'], formats: ['text'] },
  'unknown-command': { also: ['de'], args: ['/hlep'], formats: ['text', 'json', 'stream-json'] },
  'nothing-to-continue': { formats: ['text'], args: ['-c', 'go'] },
  'unknown-session': { also: ['de'], args: ['-r', 'none', 'go'] },
  'empty-prompt': { formats: ['text'], args: [''], input: '' },
  'broken-settings': { formats: ['text'], also: ['de'], args: ['go', '--settings', '{"permissions": 3}'] },
  'unknown-setting': {
    formats: ['text'],
    args: ['go', '--settings', '{"permisions": {}}'],
    replies: [say('Done.')],
  },
  'broken-rule': {
    formats: ['text'],
    also: ['de'],
    args: ['go', '--allow', 'Bash(npm'],
    replies: [say('Done.')],
  },
  'no-key': { formats: ['text'], also: ['de'], args: ['go'], env: { ANTHROPIC_API_KEY: '' } },
  'input-joins': {
    args: ['why?'],
    input: 'error: it broke\n',
    replies: [say('Because.')],
    formats: ['text'],
  },
};

/** Answers that never end, each with another call. */
function turns(usage?: { readonly input: number; readonly output: number }): () => Reply {
  let turn = 0;
  return () => {
    turn++;
    const toolCalls = [{ name: 'Glob', input: { pattern: `*${turn}` }, id: `toolu_${turn}` }];
    return anthropicReply({ toolCalls, ...(usage ? { usage } : {}) });
  };
}
