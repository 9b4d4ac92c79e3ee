import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import type { Dialogue, Line } from '../dialogue.ts';
import {
  call,
  openScene,
  rateLimited,
  recordAll,
  refused,
  type Scene,
  type SceneOptions,
  say,
  talk,
  untilWritten,
  writeLater,
} from '../scripted.ts';
import type { Section } from '../tools.ts';

/** Everything said in both directions by `robota -p --input-format stream-json`. */
export const section: Section = {
  name: 'stream-json',
  record: (language, tools) =>
    recordAll(
      Object.fromEntries(
        Object.entries(conversations)
          .filter(([, { also = [] }]) => language === 'en' || also.includes(language))
          .map(([name, { args = [], script, wholeStart = false, ...options }]) => [
            `${name}.txt`,
            async () => {
              const scene = await openScene(tools, options);
              const text = await talk(tools, scene, {
                args: [...start, ...args],
                script: (dialogue) => script(new Program(dialogue), scene),
                keep: wholeStart ? (line) => line : shortened,
              });
              return ['one', 'two', 'three'].reduce(
                (rest, word) => rest.replaceAll(repeated(word), `${word} …`),
                text,
              );
            },
          ]),
      ),
    ),
};

const start = [
  '-p',
  '--input-format',
  'stream-json',
  '--output-format',
  'stream-json',
  '--model',
  'claude-sonnet-4-6',
];

const ask = ['--permission-prompt-tool', 'stdio'];

interface Conversation extends SceneOptions {
  readonly args?: readonly string[];
  /** Recorded with these languages, too. */
  readonly also?: readonly string[];
  /** Keeps the long lists in the first lines, which are the same in each conversation. */
  readonly wholeStart?: boolean;
  script(program: Program, scene: Scene): Promise<void>;
}

/** The side of a program that drives Robota. */
class Program {
  readonly dialogue: Dialogue;

  constructor(dialogue: Dialogue) {
    this.dialogue = dialogue;
  }

  say(content: unknown, extra: object = {}): void {
    this.dialogue.send({ type: 'user', message: { role: 'user', content }, session_id: '', ...extra });
  }

  result(): Promise<Line> {
    return this.dialogue.next(({ type }) => type === 'result');
  }

  line(type: string, subtype?: string): Promise<Line> {
    return this.dialogue.next(
      (line) => line.type === type && (subtype === undefined || line.subtype === subtype),
    );
  }

  /** A request of the program to us of this kind. */
  asked(subtype: string): Promise<Line> {
    return this.dialogue.next(
      ({ type, request }) => type === 'control_request' && partOf(request, 'subtype') === subtype,
    );
  }

  /** Sends a request and waits for its answer. */
  request(id: string, fields: object): Promise<Line> {
    this.dialogue.send({ type: 'control_request', request_id: id, request: fields });
    return this.answered(id);
  }

  answered(id: string): Promise<Line> {
    return this.dialogue.next(
      ({ type, response }) => type === 'control_response' && partOf(response, 'request_id') === id,
    );
  }

  answer({ request_id }: Line, response: object): void {
    this.dialogue.send({
      type: 'control_response',
      response: { subtype: 'success', request_id, response },
    });
  }
}

const partOf = (value: unknown, name: string): unknown => (value as Line | undefined)?.[name];

/** Counts what is the same in every conversation instead of repeating it. */
function shortened(line: Line): Line {
  const count = (value: unknown) => (Array.isArray(value) ? `<${value.length}>` : value);
  if (line.type === 'system' && line.subtype === 'init') {
    const lists = ['tools', 'slash_commands', 'agents', 'skills', 'capabilities'] as const;
    return { ...line, ...Object.fromEntries(lists.map((name) => [name, count(line[name])])) };
  }
  const response = partOf(line.response, 'response') as Line | undefined;
  if (line.type !== 'control_response' || !response || !('commands' in response)) return line;
  const lists = ['commands', 'models', 'agents'] as const;
  const counted = Object.fromEntries(lists.map((name) => [name, count(response[name])]));
  return { ...line, response: { ...(line.response as Line), response: { ...response, ...counted } } };
}

/** Answers the messages of an MCP server that lives in the program, until one of this method was answered. */
async function serveCalculator(program: Program, last: string): Promise<void> {
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'calc', version: '1' },
    },
    'tools/list': { tools: [{ name: 'add', description: 'Adds', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: '5' }] },
  };
  for (;;) {
    const line = await program.asked('mcp_message');
    const { id, method = '' } = partOf(line.request, 'message') as { id?: number; method?: string };
    const result = results[method];
    const answer = result ? { result } : { error: { code: -32601, message: 'unknown method' } };
    program.answer(line, {
      mcp_response: { jsonrpc: '2.0', ...(id === undefined ? {} : { id, ...answer }) },
    });
    if (method === last) return;
  }
}

/** An answer that fills a part of the window. */
const repeated = (word: string) => Array.from({ length: 4_000 }, () => word).join(' ');

const conversations: Readonly<Record<string, Conversation>> = {
  'two-prompts': {
    also: ['de'],
    wholeStart: true,
    files: { 'AGENTS.md': 'Be brief.\n' },
    replies: [say('One.'), say('Two.')],
    script: async (program) => {
      program.say('first');
      await program.result();
      program.say([{ type: 'text', text: 'second' }]);
      await program.result();
    },
  },
  'partial-and-replayed': {
    args: ['--include-partial-messages', '--replay-user-messages', '--verbose'],
    files: { 'a.txt': 'alpha\n' },
    replies: [
      anthropicReply({
        thinking: { text: 'Look first.', signature: 'sig' },
        text: 'I look.',
        toolCalls: [{ name: 'Read', input: { file_path: 'a.txt' } }],
      }),
      say('It says alpha.'),
    ],
    script: async (program) => {
      program.say('read a.txt', { uuid: '11111111-1111-4111-8111-111111111111' });
      await program.result();
    },
  },
  'tools-and-denials': {
    files: { 'a.txt': 'alpha\n', 'b.txt': 'beta\n' },
    replies: [
      anthropicReply({
        text: 'Three things.',
        toolCalls: [{ name: 'Read', input: { file_path: 'a.txt' } }],
      }),
      call('Bash', { command: 'touch made' }, 'toolu_2'),
      call('Write', { file_path: 'c.txt', content: 'x\n' }, 'toolu_3'),
      call('Bash', { command: 'ls; exit 3' }, 'toolu_4'),
      call('Edit', { file_path: 'a.txt', old_string: 'nowhere', new_string: 'x' }, 'toolu_5'),
      call('Read', { file_path: '/etc/shadow' }, 'toolu_6'),
      call('Dance', { style: 'tango' }, 'toolu_7'),
      call('Read', { path: 3 }, 'toolu_8'),
      say('Done.'),
    ],
    args: ['--allow', 'Bash(exit *)'],
    script: async (program) => {
      program.say('go');
      await program.result();
    },
  },
  'questions-about-calls': {
    also: ['de'],
    args: [...ask, '--deny', 'Bash(rm *)'],
    files: { 'a.txt': 'one\ntwo\n' },
    replies: [
      call('Bash', { command: 'touch a' }, 'toolu_a'),
      call('Bash', { command: 'touch b' }, 'toolu_b'),
      call('Bash', { command: 'touch b' }, 'toolu_c'),
      call('Read', { file_path: 'a.txt' }, 'toolu_d'),
      call('Edit', { file_path: 'a.txt', old_string: 'two', new_string: 'zwei' }, 'toolu_e'),
      call('Bash', { command: 'rm a' }, 'toolu_f'),
      call('Bash', { command: 'touch d' }, 'toolu_g'),
      call('Bash', { command: 'touch e' }, 'toolu_h'),
      call('WebFetch', { url: 'https://docs.example.com/x', prompt: 'read' }, 'toolu_i'),
      say('Done.'),
    ],
    script: async (program) => {
      program.say('go');
      program.answer(await program.asked('can_use_tool'), {
        behavior: 'allow',
        updatedInput: { command: 'touch a' },
      });
      const second = await program.asked('can_use_tool');
      const suggestions = partOf(second.request, 'permission_suggestions') as object[];
      program.answer(second, { behavior: 'allow', updatedPermissions: [suggestions[0]] });
      program.answer(await program.asked('can_use_tool'), { behavior: 'allow' });
      const changed = await program.asked('can_use_tool');
      program.answer(changed, { behavior: 'allow', updatedInput: { command: 'rm a' } });
      const short = await program.asked('can_use_tool');
      program.dialogue.send({
        type: 'permission',
        id: short.request_id,
        allow: false,
        reason: 'not today',
      });
      program.answer(await program.asked('can_use_tool'), { behavior: 'deny', message: 'no network' });
      await program.result();
    },
  },
  'denied-with-interrupt': {
    args: ask,
    replies: [call('Bash', { command: 'touch a' }), say('Next.')],
    script: async (program) => {
      program.say('go');
      const question = await program.asked('can_use_tool');
      program.answer(question, { behavior: 'deny', message: 'stop', interrupt: true });
      await program.result();
      program.say('on');
      await program.result();
    },
  },
  'allowed-for-project': {
    args: ask,
    replies: [
      call('Bash', { command: 'touch a' }),
      call('Bash', { command: 'touch a' }, 'toolu_2'),
      say('Done.'),
    ],
    script: async (program) => {
      program.say('go');
      const question = await program.asked('can_use_tool');
      program.dialogue.send({ type: 'permission', id: question.request_id, allow: 'project' });
      await program.result();
    },
  },
  'questions-of-the-model': {
    args: ask,
    replies: [
      call('AskUser', { question: 'Which colour?', options: ['Red', 'Blue'] }),
      call('AskUser', { question: 'Which size?', options: ['Small', 'Large'] }, 'toolu_2'),
      say('Fine.'),
    ],
    script: async (program) => {
      program.say('ask me');
      program.answer(await program.asked('ask_user'), { indexes: [1] });
      program.answer(await program.asked('ask_user'), { text: 'Medium' });
      await program.result();
    },
  },
  'questions-of-the-model-initialized': {
    args: ask,
    replies: [
      call('AskUserQuestion', {
        questions: [
          {
            question: 'Which colour?',
            header: 'Colour',
            multiSelect: false,
            options: [
              { label: 'Red', description: 'warm' },
              { label: 'Blue', description: 'cold' },
            ],
          },
        ],
      }),
      call('AskUser', { question: 'Sure?', options: ['Yes', 'No'] }, 'toolu_2'),
      say('Fine.'),
    ],
    script: async (program) => {
      await program.request('init', { subtype: 'initialize' });
      program.say('ask me');
      for (let count = 0; count < 2; count++) {
        const line = await program.dialogue.next(
          ({ type, request }) =>
            type === 'result' ||
            (type === 'control_request' && partOf(request, 'subtype') === 'can_use_tool'),
        );
        if (line.type === 'result') return;
        const input = partOf(line.request, 'input') as { questions?: { question: string }[] };
        const answers = Object.fromEntries((input.questions ?? []).map(({ question }) => [question, 'Red']));
        program.answer(line, { behavior: 'allow', updatedInput: { ...input, answers } });
      }
      await program.result();
    },
  },
  'without-channel': {
    replies: [
      call('Bash', { command: 'touch a' }),
      call('AskUser', { question: 'Why?' }, 'toolu_2'),
      say('Done.'),
    ],
    script: async (program) => {
      program.say('go');
      await program.result();
    },
  },
  'dont-ask': {
    args: ['--permission-mode', 'dontAsk', ...ask],
    replies: [call('Bash', { command: 'touch a' }), say('Done.')],
    script: async (program) => {
      program.say('go');
      await program.result();
    },
  },
  interrupted: {
    args: ['--allow', 'Bash'],
    replies: [call('Bash', { command: 'touch started; sleep 60' }), say('Next.')],
    script: async (program, scene) => {
      program.say('go');
      await program.line('assistant');
      await untilWritten(scene, 'started');
      program.say('and then this', { uuid: 'steered' });
      await program.dialogue.next(
        (line) =>
          line.type === 'command_lifecycle' && line.command_uuid === 'steered' && line.state === 'queued',
      );
      await program.request('stop', { subtype: 'interrupt' });
      await program.result();
      await program.result();
    },
  },
  'question-taken-back': {
    args: ask,
    replies: [call('Bash', { command: 'touch a' }), say('Next.')],
    script: async (program) => {
      program.say('go');
      const question = await program.asked('can_use_tool');
      program.dialogue.send({ type: 'interrupt' });
      await program.result();
      program.answer(question, { behavior: 'allow' });
      await program.line('error');
      program.say('on');
      await program.result();
    },
  },
  'input-ends-at-a-question': {
    args: ask,
    replies: [call('Bash', { command: 'touch a' }), say('Done.')],
    script: async (program) => {
      program.say('go');
      await program.asked('can_use_tool');
    },
  },
  'steered-and-queued': {
    args: ['--allow', 'Bash'],
    replies: [
      call('Bash', { command: 'until [ -e go ]; do sleep 0.02; done' }),
      say('Steered.'),
      say('Later.'),
    ],
    script: async (program, scene) => {
      program.say('begin', { uuid: 'first' });
      await program.line('assistant');
      program.say('turn left', { uuid: 'later', priority: 'later' });
      program.say('turn right', { uuid: 'steered' });
      program.say('never', { uuid: 'dropped', priority: 'later' });
      await program.request('cancel', { subtype: 'cancel_async_message', message_uuid: 'dropped' });
      await writeLater(scene, 'go');
      await program.result();
      await program.result();
    },
  },
  'control-requests': {
    wholeStart: true,
    also: ['de'],
    files: { 'a.txt': 'alpha\n', 'src/b.ts': 'export const b = 1;\n' },
    args: ['--deny', 'Read(secret.txt)', '--allow', 'Bash(npm test *)'],
    replies: [say('One.')],
    script: async (program, { cwd }) => {
      await program.request('init', { subtype: 'initialize', hooks: null });
      const asked: readonly Readonly<Record<string, unknown>>[] = [
        { subtype: 'set_permission_mode', mode: 'acceptEdits' },
        { subtype: 'set_permission_mode', mode: 'yolo' },
        { subtype: 'set_permission_mode', mode: 'bypassPermissions' },
        { subtype: 'set_model', model: 'claude-haiku-4-5' },
        { subtype: 'set_model', model: 'nobody/nothing' },
        { subtype: 'set_model' },
        { subtype: 'set_max_thinking_tokens', max_thinking_tokens: 5_000 },
        { subtype: 'set_max_thinking_tokens', max_thinking_tokens: null },
        { subtype: 'apply_flag_settings', settings: { language: 'fr' } },
        { subtype: 'apply_flag_settings', settings: { permissions: { deny: ['Bash(curl *)'] } } },
        { subtype: 'apply_flag_settings', settings: { hooks: {} } },
        { subtype: 'mcp_status' },
        { subtype: 'mcp_reconnect', serverName: 'none' },
        { subtype: 'mcp_toggle', serverName: 'none', enabled: false },
        { subtype: 'reload_skills' },
        { subtype: 'reload_plugins' },
        { subtype: 'get_hooks_listing' },
        { subtype: 'list_permission_rules' },
        { subtype: 'read_file', path: 'a.txt' },
        { subtype: 'read_file', path: 'secret.txt' },
        { subtype: 'read_file', path: '/etc/shadow' },
        { subtype: 'file_suggestions', query: 'b' },
        { subtype: 'seed_read_state', path: 'a.txt', mtime: 1 },
        { subtype: 'set_cwd', path: 'nowhere' },
        { subtype: 'set_cwd', path: '.' },
        { subtype: 'get_plan' },
        { subtype: 'get_workspace_diff' },
        { subtype: 'register_repo_root', directory: 'nowhere' },
        { subtype: 'register_repo_root', directory: join(cwd, 'src') },
        { subtype: 'stop_task', task_id: 'none' },
        { subtype: 'get_task_output', task_id: 'none' },
        { subtype: 'background_tasks' },
        { subtype: 'get_binary_version' },
        { subtype: 'rename_session', title: 'A name' },
        { subtype: 'rename_session' },
        { subtype: 'set_has_subscribers', has_subscribers: true },
        { subtype: 'set_color', color: 'red' },
        { subtype: 'set_prompt_suggestions_paused', paused: true },
        { subtype: 'cancel_async_message', message_uuid: 'none' },
        { subtype: 'set_mcp_permission_mode_override', serverName: 'x', mode: 'default' },
        { subtype: 'update_settings', source: 'userSettings', settings: { effortLevel: 'high' } },
        { subtype: 'update_settings', source: 'projectSettings', settings: {} },
        { subtype: 'rewind_files', user_message_id: 'none' },
        { subtype: 'side_question', question: '' },
        { subtype: 'dance' },
        { subtype: 'initialize' },
      ];
      for (const [index, fields] of asked.entries())
        await program.request(`${index}-${String(fields.subtype)}`, fields);
      program.say('go', { uuid: 'first' });
      await program.result();
      const later = [
        'get_usage',
        'get_session_cost',
        'get_status',
        'export_conversation',
        'get_context_usage',
      ];
      for (const subtype of later) await program.request(subtype, { subtype });
      await program.request('rewind', { subtype: 'rewind_files', user_message_id: 'first', dry_run: true });
    },
  },
  'session-ended': {
    args: ['--allow', 'Bash'],
    replies: [call('Bash', { command: 'touch started; sleep 60' })],
    script: async (program, scene) => {
      program.say('go', { uuid: 'first' });
      await program.line('assistant');
      await untilWritten(scene, 'started');
      program.say('never', { uuid: 'last', priority: 'later' });
      await program.request('end', { subtype: 'end_session' });
    },
  },
  'hooks-of-the-program': {
    args: ['--allow', 'Bash', '--verbose'],
    replies: [
      call('Bash', { command: 'touch made' }),
      call('Bash', { command: 'touch other' }, 'toolu_2'),
      say('Done.'),
    ],
    script: async (program) => {
      const hook = (id: string, matcher?: string) => [
        { hookCallbackIds: [id], ...(matcher === undefined ? {} : { matcher }) },
      ];
      const hooks = {
        UserPromptSubmit: hook('prompt'),
        PreToolUse: hook('before', 'Bash'),
        PostToolUse: hook('after'),
        Stop: hook('stop'),
      };
      await program.request('init', { subtype: 'initialize', hooks });
      program.say('go');
      const context = (hookEventName: string, text: string) => ({
        hookSpecificOutput: { hookEventName, additionalContext: text },
      });
      program.answer(await program.asked('hook_callback'), context('UserPromptSubmit', 'It is Monday.'));
      const denial = { permissionDecision: 'deny', permissionDecisionReason: 'not this one' };
      program.answer(await program.asked('hook_callback'), {
        hookSpecificOutput: { hookEventName: 'PreToolUse', ...denial },
      });
      program.answer(await program.asked('hook_callback'), {});
      program.answer(await program.asked('hook_callback'), context('PostToolUse', 'It was made.'));
      program.answer(await program.asked('hook_callback'), {});
      await program.result();
    },
  },
  'hooks-of-the-settings': {
    also: ['de'],
    args: ['--allow', 'Bash', '--verbose', '--include-hook-events'],
    settings: {
      hooks: {
        SessionStart: [{ hooks: [{ type: 'command', command: 'echo "branch: main"' }] }],
        UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo prompted' }] }],
        PreToolUse: [
          {
            matcher: 'Bash',
            hooks: [{ type: 'command', command: 'grep -q grep && echo "Use rg" >&2 && exit 2; exit 0' }],
          },
        ],
        PostToolUse: [{ hooks: [{ type: 'command', command: 'exit 1' }] }],
      },
    },
    replies: [
      call('Bash', { command: 'grep x y' }),
      call('Bash', { command: 'echo fine' }, 'toolu_2'),
      say('Done.'),
    ],
    script: async (program) => {
      program.say('go');
      await program.result();
    },
  },
  'prompt-blocked-by-a-hook': {
    settings: {
      hooks: {
        UserPromptSubmit: [
          {
            hooks: [
              { type: 'command', command: 'grep -q away && echo "not such words" >&2 && exit 2; exit 0' },
            ],
          },
        ],
      },
    },
    replies: [say('Hello.')],
    script: async (program) => {
      program.say('go away');
      await program.result();
      program.say('hello');
      await program.result();
    },
  },
  'server-of-the-program': {
    args: ['--allow', 'mcp__calc__add'],
    replies: [call('mcp__calc__add', { a: 2, b: 3 }), say('Five.')],
    script: async (program) => {
      await program.request('init', { subtype: 'initialize', sdkMcpServers: ['calc'] });
      await serveCalculator(program, 'tools/list');
      program.say('add');
      await serveCalculator(program, 'tools/call');
      await program.result();
      await program.request('status', { subtype: 'mcp_status' });
    },
  },
  'what-a-program-brings': {
    replies: [say('{"ok":true}')],
    script: async (program) => {
      await program.request('init', {
        subtype: 'initialize',
        systemPrompt: ['Speak like a pirate.'],
        appendSystemPrompt: 'Be brief.',
        agents: { reviewer: { description: 'Reads diffs', prompt: 'Review.', tools: ['Read'] } },
        jsonSchema: { type: 'object', required: ['ok'] },
        title: 'A name',
        skills: [],
      });
      program.say('go');
      await program.result();
    },
  },
  'unknown-field-of-initialize': {
    script: async (program) => {
      await program.request('init', { subtype: 'initialize', futureGuard: true });
    },
  },
  compacted: {
    args: ['--verbose'],
    replies: [
      say(repeated('one')),
      say(repeated('two')),
      say(repeated('three')),
      say('## Goal\nto test'),
      say('Four.'),
    ],
    script: async (program) => {
      for (const word of ['one', 'two', 'three']) {
        program.say(word);
        await program.result();
      }
      program.say('/compact the parser');
      await program.result();
      program.say('four');
      await program.result();
    },
  },
  'nothing-to-compact': {
    script: async (program) => {
      program.say('/compact');
      await program.result();
    },
  },
  commands: {
    also: ['de'],
    args: ['--replay-user-messages'],
    replies: [say('It was nothing.')],
    script: async (program) => {
      for (const line of ['/mode', '/mode plan', '/model', '/cost', '/hlep', '/tree', '/todos'])
        await sayAndWait(program, line);
      program.say('/not a command', { client_composed: true });
      await program.result();
      await sayAndWait(program, '/rewind');
    },
  },
  subagent: {
    args: ['--verbose', '--allow', 'Bash'],
    files: { 'a.txt': 'alpha\n' },
    script: async (program, { server }) => {
      server.handle(({ text }) => {
        const isAnswered = text.includes('tool_result');
        if (text.includes('You work for another agent'))
          return isAnswered
            ? say('The file says alpha.')
            : call('Read', { file_path: 'a.txt' }, 'toolu_read');
        const input = { description: 'Look', prompt: 'Look around.', run_in_background: false };
        return isAnswered ? say('An agent looked.') : call('Agent', input, 'toolu_agent');
      });
      await program.request('init', { subtype: 'initialize', forwardSubagentText: true });
      program.say('delegate');
      await program.result();
    },
  },
  'failed-then-fine': {
    also: ['de'],
    script: async (program, { server }) => {
      server.reply(refused(401, 'authentication_error', 'invalid x-api-key'), say('Fine now.'));
      program.say('go');
      await program.result();
      program.say('again');
      await program.result();
    },
  },
  retried: {
    args: ['--verbose'],
    script: async (program, { server }) => {
      server.reply(refused(529, 'overloaded_error', 'Overloaded'), say('Here.'));
      program.say('go');
      await program.result();
    },
  },
  'rate-limited': {
    also: ['de'],
    args: ['--verbose'],
    script: async (program, { server }) => {
      server.reply(rateLimited(7_200));
      program.say('go');
      await program.result();
    },
  },
  'waited-for-a-limit': {
    args: ['--verbose', '--wait-for-limit', '1m'],
    script: async (program, { server }) => {
      const limited = rateLimited(1);
      server.reply(limited, say('After the limit.'));
      program.say('go');
      await program.result();
    },
  },
  'switched-model': {
    args: ['--verbose', '--fallback-model', 'claude-haiku-4-5'],
    script: async (program, { server }) => {
      server.handle(({ text }) =>
        text.includes('haiku') ? say('From the other.') : refused(401, 'authentication_error', 'no'),
      );
      program.say('go');
      await program.result();
    },
  },
  'broken-answer': {
    args: ['--verbose', '--include-partial-messages'],
    script: async (program, { server }) => {
      server.reply(
        anthropicReply({ text: 'A refusal.', stopReason: 'refusal' }),
        anthropicReply({ text: 'Cut o', stopReason: 'max_tokens' }),
        anthropicReply({ text: 'Cut o', stopReason: 'max_tokens' }),
        anthropicReply({ text: 'Cut o', stopReason: 'max_tokens' }),
        anthropicReply({ text: 'Cut o', stopReason: 'max_tokens' }),
        anthropicReply({ text: 'Cut o', stopReason: 'max_tokens' }),
      );
      program.say('go');
      await program.result();
      program.say('again');
      await program.result();
    },
  },
  limits: {
    args: ['--max-turns', '2'],
    script: async (program, { server }) => {
      let turn = 0;
      server.handle(() => call('Glob', { pattern: `*${turn++}` }, `toolu_${turn}`));
      program.say('go');
      await program.result();
    },
  },
  plan: {
    args: [...ask, '--permission-mode', 'plan'],
    replies: [
      call('Write', { file_path: 'x.txt', content: 'x' }),
      call('ExitPlanMode', { plan: '# Mend\n1. a.ts' }, 'toolu_2'),
      say('Waiting.'),
    ],
    script: async (program) => {
      program.say('plan it');
      const line = await program.dialogue.next(({ type }) => type === 'control_request' || type === 'result');
      if (line.type === 'result') return;
      program.answer(line, { behavior: 'deny', message: 'keep planning' });
      await program.result();
      await program.request('plan', { subtype: 'get_plan' });
    },
  },
  'lines-that-are-wrong': {
    also: ['de'],
    replies: [say('One.'), say('Two.')],
    script: async (program) => {
      program.dialogue.send('{"type":"user", oops', '', '[]', 'null', '"text"');
      program.dialogue.send(
        { type: 'dance' },
        { type: 'user' },
        { type: 'user', message: { role: 'assistant' } },
      );
      program.dialogue.send({ type: 'prompt' }, { type: 'control_request' }, { type: 'control_response' });
      program.dialogue.send({ type: 'permission', id: 'none', allow: true });
      program.dialogue.send({ type: 'prompt', text: 'first' });
      await program.dialogue.next(({ type, result }) => type === 'result' && result === 'One.');
      program.say([{ type: 'document', source: { type: 'url', url: 'https://x.test' } }]);
      await program.result();
      program.say('second');
      await program.dialogue.next(({ type, result }) => type === 'result' && result === 'Two.');
    },
  },
};

async function sayAndWait(program: Program, text: string): Promise<void> {
  program.say(text);
  await program.result();
}
