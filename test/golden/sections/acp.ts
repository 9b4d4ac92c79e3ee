import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import type { Dialogue, Line } from '../dialogue.ts';
import {
  call,
  openScene,
  recordAll,
  refused,
  type Scene,
  type SceneOptions,
  say,
  talk,
} from '../scripted.ts';
import type { Section } from '../tools.ts';

/** Everything said between an editor and `robota acp`. */
export const section: Section = {
  name: 'acp',
  record: (language, tools) =>
    recordAll(
      Object.fromEntries(
        Object.entries(sessions)
          .filter(([, { also = [] }]) => language === 'en' || also.includes(language))
          .map(([name, { args = [], wholeStart = false, permit, elicit, script, ...options }]) => [
            `${name}.txt`,
            async () => {
              const scene = await openScene(tools, options);
              const answers: Record<string, unknown[]> = {
                'session/request_permission': [...(permit ?? [])],
                'elicitation/create': [...(elicit ?? [])],
              };
              return talk(tools, scene, {
                args: ['acp', '--model', 'claude-sonnet-4-6', ...args],
                script: (dialogue) => script(new Editor(dialogue), scene),
                keep: wholeStart ? (line) => line : shortened,
                reply: (line) => reply(line, answers),
              });
            },
          ]),
      ),
    ),
};

interface EditorSession extends SceneOptions {
  readonly args?: readonly string[];
  /** Recorded with these languages, too. */
  readonly also?: readonly string[];
  readonly wholeStart?: boolean;
  /** The options that the user chooses, by kind or by position, in order; the rest is cancelled. */
  readonly permit?: readonly (string | number)[];
  /** The user's answers to forms, in order. */
  readonly elicit?: readonly object[];
  script(editor: Editor, scene: Scene): Promise<void>;
}

/** The side of an editor. */
class Editor {
  readonly dialogue: Dialogue;
  #id = 0;

  constructor(dialogue: Dialogue) {
    this.dialogue = dialogue;
  }

  /** Sends a request and waits for its answer. */
  request(method: string, params: unknown): Promise<Line> {
    return this.answered(this.ask(method, params));
  }

  ask(method: string, params: unknown): number {
    const id = ++this.#id;
    this.dialogue.send({ jsonrpc: '2.0', id, method, params });
    return id;
  }

  answered(id: number): Promise<Line> {
    return this.dialogue.next((line) => line.id === id && line.method === undefined);
  }

  tell(method: string, params: unknown): void {
    this.dialogue.send({ jsonrpc: '2.0', method, params });
  }

  initialize(clientCapabilities: object = {}): Promise<Line> {
    return this.request('initialize', { protocolVersion: 1, clientCapabilities });
  }

  /** Greets and begins a session; gives its id. */
  async open({ cwd }: Scene, capabilities: object = {}): Promise<string> {
    await this.initialize(capabilities);
    const { result } = await this.request('session/new', { cwd, mcpServers: [] });
    await this.introduced();
    return (result as { sessionId: string }).sessionId;
  }

  prompt(sessionId: string, text: string): Promise<Line> {
    return this.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  }

  /** Waits for the updates about a new session after the answer to the request that opened it. */
  async introduced(): Promise<void> {
    await this.updated('available_commands_update');
    await this.updated('usage_update');
  }

  /** An update of this kind. */
  updated(kind: string): Promise<Line> {
    return this.dialogue.next(
      ({ params }) =>
        (params as { update?: { sessionUpdate?: string } } | undefined)?.update?.sessionUpdate === kind,
    );
  }
}

/** Answers what the program asks the editor and its user. */
function reply({ id, method, params }: Line, answers: Record<string, unknown[]>): Line | undefined {
  if (id === undefined || typeof method !== 'string') return undefined;
  const result = (value: object): Line => ({ jsonrpc: '2.0', id, result: value });
  if (method === 'session/request_permission') {
    const { options } = params as { options: readonly { optionId: string; kind: string }[] };
    const wanted = answers[method]?.shift();
    if (wanted === 'wait') return undefined;
    const option = typeof wanted === 'number' ? options[wanted] : options.find(({ kind }) => kind === wanted);
    return result({
      outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' },
    });
  }
  if (method === 'elicitation/create')
    return result((answers[method]?.shift() as object | undefined) ?? { action: 'cancel' });
  if (method === 'fs/read_text_file') return result({ content: 'typed, not saved\n' });
  if (method === 'fs/write_text_file') return result({});
  return { jsonrpc: '2.0', id, error: { code: -32601, message: `The editor has no ${method}.` } };
}

/** Leaves out what depends on time, and counts what is the same in every session instead of repeating it. */
function shortened(line: Line): Line | undefined {
  if (isProgress(line)) return undefined;
  const count = (value: unknown) => (Array.isArray(value) ? `<${value.length}>` : value);
  const result = line.result as Line | undefined;
  if (result && 'configOptions' in result) {
    const { configOptions, modes, models } = result as {
      configOptions?: unknown;
      modes?: Line;
      models?: Line;
    };
    return {
      ...line,
      result: {
        ...result,
        configOptions: Array.isArray(configOptions) ? configOptions.map(withoutChoices) : configOptions,
        ...(modes ? { modes: { ...modes, availableModes: count(modes.availableModes) } } : {}),
        ...(models ? { models: { ...models, availableModels: count(models.availableModels) } } : {}),
      },
    };
  }
  const { update } = (line.params ?? {}) as { update?: Line };
  if (!update) return line;
  const lists = Object.fromEntries(
    Object.entries(update).map(([name, value]) => [
      name,
      name === 'availableCommands'
        ? count(value)
        : name === 'configOptions'
          ? (value as Line[]).map(withoutChoices)
          : value,
    ]),
  );
  return { ...line, params: { ...(line.params as Line), update: lists } };
}

/** Output of a call so far. */
function isProgress({ params }: Line): boolean {
  const { update } = (params ?? {}) as { update?: Line };
  return update?.sessionUpdate === 'tool_call_update' && update.status === undefined;
}

function withoutChoices(option: Line): Line {
  return {
    ...option,
    options: Array.isArray(option.options) ? `<${option.options.length}>` : option.options,
  };
}

const sessions: Readonly<Record<string, EditorSession>> = {
  'started-and-prompted': {
    also: ['de'],
    wholeStart: true,
    replies: [anthropicReply({ thinking: { text: 'Hm.', signature: 's' }, text: 'Hello.' }), say('Again.')],
    script: async (editor, scene) => {
      const sessionId = await editor.open(scene, { auth: { terminal: true } });
      await editor.prompt(sessionId, 'hi');
      await editor.prompt(sessionId, 'again');
      await editor.request('session/close', { sessionId });
    },
  },
  'calls-and-questions': {
    files: { 'a.txt': 'one\ntwo\n' },
    args: ['--deny', 'Bash(rm *)'],
    replies: [
      call('Read', { file_path: 'a.txt' }, 'toolu_a'),
      call('Edit', { file_path: 'a.txt', old_string: 'two', new_string: 'zwei' }, 'toolu_b'),
      call('Write', { file_path: 'new/b.txt', content: 'fresh\n' }, 'toolu_c'),
      call('Bash', { command: 'touch made' }, 'toolu_d'),
      call('Bash', { command: 'touch made' }, 'toolu_e'),
      call('Bash', { command: 'rm a.txt' }, 'toolu_f'),
      call('Bash', { command: 'touch other' }, 'toolu_g'),
      call('WebFetch', { url: 'https://docs.example.com/x', prompt: 'read' }, 'toolu_h'),
      call('Bash', { command: 'ls; exit 3' }, 'toolu_i'),
      call(
        'TodoWrite',
        {
          todos: [
            { content: 'Look', status: 'completed' },
            { content: 'Test', status: 'pending' },
          ],
        },
        'toolu_j',
      ),
      call('Dance', {}, 'toolu_k'),
      say('Done.'),
    ],
    permit: ['allow_once', 'allow_once', 1, 'reject_once', 'reject_once', 'allow_once'],
    script: async (editor, scene) => {
      const sessionId = await editor.open(scene);
      await editor.prompt(sessionId, 'go');
    },
  },
  'questions-of-the-model': {
    replies: [
      call('AskUser', { question: 'Which colour?', options: ['Red', 'Blue'] }),
      call('AskUser', { question: 'Which size?', options: ['Small', 'Large'] }, 'toolu_2'),
      say('Fine.'),
    ],
    elicit: [{ action: 'accept', content: { answer: '1' } }],
    script: async (editor, scene) => {
      const sessionId = await editor.open(scene, { elicitation: { form: {} } });
      await editor.prompt(sessionId, 'ask me');
    },
  },
  'questions-without-forms': {
    replies: [call('AskUser', { question: 'Which colour?', options: ['Red', 'Blue'] }), say('Fine.')],
    permit: [0],
    script: async (editor, scene) => {
      const sessionId = await editor.open(scene);
      await editor.prompt(sessionId, 'ask me');
    },
  },
  'files-of-the-editor': {
    files: { 'a.txt': 'saved\n' },
    args: ['--permission-mode', 'acceptEdits'],
    replies: [
      call('Read', { file_path: 'a.txt' }),
      call('Edit', { file_path: 'a.txt', old_string: 'typed', new_string: 'changed' }, 'toolu_2'),
      say('Done.'),
    ],
    script: async (editor, scene) => {
      const sessionId = await editor.open(scene, { fs: { readTextFile: true, writeTextFile: true } });
      await editor.prompt(sessionId, 'go');
    },
  },
  'modes-and-options': {
    replies: [call('Write', { file_path: 'x.txt', content: 'x' }), say('Done.')],
    script: async (editor, scene) => {
      const sessionId = await editor.open(scene);
      await editor.request('session/set_mode', { sessionId, modeId: 'acceptEdits' });
      await editor.request('session/set_mode', { sessionId, modeId: 'yolo' });
      await editor.request('session/set_mode', { sessionId, modeId: 'bypassPermissions' });
      await editor.request('session/set_mode', { sessionId, modeId: 'acceptEdits' });
      const value = 'anthropic/claude-haiku-4-5';
      await editor.request('session/set_config_option', { sessionId, configId: 'model', value });
      await editor.request('session/set_config_option', { sessionId, configId: 'thinking', value: 'high' });
      await editor.request('session/set_config_option', { sessionId, configId: 'dance', value: 'x' });
      await editor.request('session/set_config_option', {
        sessionId,
        configId: 'model',
        value: 'nobody/none',
      });
      await editor.prompt(sessionId, 'go');
      await editor.prompt(sessionId, '/mode plan');
      await editor.prompt(sessionId, '/exit');
      await editor.prompt(sessionId, '/hlep');
      await editor.prompt(sessionId, '/context');
    },
  },
  'plan-mode': {
    args: ['--permission-mode', 'plan'],
    replies: [call('ExitPlanMode', { plan: '# Mend\n1. a.ts' }), say('Waiting.')],
    permit: ['reject_once'],
    script: async (editor, scene) => {
      const sessionId = await editor.open(scene);
      await editor.prompt(sessionId, 'plan it');
    },
  },
  cancelled: {
    replies: [call('Bash', { command: 'touch a' }), say('Next.')],
    permit: ['wait'],
    script: async (editor, scene) => {
      const sessionId = await editor.open(scene);
      const running = editor.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
      await editor.dialogue.next(({ method }) => method === 'session/request_permission');
      await editor.prompt(sessionId, 'meanwhile');
      editor.tell('session/cancel', { sessionId });
      await editor.answered(running);
      await editor.prompt(sessionId, 'on');
    },
  },
  'loaded-resumed-and-forked': {
    files: { 'a.txt': 'alpha\n' },
    replies: [
      anthropicReply({
        text: 'Look.',
        toolCalls: [{ name: 'Read', input: { file_path: 'a.txt' }, id: 'toolu_g' }],
      }),
      say('First answer.'),
      say('Second answer.'),
    ],
    script: async (editor, scene) => {
      const { cwd } = scene;
      const sessionId = await editor.open(scene);
      await editor.prompt(sessionId, 'the first question');
      await editor.request('session/close', { sessionId });
      await editor.request('session/list', { cwd });
      await editor.request('session/load', { sessionId, cwd, mcpServers: [] });
      await editor.introduced();
      await editor.prompt(sessionId, 'and then?');
      const { result } = await editor.request('session/fork', { sessionId, cwd, mcpServers: [] });
      await editor.introduced();
      await editor.request('session/close', { sessionId });
      await editor.prompt(sessionId, 'x');
      await editor.request('session/resume', { sessionId, cwd });
      await editor.introduced();
      await editor.request('session/delete', { sessionId });
      await editor.request('session/list', { cwd });
      const { sessionId: fork } = result as { sessionId: string };
      await editor.request('session/close', { sessionId: fork });
    },
  },
  'requests-that-are-wrong': {
    also: ['de'],
    replies: [say('Still here.')],
    script: async (editor, scene) => {
      await editor.request('session/new', { cwd: scene.cwd, mcpServers: [] });
      const sessionId = await editor.open(scene);
      editor.dialogue.send('{"jsonrpc": oops', '[1]', '"text"');
      await editor.request('session/dance', {});
      await editor.request('session/prompt', { sessionId: 'nobody', prompt: [] });
      await editor.request('session/prompt', { sessionId });
      await editor.request('session/prompt', { sessionId, prompt: [{ type: 'dance' }] });
      await editor.prompt(sessionId, '   ');
      await editor.request('session/new', { cwd: 'relative', mcpServers: [] });
      await editor.request('session/new', { cwd: '/no/such', mcpServers: [] });
      await editor.request('session/new', { cwd: join(scene.cwd, 'none') });
      await editor.request('session/load', { sessionId: 'nobody', cwd: scene.cwd, mcpServers: [] });
      await editor.request('session/fork', { sessionId: 'nobody', cwd: scene.cwd, mcpServers: [] });
      await editor.request('session/delete', { sessionId: 'nobody' });
      await editor.request('initialize', { protocolVersion: 99 });
      await editor.request('authenticate', { methodId: 'none' });
      await editor.request('logout', {});
      await editor.prompt(sessionId, 'hello?');
    },
  },
  'errors-of-the-vendor': {
    also: ['de'],
    script: async (editor, scene) => {
      const { server } = scene;
      server.reply(
        refused(401, 'authentication_error', 'invalid x-api-key'),
        refused(400, 'invalid_request_error', 'messages: wrong'),
        anthropicReply({ text: 'No.', stopReason: 'refusal' }),
      );
      const sessionId = await editor.open(scene);
      await editor.prompt(sessionId, 'hi');
      await editor.prompt(sessionId, 'hi');
      await editor.prompt(sessionId, 'hi');
    },
  },
  'options-of-another-agent': {
    replies: [say('Arr.')],
    script: async (editor, scene) => {
      await editor.initialize();
      const options = { model: 'claude-haiku-4-5', maxTurns: 1, allowedTools: ['Bash(ls)'] };
      const _meta = { systemPrompt: { append: 'Be brief.' }, claudeCode: { options } };
      const { result } = await editor.request('session/new', { cwd: scene.cwd, mcpServers: [], _meta });
      const { sessionId } = result as { sessionId: string };
      await editor.introduced();
      await editor.prompt(sessionId, 'hi');
    },
  },
};
