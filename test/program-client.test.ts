import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicError, anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { encodePng } from '../packages/agent-tools/src/image/encode-png.ts';
import type { Line } from './program.ts';
import { answer, answerTo, asked, initialize, request, serve } from './program-channel.ts';
import { programHarness } from './program-harness.ts';

const desk = programHarness();
const { start } = desk;

const say = (text: string) => anthropicReply({ text });
const call = (name: string, input: unknown, id = 'toolu_1') =>
  anthropicReply({ toolCalls: [{ name, input, id }] });
/** The system prompt of a request to the model. */
function systemOf(index: number): string {
  const { system } = (desk.stage.server.requests.at(index)?.body ?? {}) as { system?: unknown };
  return JSON.stringify(system);
}

describe('what a program brings with initialize', () => {
  it('runs its hooks before the calls they guard, and a denial stands', async () => {
    desk.stage.server.reply(call('Bash', { command: 'touch made' }), say('Done.'));
    const program = start('--allow', 'Bash');
    program.send(initialize({ hooks: { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['guard'] }] } }));
    expect(await answerTo(program, 'init')).toMatchObject({
      subtype: 'success',
      response: { hooks_applied: true },
    });
    program.say('go');
    const hook = await asked(program, 'hook_callback');
    expect(hook.request).toMatchObject({
      callback_id: 'guard',
      tool_use_id: 'toolu_1',
      input: { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'touch made' } },
    });
    const denial = {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'no',
    };
    program.send(answer(hook, { hookSpecificOutput: denial }));
    await program.result();
    expect(existsSync(join(desk.stage.cwd, 'made'))).toBe(false);
    expect(desk.stage.results(1)).toMatchObject([{ isError: true, text: expect.stringContaining('no') }]);
    expect(await program.end()).toBe(0);
  });

  it.each(['continue', 'block'])('denies a call whose hook fails (onFailure %s)', async (onFailure) => {
    desk.stage.server.reply(call('Bash', { command: 'touch made' }), say('Done.'));
    const program = start('--allow', 'Bash');
    program.send(initialize({ hooks: { PreToolUse: [{ hookCallbackIds: ['guard'], onFailure }] } }));
    program.say('go');
    const { request_id } = await asked(program, 'hook_callback');
    program.send({ type: 'control_response', response: { subtype: 'error', request_id, error: 'crashed' } });
    await program.result();
    expect(existsSync(join(desk.stage.cwd, 'made'))).toBe(false);
    await program.end();
  });

  it('asks an MCP server that lives in the program, and hears what it says on its own', async () => {
    desk.stage.server.reply(call('mcp__calc__add', { a: 2, b: 3 }), say('Five.'));
    const program = start('--allow', 'mcp__calc__add');
    program.send(initialize({ sdkMcpServers: ['calc'] }));
    program.say('add');
    const served = serve(program, 'calc');
    expect(await program.result()).toMatchObject({ result: 'Five.', permission_denials: [] });
    expect(desk.stage.results(1)).toMatchObject([{ isError: false, text: '5' }]);
    program.send(request('status', { subtype: 'mcp_status' }));
    expect(await answerTo(program, 'status')).toMatchObject({
      response: { mcpServers: [{ name: 'calc', status: 'connected', tools: [{ name: 'add' }] }] },
    });
    const note = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    program.send(request('note', { subtype: 'mcp_message', server_name: 'calc', message: note }));
    expect(await answerTo(program, 'note')).toMatchObject({ subtype: 'success' });
    program.send(request('stray', { subtype: 'mcp_message', server_name: 'other', message: note }));
    expect(await answerTo(program, 'stray')).toMatchObject({ subtype: 'error' });
    expect(await program.end()).toBe(0);
    served.stop();
  });

  it('passes what a server asks on to the program, and its answer back', async () => {
    const program = start();
    program.send(initialize({ sdkMcpServers: ['calc'] }));
    const served = serve(program, 'calc');
    await answerTo(program, 'init');
    program.send(request('on', { subtype: 'mcp_reconnect', serverName: 'calc' }));
    await answerTo(program, 'on');
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    const params = { message: 'Who?', requestedSchema: schema };
    const message = { jsonrpc: '2.0', id: 'e1', method: 'elicitation/create', params };
    program.send(request('ask', { subtype: 'mcp_message', server_name: 'calc', message }));
    const question = await asked(program, 'elicitation');
    expect(question.request).toMatchObject({
      mcp_server_name: 'calc',
      message: 'Who?',
      mode: 'form',
      requested_schema: schema,
    });
    program.send(answer(question, { action: 'accept', content: { name: 'Ada' } }));
    const isHeard = ({ type, request: sent }: Line) =>
      type === 'control_request' && JSON.stringify(sent).includes('"Ada"');
    await expect.poll(() => program.lines.some(isHeard)).toBe(true);
    served.stop();
    await program.end();
  });

  it('uses its prompts, agents, schema and title', async () => {
    desk.stage.server.reply(say('{"ok":true}'));
    const program = start();
    program.send(
      initialize({
        systemPrompt: ['Speak like a pirate.'],
        appendSystemPrompt: 'Be brief.',
        agents: { reviewer: { description: 'Reads diffs', prompt: 'Review.', tools: ['Read'] } },
        jsonSchema: { type: 'object', required: ['ok'] },
        title: 'A name',
        skills: [],
      }),
    );
    const { response } = await answerTo(program, 'init');
    expect(response?.agents).toContainEqual({ name: 'reviewer', description: 'Reads diffs' });
    program.say('go');
    expect(await program.result()).toMatchObject({ structured_output: { ok: true } });
    expect(systemOf(0)).toContain('Speak like a pirate.');
    expect(systemOf(0)).toContain('Be brief.');
    expect(JSON.stringify(desk.stage.server.requests[0]?.body)).toContain('Reads diffs');
    await program.end();
    expect(await desk.stage.sessionLines('session.jsonl')).toContainEqual(
      expect.objectContaining({ name: 'A name' }),
    );
  });

  it('takes an empty system prompt, and leaves the built-in one where none is given', async () => {
    desk.stage.server.reply(say('One.'), say('Two.'));
    const bare = start();
    bare.send(initialize({ systemPrompt: [''] }));
    bare.say('go');
    await bare.result();
    await bare.end();
    const full = start();
    full.send(initialize({}));
    full.say('go');
    await full.result();
    await full.end();
    expect(systemOf(0).length).toBeLessThan(systemOf(1).length);
  });

  it.each<[string, object]>([
    ['a field nobody knows', { futureGuard: true }],
    ['a hook event that does not exist', { hooks: { BeforeAnything: [{ hookCallbackIds: ['a'] }] } }],
    ['hooks that are not a list', { hooks: { PreToolUse: { hookCallbackIds: ['a'] } } }],
    [
      'a matcher that is no pattern',
      { hooks: { PreToolUse: [{ matcher: 'Bash(', hookCallbackIds: ['a'] }] } },
    ],
    ['a hook without callbacks', { hooks: { PreToolUse: [{ matcher: 'Bash' }] } }],
    [
      'an agent with a field that has no counterpart',
      { agents: { a: { description: 'x', prompt: 'y', memory: 'user' } } },
    ],
    [
      'a setting of a server that has no counterpart',
      { sdkMcpServers: ['a'], sdkMcpServerConfigs: { a: { futureGuard: true } } },
    ],
    ['an alias that names no tool', { toolAliases: { Bash: 3 } }],
    ['MCP servers that are no object', { mcpServers: ['a'] }],
  ])('ends with exit code 2 before any prompt is answered: %s', async (_, fields) => {
    const program = start('--permission-mode', 'bypassPermissions');
    program.send(initialize(fields));
    program.say('go');
    expect(await answerTo(program, 'init')).toMatchObject({ subtype: 'error', error: expect.any(String) });
    expect(await program.exited).toBe(2);
    expect(program.of('result')).toEqual([]);
    expect(desk.stage.server.requests).toEqual([]);
    expect(program.stderr).toContain('no prompt is answered');
  });

  it('ends with exit code 2 where hooks are given and the user has disabled all hooks', async () => {
    await desk.stage.settings({ disableAllHooks: true });
    const program = start('--allow', 'Bash');
    program.send(initialize({ hooks: { PreToolUse: [{ hookCallbackIds: ['a'] }] } }));
    program.say('go');
    expect(await answerTo(program, 'init')).toMatchObject({ subtype: 'error' });
    expect(await program.exited).toBe(2);
    expect(desk.stage.server.requests).toEqual([]);
  });

  it('names fields that are no guard and passes over them; announced servers stand in the first request', async () => {
    desk.stage.server.reply(say('One.'));
    const fields = (version: string) => ({
      sdkMcpServers: ['calc'],
      sdkMcpServerManifests: {
        calc: {
          initializeResult: { protocolVersion: version, capabilities: { tools: {} }, serverInfo: {} },
          toolsListResult: { tools: [{ name: 'add', inputSchema: { type: 'object' } }] },
        },
      },
      systemPromptSnapshot: true,
    });
    const program = start();
    program.send(initialize(fields('2025-11-25')));
    expect(await answerTo(program, 'init')).toMatchObject({ subtype: 'success' });
    expect(program.stderr).toContain('Not used in initialize: systemPromptSnapshot.');
    // An SDK that connects again says the same of the session, whatever it found out about its servers.
    program.send(request('again', { subtype: 'initialize', ...fields('2024-11-05') }));
    expect(await answerTo(program, 'again')).toMatchObject({ subtype: 'success' });
    program.say('go');
    await program.next(({ type }) => type === 'result');
    expect(desk.stage.server.requests[0]?.body).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'mcp__calc__add' })]),
    });
  });

  it('cannot be changed once the session is open; the same again is fine', async () => {
    desk.stage.server.reply(say('One.'));
    const hooks = { hooks: { Stop: [{ hookCallbackIds: ['a'] }] } };
    const program = start();
    program.send(initialize(hooks), request('again', { subtype: 'initialize', ...hooks }));
    expect(await answerTo(program, 'again')).toMatchObject({ subtype: 'success' });
    program.send(request('other', { subtype: 'initialize', systemPrompt: ['x'] }));
    expect(await answerTo(program, 'other')).toMatchObject({ subtype: 'error' });
    program.say('still here');
    program.send(answer(await asked(program, 'hook_callback'), {}));
    expect(await program.result()).toMatchObject({ result: 'One.' });
    expect(await program.end()).toBe(0);
  });
});

describe('what a program can ask for', () => {
  it('changes permissions with rules of its own in an answer, and hears what has no effect', async () => {
    desk.stage.server.reply(
      call('Bash', { command: 'touch a' }),
      call('Bash', { command: 'touch b' }),
      call('Bash', { command: 'mkdir c' }),
      say('Done.'),
    );
    const program = start('--permission-prompt-tool', 'stdio');
    program.send(initialize({}));
    program.say('go');
    const rules = (behavior: string, ruleContent: string, destination = 'session') => ({
      type: 'addRules',
      rules: [{ toolName: 'Bash', ruleContent }],
      behavior,
      destination,
    });
    const question = await asked(program, 'can_use_tool');
    program.send(
      answer(question, {
        behavior: 'allow',
        updatedInput: question.request.input,
        updatedPermissions: [
          rules('allow', 'touch:*'),
          rules('deny', 'mkdir:*', 'userSettings'),
          { type: 'removeRules', rules: [], behavior: 'allow', destination: 'session' },
        ],
      }),
    );
    const result = await program.result();
    expect(result).toMatchObject({ result: 'Done.', permission_denials: [{ tool_name: 'Bash' }] });
    expect([1, 2, 3].map((each) => desk.stage.results(each)[0]?.isError)).toEqual([false, false, true]);
    expect(await program.end()).toBe(0);
    expect(program.stderr).toContain('hold for this session only');
    expect(program.stderr).toContain('An entry of updatedPermissions has no effect');
  });

  it('ends a run by a hook without a failure', async () => {
    desk.stage.server.reply(call('Bash', { command: 'touch made' }));
    const program = start('--allow', 'Bash');
    program.send(initialize({ hooks: { PreToolUse: [{ hookCallbackIds: ['guard'] }] } }));
    program.say('go');
    const question = await asked(program, 'hook_callback');
    program.send(answer(question, { continue: false, stopReason: 'ZZSTOP' }));
    expect(await program.result()).toMatchObject({ subtype: 'success', is_error: false });
    expect(await program.end()).toBe(0);
  });

  it('tells settings, rules and its version, takes a name, and takes a waiting prompt back', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    desk.stage.server.handle(async () => {
      await gate;
      return say('Done.');
    });
    const program = start('--allow', 'Bash(ls)', '--deny', 'Bash(rm *)');
    const ask = async (subtype: string, fields: object = {}) => {
      program.send(request(subtype, { subtype, ...fields }));
      return (await answerTo(program, subtype)).response;
    };
    expect(await ask('get_settings')).toMatchObject({
      effective: { permissions: { defaultMode: 'default', allow: expect.arrayContaining(['Bash(ls)']) } },
      applied: { model: expect.stringContaining('anthropic/') },
    });
    expect(await ask('list_permission_rules')).toMatchObject({
      state: {
        rules: expect.arrayContaining([expect.objectContaining({ behavior: 'deny', rule: 'Bash(rm *)' })]),
      },
    });
    expect(await ask('get_binary_version')).toMatchObject({ version: expect.stringMatching(/^\d/) });
    expect(await ask('rename_session', { title: 'Named by a program' })).toEqual({});
    expect(
      await ask('generate_session_title', { description: ' Mend\n the  cart ', persist: false }),
    ).toEqual({
      title: 'Mend the cart',
    });
    expect(await ask('background_tasks')).toEqual({ backgrounded: false });
    program.say('go');
    program.send({
      type: 'user',
      uuid: 'later',
      priority: 'later',
      message: { role: 'user', content: 'and then' },
    });
    expect(await ask('cancel_async_message', { message_uuid: 'later' })).toEqual({ cancelled: true });
    program.send(request('twice', { subtype: 'cancel_async_message', message_uuid: 'later' }));
    expect((await answerTo(program, 'twice')).response).toEqual({ cancelled: false });
    program.say('and at last', { uuid: 'last', priority: 'later' });
    expect(await ask('interrupt', { cancel_queued: true })).toEqual({
      still_queued: [],
      cancelled: ['last'],
    });
    release();
    expect(await program.end()).toBe(0);
    expect(program.of('result')).toHaveLength(1);
  });

  it('answers editors about texts, files, hooks and settings beside the conversation, and ends', async () => {
    await desk.stage.settings({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } });
    await desk.stage.file('kept.txt', 'old');
    await desk.stage.file('hidden.txt', 'secret');
    await desk.stage.file('.agentignore', 'hidden.txt');
    const write = call('Write', { file_path: 'kept.txt', content: 'new' });
    desk.stage.server.reply(say('The word is fig.'), say('Fig.'), write, say('Written.'));
    const program = start('--permission-mode', 'acceptEdits', '--include-hook-events');
    const ask = async (subtype: string, fields: object = {}) => {
      program.send(request(subtype, { subtype, ...fields }));
      const { response, error } = await answerTo(program, subtype);
      return response ?? error;
    };
    program.say('Remember a word.');
    await program.result();
    expect(program.of('system').map(({ subtype }) => subtype)).toEqual([
      'init',
      'hook_started',
      'hook_response',
    ]);
    expect(await ask('side_question', { question: 'Which word?' })).toEqual({
      response: 'Fig.',
      synthetic: false,
    });
    expect(JSON.stringify(desk.stage.messages(1))).toMatch(/Remember a word.*Which word/);
    const exported = (await ask('export_conversation')) as { text: string; default_filename: string };
    expect(exported.text).toContain('The word is fig.');
    expect(exported.text).not.toContain('Which word');
    expect(exported.default_filename).toMatch(/\.md$/);
    expect(await ask('get_session_cost')).toMatchObject({ text: expect.stringContaining('$') });
    expect(JSON.stringify(await ask('get_status'))).toContain(desk.stage.cwd);
    expect(await ask('get_hooks_listing')).toMatchObject({
      hooks: [{ event: 'Stop', source: 'userSettings', type: 'command', displayText: 'true' }],
      events: [{ name: 'Stop', hookCount: 1 }],
    });
    expect(await ask('file_suggestions', { query: 'kep' })).toMatchObject({
      suggestions: [{ path: 'kept.txt' }],
    });
    expect(await ask('read_file', { path: 'kept.txt', max_bytes: 2 })).toMatchObject({
      contents: 'ol',
      truncated: true,
    });
    expect(await ask('read_file', { path: 'hidden.txt' })).toContain('hidden');
    expect(
      await ask('update_settings', { source: 'userSettings', settings: { effortLevel: 'low' } }),
    ).toEqual({});
    expect(await ask('update_settings', { source: 'userSettings', settings: { hooks: {} } })).toContain(
      'hooks',
    );
    expect(await ask('get_task_output', { task_id: 'none' })).toContain('No tasks exist');
    expect(await ask('set_mcp_permission_mode_override', { serverName: 'x', mode: 'default' })).toMatchObject(
      {
        warning: expect.any(String),
      },
    );
    // A file that the model saw before may be written without another look.
    const { mtimeMs } = await stat(join(desk.stage.cwd, 'kept.txt'));
    expect(await ask('seed_read_state', { path: 'kept.txt', mtime: Math.floor(mtimeMs) })).toEqual({});
    program.say('Write it.');
    expect(await program.result()).toMatchObject({ result: 'Written.' });
    expect(await readFile(join(desk.stage.cwd, 'kept.txt'), 'utf8')).toBe('new');
    expect(await readFile(join(desk.stage.home, '.robota/settings.json'), 'utf8')).toContain(
      '"thinking": "low"',
    );
    expect(await ask('end_session')).toEqual({});
    expect(await program.exited).toBe(0);
  });

  it('forwards the words of agents, suggests what to say next, and tells the environment with the prompt', async () => {
    desk.stage.server.reply(
      call('Agent', { prompt: 'Say hi.' }),
      say('Hi from the agent.'),
      say('Done.'),
      say('Run the tests\n'),
    );
    const program = start();
    program.send(
      initialize({ forwardSubagentText: true, promptSuggestions: true, excludeDynamicSections: true }),
    );
    program.say('go');
    await program.result();
    expect(await program.next(({ type }) => type === 'prompt_suggestion')).toMatchObject({
      suggestion: 'Run the tests',
    });
    expect(await program.end()).toBe(0);
    expect(program.stderr).not.toContain('Not used');
    expect(program.of('assistant')).toMatchObject([
      { parent_tool_use_id: null },
      { parent_tool_use_id: 'toolu_1', message: { content: [{ text: 'Hi from the agent.' }] } },
      { parent_tool_use_id: null, message: { content: [{ text: 'Done.' }] } },
    ]);
    expect(systemOf(0)).not.toContain('Working directory');
    expect(JSON.stringify(desk.stage.messages(0))).toContain(`Working directory: ${desk.stage.cwd}`);
  });

  it('takes images of any size, and sends them as large as vendors take them', async () => {
    desk.stage.server.reply(say('Seen.'));
    const program = start();
    const [width, height] = [4_000, 2];
    const data = encodePng({ width, height, pixels: new Uint8ClampedArray(width * height * 4).fill(9) });
    const source = { type: 'base64', media_type: 'image/png', data: data.toString('base64') };
    program.send({ type: 'user', message: { role: 'user', content: [{ type: 'image', source }] } });
    await program.result();
    const sent = JSON.stringify(desk.stage.server.requests.at(-1)?.body);
    expect(sent).toContain('[image shown at 2000×1 of 4000×2 pixels]');
    expect(sent).not.toContain(source.data);
    expect(await program.end()).toBe(0);
  });

  it('answers every request of the SDKs', async () => {
    desk.stage.server.reply(call('Write', { file_path: 'a.txt', content: 'new' }), say('Done.'));
    const program = start('--permission-mode', 'acceptEdits');
    const uuid = '11111111-1111-4111-8111-111111111111';
    program.send(initialize({}));
    expect((await answerTo(program, 'init')).response).toMatchObject({
      commands: expect.arrayContaining([expect.objectContaining({ name: 'help' })]),
      models: expect.arrayContaining([expect.objectContaining({ value: expect.any(String) })]),
      agents: expect.arrayContaining([expect.objectContaining({ name: 'general-purpose' })]),
      account: { apiKeySource: 'ANTHROPIC_API_KEY' },
      output_style: 'default',
    });
    program.say('go', { uuid });
    await program.result();
    const requests: readonly (readonly [object, object])[] = [
      [{ subtype: 'set_model', model: 'claude-haiku-4-5' }, { model: 'anthropic/claude-haiku-4-5' }],
      [{ subtype: 'set_model' }, { model: 'anthropic/claude-sonnet-4-6' }],
      [{ subtype: 'set_permission_mode', mode: 'plan' }, { mode: 'plan' }],
      [{ subtype: 'set_permission_mode', mode: 'dontAsk' }, { mode: 'dontAsk' }],
      [{ subtype: 'set_max_thinking_tokens', max_thinking_tokens: 4000 }, { thinking: 'low' }],
      [{ subtype: 'set_max_thinking_tokens', max_thinking_tokens: 0 }, { thinking: 'off' }],
      [{ subtype: 'set_max_thinking_tokens', max_thinking_tokens: null }, { thinking: 'off' }],
      [{ subtype: 'get_context_usage' }, { totalTokens: expect.any(Number), maxTokens: expect.any(Number) }],
      [{ subtype: 'get_usage' }, { session: { total_cost_usd: expect.any(Number) } }],
      [{ subtype: 'list_models' }, { models: expect.any(Array) }],
      [{ subtype: 'mcp_status' }, { mcpServers: [] }],
      [{ subtype: 'reload_plugins' }, { commands: expect.any(Array), plugins: [], error_count: 0 }],
      [{ subtype: 'reload_skills' }, { skills: expect.any(Array) }],
      [{ subtype: 'reload_output_styles' }, { available_output_styles: ['default'] }],
      [{ subtype: 'apply_flag_settings', settings: { permissions: { deny: ['Bash'] } } }, {}],
      [
        { subtype: 'mcp_set_servers', servers: {} },
        { added: [], removed: [], errors: {} },
      ],
      [
        { subtype: 'rewind_files', user_message_id: uuid, dry_run: true },
        { canRewind: true, filesChanged: [join(desk.stage.cwd, 'a.txt')] },
      ],
      [
        { subtype: 'rewind_files', user_message_id: uuid },
        { canRewind: true, filesChanged: [join(desk.stage.cwd, 'a.txt')] },
      ],
      [{ subtype: 'rewind_files', user_message_id: 'nothing' }, { canRewind: false }],
      [{ subtype: 'interrupt' }, { still_queued: [] }],
    ];
    for (const [index, [fields, expected]] of requests.entries()) {
      program.send(request(`r${index}`, fields));
      expect(await answerTo(program, `r${index}`), JSON.stringify(fields)).toMatchObject({
        subtype: 'success',
        response: expected,
      });
    }
    expect(existsSync(join(desk.stage.cwd, 'a.txt'))).toBe(false);
    expect(await program.end()).toBe(0);
  });

  const refused: readonly (readonly [string, object])[] = [
    ['an unknown one', { subtype: 'dance' }],
    ['one without a name', {}],
    ['a mode that does not exist', { subtype: 'set_permission_mode', mode: 'yolo' }],
    ['permission checks off', { subtype: 'set_permission_mode', mode: 'bypassPermissions' }],
    [
      'permission checks off by settings',
      { subtype: 'apply_flag_settings', settings: { permissions: { defaultMode: 'bypassPermissions' } } },
    ],
    ['settings that only a start can take', { subtype: 'apply_flag_settings', settings: { hooks: {} } }],
    ['a server that does not exist', { subtype: 'mcp_toggle', serverName: 'x', enabled: false }],
    ['a task that does not exist', { subtype: 'stop_task', task_id: 'x' }],
    ['a negative budget', { subtype: 'set_max_thinking_tokens', max_thinking_tokens: -1 }],
  ];

  it('answers what it cannot do with an error and serves on', async () => {
    desk.stage.server.reply(say('Still here.'));
    const program = start();
    for (const [name, fields] of refused) {
      program.send(request(name, fields));
      const answered = await answerTo(program, name);
      expect(answered, name).toMatchObject({ subtype: 'error', error: expect.any(String) });
    }
    program.say('go');
    expect(await program.result()).toMatchObject({ result: 'Still here.' });
    expect(await program.end()).toBe(0);
  });

  it('names servers that it gave meanwhile when it connects again, and keeps those it began with', async () => {
    const every = {
      type: 'stdio',
      command: process.execPath,
      args: [
        join(import.meta.dirname, '../node_modules/@modelcontextprotocol/server-everything/dist/index.js'),
      ],
    };
    const program = start();
    program.send(initialize({ mcpServers: { every } }));
    await answerTo(program, 'init');
    const served = serve(program, 'calc');
    const set = async (id: string, servers: object) => {
      program.send(request(id, { subtype: 'mcp_set_servers', servers }));
      return (await answerTo(program, id)).response;
    };
    const calc = { type: 'sdk', name: 'calc' };
    expect(await set('set', { calc })).toMatchObject({ added: ['calc'], removed: [] });
    program.send(
      request('again', { subtype: 'initialize', mcpServers: { every }, sdkMcpServers: ['calc'] }),
      request('status', { subtype: 'mcp_status' }),
    );
    expect(await answerTo(program, 'again')).toMatchObject({ subtype: 'success' });
    const { response } = await answerTo(program, 'status');
    expect(response?.mcpServers).toHaveLength(2);
    expect(JSON.stringify(response?.mcpServers)).toMatch(
      /"name":"every".*"name":"calc"|"name":"calc".*"name":"every"/,
    );
    program.send(request('unknown', { subtype: 'initialize', sdkMcpServers: ['other'] }));
    expect(await answerTo(program, 'unknown')).toMatchObject({ subtype: 'error' });
    expect(await set('none', {})).toMatchObject({ added: [], removed: ['calc'] });
    served.stop();
    expect(await program.end()).toBe(0);
  });

  it('replaces the MCP servers it gave, and switches them off and on', async () => {
    const program = start();
    program.send(initialize({}));
    await answerTo(program, 'init');
    const served = serve(program, 'calc');
    program.send(
      request('set', { subtype: 'mcp_set_servers', servers: { calc: { type: 'sdk', name: 'calc' } } }),
    );
    expect(await answerTo(program, 'set')).toMatchObject({
      response: { added: ['calc'], removed: [], errors: {} },
    });
    const statusAfter = async (id: string, fields: object) => {
      program.send(request(id, fields));
      expect(await answerTo(program, id)).toMatchObject({ subtype: 'success' });
      program.send(request(`${id}-status`, { subtype: 'mcp_status' }));
      return (await answerTo(program, `${id}-status`)).response?.mcpServers;
    };
    expect(
      await statusAfter('off', { subtype: 'mcp_toggle', serverName: 'calc', enabled: false }),
    ).toMatchObject([{ name: 'calc', status: 'disabled' }]);
    expect(
      await statusAfter('on', { subtype: 'mcp_toggle', serverName: 'calc', enabled: true }),
    ).toMatchObject([{ name: 'calc', status: 'connected' }]);
    expect(await statusAfter('again', { subtype: 'mcp_reconnect', serverName: 'calc' })).toMatchObject([
      { name: 'calc', status: 'connected' },
    ]);
    expect(await statusAfter('none', { subtype: 'mcp_set_servers', servers: {} })).toEqual([]);
    served.stop();
    expect(await program.end()).toBe(0);
  });
});

describe('what a program reads', () => {
  it('has every field that the SDKs need, in a success and in failures', async () => {
    desk.stage.server.reply(
      anthropicReply({ thinking: { text: 'Hm.', signature: 'sig' }, text: 'One.' }),
      call('Bash', { command: 'true' }),
      anthropicError(401, 'bad'),
    );
    const program = start('--max-turns', '1', '--allow', 'Bash');
    program.say('fine');
    const success = await program.result();
    program.say('too long');
    const limited = await program.result();
    program.say('refused');
    const failed = await program.result();
    program.say('/nosuch');
    const unknown = await program.result();
    const always = {
      duration_ms: expect.any(Number),
      duration_api_ms: expect.any(Number),
      num_turns: expect.any(Number),
      total_cost_usd: expect.any(Number),
      usage: expect.objectContaining({ input_tokens: expect.any(Number) }),
      modelUsage: expect.any(Object),
      permission_denials: [],
      session_id: expect.any(String),
      uuid: expect.any(String),
    };
    expect(success).toMatchObject({ ...always, subtype: 'success', is_error: false, result: 'One.' });
    expect(success.modelUsage).toMatchObject({
      'anthropic/claude-sonnet-4-6': { inputTokens: expect.any(Number), costUSD: expect.any(Number) },
    });
    const errors = [expect.any(String)];
    expect(limited).toMatchObject({ ...always, subtype: 'error_max_turns', is_error: true, errors });
    expect(failed).toMatchObject({ ...always, subtype: 'error_during_execution', is_error: true, errors });
    expect(unknown).toMatchObject({ ...always, subtype: 'error_during_execution', is_error: true, errors });
    expect(program.of('system')[0]).toMatchObject({
      subtype: 'init',
      agents: expect.arrayContaining(['general-purpose']),
      mcp_servers: [],
      skills: [],
      plugins: [],
      slash_commands: expect.arrayContaining(['help', 'compact']),
      apiKeySource: 'ANTHROPIC_API_KEY',
      output_style: 'default',
      claude_code_version: expect.any(String),
      problems: expect.any(Array),
    });
    const [thought] = program.of('assistant');
    expect(thought).toMatchObject({
      message: {
        content: [{ type: 'thinking', thinking: 'Hm.', signature: expect.any(String) }, { type: 'text' }],
      },
    });
    await program.end();
  });

  it('names what a project brings and is not trusted, and answers, also where permissions are asked over the channel', async () => {
    await desk.stage.file(
      '.robota/settings.json',
      JSON.stringify({ permissions: { allow: ['Bash(touch:*)'] } }),
    );
    await desk.stage.file('.mcp.json', JSON.stringify({ mcpServers: { x: { command: 'false' } } }));
    desk.stage.server.reply(call('Bash', { command: 'touch made' }), say('Done.'));
    const program = start('--permission-prompt-tool', 'stdio');
    program.say('go');
    const question = await asked(program, 'can_use_tool');
    program.send(answer(question, { behavior: 'deny', message: 'no' }));
    expect(await program.result()).toMatchObject({ result: 'Done.' });
    expect(await program.end()).toBe(0);
    expect(program.stderr).toContain('Bash(touch:*)');
    expect(program.stderr).toContain('--trust-project');
    expect(existsSync(join(desk.stage.cwd, 'made'))).toBe(false);
  });

  it('lists all commands in the first line of a single prompt, too', async () => {
    desk.stage.server.reply(say('One.'));
    const { stdout } = await desk.stage.robota([
      '-p',
      'hi',
      '--output-format',
      'stream-json',
      '--verbose',
      '--model',
      'claude-sonnet-4-6',
    ]);
    const [first = ''] = stdout.split('\n');
    expect(JSON.parse(first).slash_commands).toEqual(expect.arrayContaining(['help', 'compact', 'model']));
  });
});
