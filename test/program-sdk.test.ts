import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { anthropicReply, jsonReply } from '@robota-sdk/agent-testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type Line, Program } from './program.ts';
import { answer, answerTo, asked, initialize, request, serve } from './program-channel.ts';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();
let program: Program;

afterEach(async () => {
  program.child.kill('SIGKILL');
  await program.exited;
});

function start(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Program {
  program = new Program(stage, args, env);
  return program;
}

const say = (text: string) => anthropicReply({ text });
const call = (name: string, input: unknown, id = 'toolu_1') =>
  anthropicReply({ toolCalls: [{ name, input, id }] });
const isSystem = (subtype: string) => (line: Line) => line.type === 'system' && line.subtype === subtype;

interface SentRequest {
  readonly system?: unknown;
  readonly thinking?: unknown;
  readonly output_config?: unknown;
  readonly tools: readonly { readonly name: string; readonly input_schema: unknown }[];
}

function sent(index: number): SentRequest {
  return stage.server.requests.at(index)?.body as unknown as SentRequest;
}

const stdio = ['--permission-prompt-tool', 'stdio'];

describe('options of the Claude Agent SDK', () => {
  it('starts MCP servers that initialize brings, off the command line', async () => {
    stage.server.reply(call('mcp__every__echo', { message: 'fig' }), say('Done.'));
    const server = join(
      import.meta.dirname,
      '../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
    );
    const every = { type: 'stdio', command: process.execPath, args: [server], alwaysLoad: true };
    start(['--allow', 'mcp__every__echo']);
    program.send(initialize({ mcpServers: { every } }));
    const { response } = await answerTo(program, 'init');
    expect(response).toMatchObject({ mcp_servers_applied: true });
    program.say('go');
    expect(await program.result()).toMatchObject({ result: 'Done.' });
    expect(stage.results(1)).toMatchObject([{ text: 'Echo: fig', isError: false }]);
    expect(await program.end()).toBe(0);
    expect(program.stderr).toBe('');
  });

  it.each([
    ['always_deny', 'has no tool'],
    ['always_ask', '5'],
    ['a policy of the future', '5'],
  ])('judges the tools of its own servers by their policy %s, whatever the mode', async (policy, text) => {
    stage.server.reply(call('mcp__calc__add', { a: 2, b: 3 }), say('Done.'));
    start(['--permission-mode', 'bypassPermissions', '--allow', 'mcp__calc__add', ...stdio]);
    const tools = [{ name: 'add', permission_policy: policy }];
    program.send(initialize({ sdkMcpServers: ['calc'], sdkMcpServerConfigs: { calc: { tools } } }));
    const served = serve(program, 'calc');
    program.say('add');
    if (policy !== 'always_deny') {
      const question = await asked(program, 'can_use_tool');
      expect(question.request).toMatchObject({ tool_name: 'mcp__calc__add' });
      program.send(answer(question, { behavior: 'allow', updatedInput: question.request.input }));
    }
    await program.result();
    expect(stage.results(1)[0]?.text).toContain(text);
    served.stop();
    await program.end();
  });

  it('calls another tool by an alias, judged by the rules of that tool', async () => {
    stage.server.reply(
      call('Bash', { a: 2, b: 3 }),
      call('Shell', { a: 3, b: 3 }, 'toolu_2'),
      call('Read', { file_path: 'x' }, 'toolu_3'),
      say('Done.'),
    );
    const toolAliases = { Bash: 'mcp__calc__add', Shell: 'mcp__calc__add', Read: 'Grep' };
    start(['--allow', 'mcp__calc__add', '--allow', 'Bash', '--deny', 'Grep(*)']);
    program.send(initialize({ sdkMcpServers: ['calc'], toolAliases }));
    const served = serve(program, 'calc');
    program.say('add');
    const result = await program.result();
    expect([1, 2].map((each) => stage.results(each)[0]?.text)).toEqual(['5', '6']);
    expect(stage.results(3)[0]).toMatchObject({ isError: true });
    expect(stage.results(3)[0]?.text).toContain('Grep');
    expect(result).toMatchObject({ result: 'Done.' });
    served.stop();
    await program.end();
  });

  it('asks the questions of the model as calls of AskUserQuestion, with previews where they are wanted', async () => {
    stage.server.reply(
      call('AskUser', { question: 'Which?', options: [{ label: 'A', preview: '<b>A</b>' }, { label: 'B' }] }),
      call('AskUser', { question: 'Many?', multiple: true, options: ['x', 'y', 'z'] }, 'toolu_2'),
      call('AskUser', { question: 'Own?', options: ['x', 'y'] }, 'toolu_3'),
      call('AskUser', { question: 'Name?' }, 'toolu_4'),
      call('AskUser', { question: 'Never?' }, 'toolu_5'),
      say('Done.'),
    );
    start(stdio, { CLAUDE_CODE_QUESTION_PREVIEW_FORMAT: 'html' });
    program.send(initialize({}));
    program.say('go');
    const first = await asked(program, 'can_use_tool');
    const options = [
      { label: 'A', description: '', preview: '<b>A</b>' },
      { label: 'B', description: '' },
    ];
    expect(first.request).toMatchObject({
      tool_name: 'AskUserQuestion',
      tool_use_id: 'toolu_1',
      input: { questions: [{ question: 'Which?', options, multiSelect: false }] },
    });
    const reply = (line: Line, answers: Record<string, string>) =>
      program.send(answer(line, { behavior: 'allow', updatedInput: { answers } }));
    reply(first, { 'Which?': 'B' });
    const many = await asked(program, 'can_use_tool');
    expect(many.request).toMatchObject({ input: { questions: [{ multiSelect: true }] } });
    reply(many, { 'Many?': 'x, z' });
    reply(await asked(program, 'can_use_tool'), { 'Own?': 'neither' });
    reply(await asked(program, 'can_use_tool'), { 'Name?': 'Ada' });
    program.send(answer(await asked(program, 'can_use_tool'), { behavior: 'deny', message: 'no' }));
    await program.result();
    const texts = [1, 2, 3, 4, 5].map((each) => stage.results(each)[0]?.text);
    expect(texts).toEqual([
      'The user answered: B',
      'The user answered: x; z',
      'The user answered in their own words: neither',
      'The user answered: Ada',
      expect.stringContaining('declined'),
    ]);
    const tool = sent(0).tools.find(({ name }) => name === 'AskUser');
    expect(JSON.stringify(tool?.input_schema)).toContain('fragment of HTML');
    await program.end();
  });

  it('gives agents their effort, their reminder and no instructions, and starts those in the background', async () => {
    await stage.file('AGENTS.md', 'ZZRULES');
    stage.server.handle(async ({ body }) => {
      const { messages } = body as unknown as { messages: readonly unknown[] };
      const said = JSON.stringify(messages);
      if (said.includes('SUBTASK') && !said.includes('go')) return say('Sub done.');
      return said.includes('toolu_1')
        ? say('Done.')
        : call('Agent', { prompt: 'SUBTASK', subagent_type: 'quick' });
    });
    start();
    const quick = {
      description: 'Is quick',
      prompt: 'Be quick.',
      effort: 'low',
      background: true,
      omitClaudeMd: true,
      criticalSystemReminder_EXPERIMENTAL: 'ZZREMIND',
    };
    program.send(initialize({ agents: { quick } }));
    program.say('go');
    expect(await program.next(isSystem('task_started'))).toMatchObject({ subagent_type: 'quick' });
    await program.result();
    await expect.poll(() => agentRequest()).toBeDefined();
    expect(JSON.stringify(sent(0).system)).toContain('ZZRULES');
    expect(JSON.stringify(agentRequest()?.system)).toContain('ZZREMIND');
    expect(JSON.stringify(agentRequest()?.system)).not.toContain('ZZRULES');
    expect(agentRequest()).toMatchObject({ output_config: { effort: 'low' } });
    await program.end();
  });

  it('tells the model how to plan with a prompt of the program, without the mark between its parts', async () => {
    stage.server.reply(say('One.'));
    start(['--permission-mode', 'plan']);
    const systemPrompt = ['ZZFIRST', '__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__', 'ZZSECOND'];
    program.send(initialize({ systemPrompt, planModeInstructions: 'ZZPLAN' }));
    program.say('go');
    await program.result();
    expect(JSON.stringify(stage.messages(0))).toContain('ZZPLAN');
    expect(JSON.stringify(sent(0).system)).toMatch(/ZZFIRST.*ZZSECOND/);
    expect(JSON.stringify(sent(0).system)).not.toContain('BOUNDARY');
    await program.end();
  });

  it('keeps the budget of the task beside text that initialize appends', async () => {
    stage.server.reply(say('One.'));
    start(['--task-budget', '50000']);
    program.send(initialize({ appendSystemPrompt: 'ZZAPPEND' }));
    program.say('go');
    await program.result();
    expect(JSON.stringify(sent(0).system)).toMatch(/ZZAPPEND.*about 50000 tokens/);
    await program.end();
  });

  it('does not offer a tool that is disallowed, and does not run it either', async () => {
    stage.server.reply(call('Bash', { command: 'touch made' }), say('Done.'));
    start(['--disallowedTools', 'Bash,NotebookEdit,Write(*.md)', '--permission-mode', 'bypassPermissions']);
    program.send(initialize({}));
    program.say('go');
    await program.result();
    const names = sent(0).tools.map(({ name }) => name);
    expect(names).not.toContain('Bash');
    expect(names).toContain('Write');
    expect(stage.results(1)).toMatchObject([{ isError: true }]);
    expect(existsSync(join(stage.cwd, 'made'))).toBe(false);
    await program.end();
  });

  it.each([
    ['manual', 'default'],
    ['dontAsk', 'dontAsk'],
  ])('starts in the mode %s and says so', async (mode, shown) => {
    start(['--permission-mode', mode]);
    program.send(initialize({}));
    expect(await program.next(isSystem('init'))).toMatchObject({ permissionMode: shown });
    program.send(request('m', { subtype: 'set_permission_mode', mode }));
    expect(await answerTo(program, 'm')).toMatchObject({ subtype: 'success', response: { mode: shown } });
    await program.end();
  });

  it('prints no thinking where it is to be omitted', async () => {
    stage.server.reply(anthropicReply({ thinking: { text: 'ZZTHOUGHT', signature: 's' }, text: 'One.' }));
    start(['--thinking', 'low', '--thinking-display', 'omitted', '--include-partial-messages']);
    program.send(initialize({}));
    program.say('go');
    expect(await program.result()).toMatchObject({ result: 'One.' });
    expect(JSON.stringify(program.lines)).not.toContain('ZZTHOUGHT');
    expect(program.of('assistant')).toMatchObject([
      { message: { content: [{ type: 'thinking', thinking: '', signature: 's' }, { text: 'One.' }] } },
    ]);
    await program.end();
  });

  it('prints thinking or not as a request says, until null restores the option', async () => {
    const thought = anthropicReply({ thinking: { text: 'ZZTHOUGHT', signature: 's' }, text: 'One.' });
    stage.server.reply(thought, thought, thought);
    start(['--thinking', 'low']);
    program.send(initialize({}));
    const shown: boolean[] = [];
    for (const display of ['omitted', 'summarized', null]) {
      const id = `display ${display}`;
      program.send(request(id, { subtype: 'set_max_thinking_tokens', thinking_display: display }));
      expect(await answerTo(program, id)).toMatchObject({ response: { thinking: 'low' } });
      const before = program.lines.length;
      program.say('go');
      await expect.poll(() => program.of('result').length).toBe(shown.length + 1);
      shown.push(JSON.stringify(program.lines.slice(before)).includes('ZZTHOUGHT'));
    }
    expect(shown).toEqual([false, true, true]);
    await program.end();
  });

  it('takes hooks for events that never happen here or only watch, and refuses those that may guard', async () => {
    stage.server.reply(say('Done.'));
    start();
    const hooks = {
      TaskCreated: [{ hookCallbackIds: ['a'] }],
      InstructionsLoaded: [{ hookCallbackIds: ['b'] }],
    };
    program.send(initialize({ hooks }));
    program.say('go');
    expect(await program.result()).toMatchObject({ result: 'Done.' });
    await program.end();
    expect(program.stderr).toBe(
      'robota: Not used in initialize: hooks.TaskCreated, hooks.InstructionsLoaded.\n',
    );
    start();
    program.send(initialize({ hooks: { ...hooks, ConfigChange: [{ hookCallbackIds: ['c'] }] } }));
    expect(await answerTo(program, 'init')).toMatchObject({
      error: expect.stringContaining('Unsupported hook events: ConfigChange.'),
    });
    expect(await program.exited).toBe(2);
  });

  it('prints a message after the events of all its blocks', async () => {
    stage.server.reply(call('Glob', { pattern: '*' }), say('Done.'));
    start(['--include-partial-messages']);
    program.send(initialize({}));
    program.say('go');
    await program.result();
    const kinds = program.lines
      .filter(({ type }) => type === 'stream_event' || type === 'assistant')
      .map(({ type, event }) => (event as { type?: string } | undefined)?.type ?? type);
    const call1 = ['content_block_start', 'content_block_delta', 'content_block_stop'];
    expect(kinds.slice(0, 7)).toEqual([
      'message_start',
      ...call1,
      'message_delta',
      'message_stop',
      'assistant',
    ]);
    await program.end();
  });

  it('prints the output of a command that asks no model before its result', async () => {
    start();
    program.send(initialize({}));
    program.say('/mode plan');
    const { result } = await program.result();
    const output = program.lines.findIndex(isSystem('local_command_output'));
    expect(program.lines[output]).toMatchObject({ content: result });
    expect(program.lines.findIndex(({ type }) => type === 'result')).toBeGreaterThan(output);
    await program.end();
  });

  it('says at once that a server of the program is connected', async () => {
    stage.server.reply(say('Done.'));
    start();
    program.send(initialize({ sdkMcpServers: ['calc'] }));
    const served = serve(program, 'calc');
    program.say('go');
    expect(await program.next(isSystem('init'))).toMatchObject({
      mcp_servers: [{ name: 'calc', status: 'connected' }],
    });
    await program.result();
    served.stop();
    await program.end();
  });
});

describe('messages of the Claude Agent SDK', () => {
  it('tells of a compaction by its boundary, and of nothing by events that the SDK does not know', async () => {
    stage.server.reply(say('One. '.repeat(2_000)), say('A summary.'));
    start();
    program.send(initialize({}));
    program.say('go');
    await program.result();
    program.say('/compact');
    const boundary = await program.next(isSystem('compact_boundary'));
    expect(boundary).toMatchObject({
      compact_metadata: {
        trigger: 'manual',
        pre_tokens: expect.any(Number),
        post_tokens: expect.any(Number),
      },
      session_id: expect.any(String),
      uuid: expect.any(String),
    });
    await program.result();
    expect(program.lines.filter(isSystem('status'))).toMatchObject([
      { status: 'compacting' },
      { status: null, compact_result: 'success' },
    ]);
    expect(program.of('stream_event')).toEqual([]);
    await program.end();
  });

  it('tells of a compaction that the session began by itself', async () => {
    stage.server.reply(
      anthropicReply({ text: 'One. '.repeat(2_000), usage: { input: 990_000 } }),
      say('A summary.'),
      say('Two.'),
    );
    start();
    program.send(initialize({}));
    program.say('go');
    await program.result();
    program.say('go on');
    const { compact_metadata: about } = await program.next(isSystem('compact_boundary'));
    expect(about).toMatchObject({ trigger: 'auto', pre_tokens: expect.any(Number) });
    expect(await program.result()).toMatchObject({ result: 'Two.' });
    await program.end();
  });

  it('says why a compaction failed', async () => {
    await stage.settings({ retry: { maxRetries: 0 } });
    const error = { type: 'invalid_request_error', message: 'no summaries today' };
    const long = say('One. '.repeat(2_000));
    stage.server.reply(long, long, long, long, jsonReply(400, { type: 'error', error }));
    start();
    program.send(initialize({}));
    for (const prompt of ['one', 'two', 'three', 'four']) {
      program.say(prompt);
      await program.result();
    }
    program.say('/compact');
    expect(await program.result()).toMatchObject({ is_error: true });
    expect(program.lines.filter(isSystem('status')).at(-1)).toMatchObject({
      status: null,
      compact_result: 'failed',
      compact_error: expect.stringContaining('no summaries today'),
    });
    expect(program.lines.filter(isSystem('compact_boundary'))).toEqual([]);
    await program.end();
  });

  it('tells of a rate limit with the time of its reset in seconds', async () => {
    await stage.settings({ retry: { maxRetries: 0 } });
    const error = { type: 'rate_limit_error', message: 'slow down' };
    stage.server.reply(jsonReply(429, { type: 'error', error }, { 'retry-after': '1' }), say('Done.'));
    start(['--wait-for-limit', '1h']);
    const before = Date.now() / 1000;
    program.send(initialize({}));
    program.say('go');
    const { rate_limit_info: info } = await program.next(({ type }) => type === 'rate_limit_event');
    expect(info).toEqual({ status: 'rejected', resetsAt: expect.any(Number) });
    const { resetsAt } = info as { resetsAt: number };
    expect(Number.isInteger(resetsAt)).toBe(true);
    expect(resetsAt).toBeGreaterThan(before);
    expect(await program.result()).toMatchObject({ result: 'Done.' });
    await program.end();
  });

  it('lists the tasks that have not ended with each change, and counts tokens as the API does', async () => {
    const command = 'until [ -e stop ]; do sleep 0.02; done';
    stage.server.reply(call('Bash', { command, run_in_background: true }), say('Started.'), say('Ended.'));
    start(['--allow', 'Bash']);
    program.send(initialize({}));
    program.say('go');
    const tasks = [{ task_id: expect.any(String), task_type: 'local_bash', description: command }];
    expect(await program.next(isSystem('task_started'))).toMatchObject({
      ...tasks[0],
      is_backgrounded: true,
    });
    expect(await program.next(isSystem('background_tasks_changed'))).toMatchObject({ tasks });
    const usage = {
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
      service_tier: 'standard',
    };
    expect(await program.result()).toMatchObject({ usage });
    expect(program.of('assistant')[0]).toMatchObject({ message: { usage, stop_sequence: null } });
    // A program that connects again is told the tasks that are left.
    program.send(request('again', { subtype: 'initialize' }));
    expect(await answerTo(program, 'again')).toMatchObject({ subtype: 'success' });
    expect(await program.next(isSystem('background_tasks_changed'))).toMatchObject({ tasks });
    await stage.file('stop', '');
    expect(await program.next(isSystem('background_tasks_changed'))).toMatchObject({ tasks: [] });
    expect(program.lines.filter(isSystem('task_notification'))).toMatchObject([{ status: 'completed' }]);
    await program.end();
  });

  it('counts cost and tokens by model over all prompts, with those of agents', async () => {
    const model = 'anthropic/claude-sonnet-4-6';
    const used = { usage: { input: 1_000, output: 100 } };
    stage.server.reply(
      anthropicReply({ text: 'One.', ...used }),
      anthropicReply({
        toolCalls: [{ name: 'Agent', input: { description: 'd', prompt: 'SUBTASK' }, id: 'toolu_1' }],
        ...used,
      }),
      anthropicReply({ text: 'Sub done.', ...used }),
      anthropicReply({ text: 'Two.', ...used }),
    );
    start();
    program.send(initialize({}));
    program.say('go');
    const first = await program.result();
    expect(first).toMatchObject({ modelUsage: { [model]: { inputTokens: 1_000, outputTokens: 100 } } });
    program.say('go on');
    const cost = (first.total_cost_usd as number) * 4;
    const all = { inputTokens: 4_000, outputTokens: 400, costUSD: expect.closeTo(cost, 8) };
    expect(await program.result()).toMatchObject({
      result: 'Two.',
      total_cost_usd: expect.closeTo(cost, 8),
      modelUsage: { [model]: all },
      usage: { input_tokens: 2_000, output_tokens: 200 },
    });
    program.send(request('usage', { subtype: 'get_usage' }));
    const { response } = await answerTo(program, 'usage');
    expect(response).toMatchObject({ session: { model_usage: { [model]: all } } });
    await program.end();
  });

  it('takes note of subscribers without an effect on the session', async () => {
    stage.server.reply(say('One.'));
    start();
    const watched = (id: string, value: unknown) =>
      request(id, { subtype: 'set_has_subscribers', has_subscribers: value });
    program.send(initialize({}), watched('yes', true), watched('no', false), watched('unknown', null));
    for (const id of ['yes', 'no', 'unknown'])
      expect(await answerTo(program, id)).toEqual({ subtype: 'success', request_id: id, response: {} });
    program.send(watched('wrong', 'maybe'));
    expect(await answerTo(program, 'wrong')).toMatchObject({
      subtype: 'error',
      error: expect.stringContaining('true, false or null'),
    });
    program.say('go');
    expect(await program.result()).toMatchObject({ result: 'One.' });
    await program.end();
  });
});

/** The request of the agent, which has its task as the first message. */
function agentRequest(): SentRequest | undefined {
  const found = stage.server.requests.find(({ body }) => {
    const { messages } = body as unknown as { messages: readonly unknown[] };
    return JSON.stringify(messages[0]).includes('SUBTASK');
  });
  return found?.body as unknown as SentRequest | undefined;
}
