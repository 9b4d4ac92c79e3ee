import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { NewSessionResponse } from '@agentclientprotocol/sdk';
import { anthropicError, anthropicReply, temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Editor, type EditorOptions } from './editor.ts';
import { isRunning } from './stage.ts';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();
let editor: Editor | undefined;

afterEach(async () => {
  await editor?.close();
  editor = undefined;
});

const model = ['--model', 'claude-sonnet-4-6'];

function start(options: EditorOptions = {}): Editor {
  editor = new Editor(stage, { ...options, args: [...model, ...(options.args ?? [])] });
  return editor;
}

/** A PNG of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const say = (text: string | string[]) => anthropicReply({ text });
const call = (name: string, input: unknown, id = 'toolu_1') =>
  anthropicReply({ toolCalls: [{ name, input, id }] });

/** The JSON-RPC answer to a failing request. */
const failure = (request: Promise<unknown>) =>
  request.then(
    (answer) => ({ answer }),
    (thrown: { code?: number; message?: string; data?: unknown }) => ({
      code: thrown.code,
      message: thrown.message,
      data: thrown.data,
    }),
  );

describe('robota acp', () => {
  it('says what it can do, and how to log in', async () => {
    const answer = await start({ capabilities: { auth: { terminal: true } } }).initialize();
    expect(answer).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: 'robota' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, fork: {} },
        auth: { logout: {} },
      },
      authMethods: [{ id: 'robota-login', type: 'terminal', args: ['login'] }],
    });
  });

  describe('logging out', () => {
    const stored = { anthropic: { type: 'api_key', key: 'sk-one' }, open_ai: 'sk-two', mcp: { docs: {} } };
    const authFile = () => join(stage.home, '.robota', 'auth.json');

    beforeEach(async () => {
      await mkdir(join(stage.home, '.robota'), { recursive: true });
      await writeFile(authFile(), JSON.stringify(stored), { mode: 0o600 });
    });

    it('removes the stored keys, so that a new session requires a login', async () => {
      stage.server.reply(say('Still here.'));
      editor = new Editor(stage, { env: { ANTHROPIC_API_KEY: '' } });
      const { sessionId } = await editor.open(stage.cwd);
      expect(await editor.agent.request('logout', {})).toEqual({});
      expect(JSON.parse(await readFile(authFile(), 'utf8'))).toEqual({ mcp: { docs: {} } });
      const answer = await failure(editor.agent.request('session/new', { cwd: stage.cwd, mcpServers: [] }));
      expect(answer).toMatchObject({ code: -32000, message: expect.stringContaining('robota login') });
      expect(await editor.prompt(sessionId, 'hi')).toEqual({ stopReason: 'end_turn' });
      expect(await editor.agent.request('logout', {})).toEqual({});
    });

    it('names the source of a key that it cannot remove', async () => {
      const editor = start();
      await editor.initialize();
      const answer = await failure(editor.agent.request('logout', {}));
      expect(answer).toMatchObject({ code: -32603, message: expect.stringContaining('ANTHROPIC_API_KEY') });
      expect(JSON.stringify(answer)).not.toContain('sk-');
      expect(JSON.parse(await readFile(authFile(), 'utf8'))).toEqual({ mcp: { docs: {} } });
    });
  });

  it('waits for a rate limit that resets, and tells the editor until when', async () => {
    await stage.settings({ retry: { maxRetries: 0 } });
    stage.server.reply(anthropicError(429, 'slow down', { headers: { 'retry-after': '1' } }), say('Hello.'));
    const editor = start();
    const { sessionId } = await editor.open(stage.cwd);
    expect(await editor.prompt(sessionId, 'hi')).toEqual({ stopReason: 'end_turn' });
    const told = JSON.stringify(editor.updates);
    expect(told).toMatch(/anthropic: rate limited; waiting for the limit to reset at \d{4}-/);
    expect(told).toContain('Hello.');
  });

  it('streams what the model thinks and says, and tells how full the window is', async () => {
    stage.server.reply(
      anthropicReply({ thinking: { text: ['Hm', 'm'], signature: 's' }, text: ['Hel', 'lo'] }),
    );
    const editor = start();
    const { sessionId } = await editor.open(stage.cwd);
    expect(await editor.prompt(sessionId, 'hi')).toEqual({ stopReason: 'end_turn' });
    expect(editor.of('agent_message_chunk').map(({ content }) => content)).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
    ]);
    expect(editor.of('agent_thought_chunk')).toHaveLength(2);
    await editor.seen((update) => update.sessionUpdate === 'usage_update' && update.used > 0);
    await editor.seen((update) => update.sessionUpdate === 'session_info_update' && update.title === 'hi');
    for (const line of editor.stdout.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('jsonrpc');
  });

  it('takes images, resources and links to files along with a prompt', async () => {
    stage.server.reply(say('I see.'));
    await stage.file('src/a file.txt', 'linked content');
    const editor = start();
    const { sessionId } = await editor.open(stage.cwd);
    await editor.prompt(sessionId, [
      { type: 'text', text: 'compare' },
      {
        type: 'resource_link',
        name: 'a file.txt',
        uri: `file://${encodeURI(join(stage.cwd, 'src/a file.txt'))}`,
      },
      { type: 'resource', resource: { uri: 'file:///elsewhere/b.txt', text: 'embedded content' } },
      { type: 'resource_link', name: 'page', uri: 'https://example.com/' },
      { type: 'image', mimeType: 'image/png', data: pixel },
      { type: 'resource_link', name: 'gone.md', uri: `file://${join(stage.cwd, 'gone.md')}` },
    ]);
    await vi.waitFor(() => expect(editor.stderr).toContain('File not found: gone.md'));
    const sent = JSON.stringify(stage.messages(0));
    for (const part of [
      'compare @\\"src/a file.txt\\"',
      'linked content',
      'embedded content',
      '(https://example.com/)',
      pixel,
    ])
      expect(sent).toContain(part);
  });

  it('shows calls with their kind, places, input, diff and output, and asks before they run', async () => {
    await stage.file('a.txt', 'one\ntwo\n');
    stage.server.reply(
      call('Read', { file_path: 'a.txt' }, 'toolu_read'),
      call('Edit', { file_path: 'a.txt', old_string: 'two', new_string: 'zwei' }, 'toolu_edit'),
      say('Done.'),
    );
    const editor = start({ permit: () => 'allow_once' });
    const { sessionId } = await editor.open(stage.cwd);
    await editor.prompt(sessionId, 'go');
    const file = join(stage.cwd, 'a.txt');
    expect(await readFile(file, 'utf8')).toBe('one\nzwei\n');
    expect(editor.of('tool_call')).toMatchObject([
      {
        toolCallId: 'toolu_read',
        title: 'Read a.txt',
        kind: 'read',
        status: 'pending',
        rawInput: { file_path: 'a.txt' },
      },
      { toolCallId: 'toolu_edit', kind: 'edit', status: 'pending' },
    ]);
    const updates = editor.of('tool_call_update');
    expect(updates).toContainEqual(
      expect.objectContaining({
        toolCallId: 'toolu_read',
        status: 'in_progress',
        locations: [{ path: file }],
      }),
    );
    const diff = {
      type: 'diff',
      path: file,
      oldText: expect.stringContaining('two'),
      newText: expect.stringContaining('zwei'),
    };
    expect(editor.permissions).toMatchObject([
      {
        sessionId,
        toolCall: { toolCallId: 'toolu_edit', kind: 'edit', content: [diff], locations: [{ path: file }] },
        options: [
          { kind: 'allow_once', name: 'Allow once' },
          { kind: 'allow_always', name: expect.stringContaining('this session') },
          { kind: 'allow_always', name: expect.stringContaining('this project') },
          { kind: 'reject_once', name: 'Deny' },
        ],
      },
    ]);
    expect(updates).toContainEqual(
      expect.objectContaining({
        toolCallId: 'toolu_edit',
        status: 'completed',
        content: [diff],
        rawOutput: expect.anything(),
      }),
    );
  });

  it('remembers a yes for the session and saves one for the project; a no goes to the model', async () => {
    stage.server.reply(
      call('Bash', { command: 'touch a' }),
      call('Bash', { command: 'touch a' }),
      call('Bash', { command: 'touch b' }),
      call('Bash', { command: 'touch c' }),
      say('Done.'),
    );
    const answers = ['Allow touch a in this session', 'Allow touch b in this project', 'Deny'];
    const editor = start({ permit: () => answers.shift() });
    const { sessionId } = await editor.open(stage.cwd);
    await editor.prompt(sessionId, 'go');
    expect(editor.permissions).toHaveLength(3);
    expect(stage.results(4)[0]?.text).toContain('The user declined');
    const settings = await readFile(join(stage.cwd, '.robota/settings.local.json'), 'utf8');
    expect(settings).toContain('Bash(touch b)');
    expect(editor.of('tool_call_update')).toContainEqual(expect.objectContaining({ status: 'failed' }));
  });

  it('reads unsaved buffers and writes through the editor, also where its directory is a link', async () => {
    await stage.file('a.txt', 'saved\n');
    const link = join(await temporaryDirectory(), 'project');
    await symlink(stage.cwd, link);
    const named = join(link, 'a.txt');
    stage.server.reply(
      call('Read', { file_path: 'a.txt' }),
      call('Edit', { file_path: 'a.txt', old_string: 'typed', new_string: 'changed' }),
      call('Write', { file_path: 'new/b.txt', content: 'fresh\n' }),
      say('Done.'),
    );
    await mkdir(join(stage.cwd, 'new'));
    const editor = start({
      capabilities: { fs: { readTextFile: true, writeTextFile: true } },
      args: ['--permission-mode', 'acceptEdits'],
      buffers: { [named]: 'typed\n' },
    });
    const { sessionId } = await editor.open(link);
    await editor.prompt(sessionId, 'go');
    expect(stage.results(1)[0]?.text).toContain('typed');
    expect(editor.written).toEqual({ [named]: 'changed\n', [join(link, 'new/b.txt')]: 'fresh\n' });
    expect(await readFile(join(stage.cwd, 'a.txt'), 'utf8')).toBe('changed\n');
  });

  it('keeps deny rules and checkpoints although the editor writes', async () => {
    await stage.file('a.txt', 'before\n');
    await stage.file('secret.txt', 'hidden\n');
    stage.server.reply(
      call('Read', { file_path: 'secret.txt' }),
      call('Write', { file_path: 'a.txt', content: 'x' }),
      call('Edit', { file_path: 'a.txt', old_string: 'before', new_string: 'after' }),
      say('Done.'),
    );
    const editor = start({
      capabilities: { fs: { readTextFile: true, writeTextFile: true } },
      args: ['--permission-mode', 'acceptEdits', '--deny', 'Read(secret.txt)'],
    });
    const { sessionId } = await editor.open(stage.cwd);
    await editor.prompt(sessionId, 'go');
    expect(editor.read).not.toContain(join(stage.cwd, 'secret.txt'));
    expect(stage.results(1)[0]?.text).toContain('Permission denied');
    expect(await readFile(join(stage.cwd, 'a.txt'), 'utf8')).toBe('after\n');
    await editor.prompt(sessionId, '/rewind 1 files');
    expect(await readFile(join(stage.cwd, 'a.txt'), 'utf8')).toBe('before\n');
  });

  it('runs commands in the terminal of the editor, without our keys', async () => {
    stage.server.reply(
      call('Bash', { command: 'echo "key=$ANTHROPIC_API_KEY in $PWD"; exit 3' }),
      say('Done.'),
    );
    const editor = start({ capabilities: { terminal: true }, args: ['--allow', 'Bash'] });
    const { sessionId } = await editor.open(stage.cwd);
    await editor.prompt(sessionId, 'go');
    expect(stage.results(1)[0]?.text).toBe(`key= in ${stage.cwd}\n[exit code 3]`);
    expect(editor.terminals).toMatchObject([{ released: true }]);
    expect(editor.of('tool_call_update')).toContainEqual(
      expect.objectContaining({
        content: [{ type: 'terminal', terminalId: 'terminal-1' }],
        status: 'failed',
      }),
    );
  });

  it('shows todos as the plan', async () => {
    const todos = [
      { content: 'Look', status: 'completed' },
      { content: 'Change', status: 'in_progress', activeForm: 'Changing' },
      { content: 'Test', status: 'pending' },
    ];
    stage.server.reply(call('TodoWrite', { todos }), say('Done.'));
    const editor = start();
    const { sessionId } = await editor.open(stage.cwd);
    await editor.prompt(sessionId, 'go');
    expect(editor.of('plan')[0]?.entries).toMatchObject([
      { content: 'Look', status: 'completed' },
      { content: 'Changing', status: 'in_progress' },
      { content: 'Test', status: 'pending' },
    ]);
  });

  it('offers modes, models, thinking and commands, and changes them', async () => {
    stage.server.reply(call('Write', { file_path: 'x.txt', content: 'x' }), say('Done.'), say('Other.'));
    const editor = start();
    const opened = await editor.open(stage.cwd);
    const { sessionId } = opened;
    expect(opened.modes?.availableModes.map(({ id }) => id)).toEqual(['plan', 'default', 'acceptEdits']);
    await editor.agent.request('session/set_mode', { sessionId, modeId: 'acceptEdits' });
    await editor.prompt(sessionId, 'go');
    expect(editor.permissions).toEqual([]);
    const options = opened.configOptions ?? [];
    expect(options.map(({ id, category }) => [id, category])).toEqual([
      ['mode', 'mode'],
      ['model', 'model'],
      ['thinking', 'thought_level'],
    ]);
    const value = 'anthropic/claude-haiku-4-5';
    const changed = await editor.agent.request('session/set_config_option', {
      sessionId,
      configId: 'model',
      value,
    });
    expect(changed.configOptions[1]).toMatchObject({ currentValue: value });
    await editor.prompt(sessionId, 'again');
    expect(stage.server.requests[2]?.body).toMatchObject({ model: expect.stringContaining('haiku') });
    const commands = await editor.seen((update) => update.sessionUpdate === 'available_commands_update');
    const names = (commands as { availableCommands: { name: string }[] }).availableCommands.map(
      ({ name }) => name,
    );
    expect(names).toEqual(expect.arrayContaining(['compact', 'context', 'mode', 'model']));
    expect(names).not.toContain('exit');
    await editor.prompt(sessionId, '/exit');
    expect(editor.text()).toContain('Start and end sessions in your editor.');
    await editor.prompt(sessionId, '/mode plan');
    expect(editor.text()).toContain('Permission mode: plan');
    expect(editor.of('current_mode_update')).toMatchObject([{ currentModeId: 'plan' }]);
    expect(stage.server.requests).toHaveLength(3);
    expect(
      await failure(editor.agent.request('session/set_mode', { sessionId, modeId: 'yolo' })),
    ).toMatchObject({ code: -32602 });
    expect(
      await failure(editor.agent.request('session/set_mode', { sessionId, modeId: 'bypassPermissions' })),
    ).toMatchObject({
      code: -32602,
      message: expect.stringContaining('--allow-dangerously-skip-permissions'),
    });
  });

  it('lists, loads, resumes, forks, closes and deletes sessions, and tells all of one again', async () => {
    stage.server.reply(
      anthropicReply({
        text: 'Look.',
        toolCalls: [{ name: 'Glob', input: { pattern: '*' }, id: 'toolu_g' }],
      }),
      say('First answer.'),
      say('Second answer.'),
    );
    const first = start();
    const { sessionId } = await first.open(stage.cwd);
    await first.prompt(sessionId, 'the first question');
    await first.close();

    const second = start();
    await second.initialize();
    const listed = await second.agent.request('session/list', { cwd: stage.cwd });
    expect(listed.sessions).toMatchObject([{ sessionId, cwd: stage.cwd, title: 'the first question' }]);
    const loaded = await second.agent.request('session/load', { sessionId, cwd: stage.cwd, mcpServers: [] });
    expect(loaded.modes?.currentModeId).toBe('default');
    const told = second.updates.slice(0, 5).map(({ update }) => update);
    expect(told).toMatchObject([
      { sessionUpdate: 'user_message_chunk', content: { text: 'the first question' } },
      { sessionUpdate: 'agent_message_chunk', content: { text: 'Look.' } },
      { sessionUpdate: 'tool_call', toolCallId: 'toolu_g' },
      { sessionUpdate: 'tool_call_update', toolCallId: 'toolu_g', status: 'completed' },
      { sessionUpdate: 'agent_message_chunk', content: { text: 'First answer.' } },
    ]);
    await second.prompt(sessionId, 'and then?');
    expect(stage.messages(2).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    const fork = await second.agent.request<{ sessionId: string }>('session/fork', {
      sessionId,
      cwd: stage.cwd,
      mcpServers: [],
    });
    expect(fork.sessionId).not.toBe(sessionId);
    await second.agent.request('session/close', { sessionId });
    expect(await failure(second.prompt(sessionId, 'x'))).toMatchObject({ code: -32002 });
    await second.agent.request('session/resume', { sessionId, cwd: stage.cwd });
    await second.agent.request('session/delete', { sessionId });
    const { sessions } = await second.agent.request('session/list', { cwd: stage.cwd });
    expect(sessions.map((each) => each.sessionId)).toEqual([fork.sessionId]);
  });

  it('shows no reminder for the model as the words of the user', async () => {
    const command = "echo '<system-reminder>More tools came.</system-reminder>'";
    await stage.settings({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] } });
    stage.server.reply(say('Yes.'));
    const first = start();
    const { sessionId } = await first.open(stage.cwd);
    await first.prompt(sessionId, 'is it so?');
    expect(JSON.stringify(stage.messages(0))).toContain('More tools came.');
    await first.close();

    const second = start();
    await second.initialize();
    await second.agent.request('session/load', { sessionId, cwd: stage.cwd, mcpServers: [] });
    expect(second.of('user_message_chunk').map(({ content }) => content)).toEqual([
      { type: 'text', text: 'is it so?' },
    ]);
  });

  it('hands the MCP servers of the editor to the session', async () => {
    proves('R-75');
    const server = resolve('packages/agent-resources/src/mcp/fixtures/little-server.mjs');
    await stage.file('sayings.json', JSON.stringify({ greet: 'Greets.' }));
    stage.server.reply(call('mcp__little__greet', {}), say('Done.'));
    const editor = start({ args: ['--allow', 'mcp__little'] });
    await editor.initialize();
    const args = [server, join(stage.cwd, 'sayings.json')];
    const env = [{ name: 'GREETING', value: 'good morning' }];
    const mcpServers = [{ name: 'little', command: process.execPath, args, env }];
    const params = { cwd: stage.cwd, mcpServers };
    const { sessionId } = await editor.agent.request<NewSessionResponse>('session/new', params);
    await editor.prompt(sessionId, 'greet');
    expect(stage.results(1)[0]?.text).toContain('greet says good morning');
  });

  it('runs several sessions side by side, each with its own updates', async () => {
    const other = await temporaryDirectory();
    stage.server.handle((request) => {
      const body = request.text.includes('to the left') ? 'left' : 'right';
      return say(body);
    });
    const editor = start();
    const left = await editor.open(stage.cwd);
    const right = await editor.agent.request('session/new', { cwd: other, mcpServers: [] });
    await Promise.all([
      editor.prompt(left.sessionId, 'to the left'),
      editor.prompt(right.sessionId, 'elsewhere'),
    ]);
    expect(editor.text(left.sessionId)).toBe('left');
    expect(editor.text(right.sessionId)).toBe('right');
  });

  it('asks the questions of the model by a form, or by a choice where there are none', async () => {
    const question = { question: 'Which colour?', options: ['Red', 'Blue'] };
    stage.server.reply(call('AskUser', question), say('Blue it is.'), call('AskUser', question), say('Red.'));
    const modern = start({
      capabilities: { elicitation: { form: {} } },
      elicit: () => ({ action: 'accept', content: { answer: '1' } }),
    });
    await modern.prompt((await modern.open(stage.cwd)).sessionId, 'ask me');
    expect(stage.results(1)[0]?.text).toContain('Blue');
    await modern.close();
    const plain = start({ permit: () => 'Red' });
    await plain.prompt((await plain.open(stage.cwd)).sessionId, 'ask me');
    expect(stage.results(3)[0]?.text).toContain('Red');
    expect(plain.permissions[0]?.toolCall.title).toBe('Which colour?');
  });
});

describe('robota acp and what goes wrong', () => {
  it('stops a running command when the editor cancels, and takes the next prompt', async () => {
    stage.server.reply(call('Bash', { command: 'echo started; sleep 60' }), say('Next.'));
    const editor = start({ args: ['--allow', 'Bash'] });
    const { sessionId } = await editor.open(stage.cwd);
    const running = editor.prompt(sessionId, 'go');
    await editor.seen(
      (update) =>
        JSON.stringify(update).includes('started\\n') || JSON.stringify(update).includes('"started'),
    );
    expect(await failure(editor.prompt(sessionId, 'meanwhile'))).toMatchObject({
      code: -32600,
      message: expect.stringContaining('still running'),
    });
    await editor.agent.notify('session/cancel', { sessionId });
    expect(await running).toEqual({ stopReason: 'cancelled' });
    expect(await editor.prompt(sessionId, 'on')).toEqual({ stopReason: 'end_turn' });
  });

  it('kills a command in the terminal of the editor when the editor cancels', async () => {
    stage.server.reply(call('Bash', { command: 'echo $$ > pid; sleep 60' }), say('Next.'));
    const editor = start({ capabilities: { terminal: true }, args: ['--allow', 'Bash'] });
    const { sessionId } = await editor.open(stage.cwd);
    const running = editor.prompt(sessionId, 'go');
    await editor.seen((update) => JSON.stringify(update).includes('terminal-1'));
    await editor.agent.notify('session/cancel', { sessionId });
    expect(await running).toEqual({ stopReason: 'cancelled' });
    expect(editor.terminals).toMatchObject([{ released: true }]);
  });

  it('ends what a command started where the editor kills the command alone', async () => {
    const command = 'sh -c "sleep 300 & echo \\$! > pid; wait"; true';
    stage.server.reply(call('Bash', { command }), say('Next.'));
    const editor = start({ capabilities: { terminal: true }, args: ['--allow', 'Bash'], killsAlone: true });
    const { sessionId } = await editor.open(stage.cwd);
    const running = editor.prompt(sessionId, 'go');
    const pid = await vi.waitFor(async () => {
      const written = Number(await readFile(join(stage.cwd, 'pid'), 'utf8'));
      expect(written).toBeGreaterThan(1);
      return written;
    });
    expect(isRunning(pid)).toBe(true);
    await editor.agent.notify('session/cancel', { sessionId });
    expect(await running).toEqual({ stopReason: 'cancelled' });
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false));
  });

  it.each([
    ['fs/read_text_file', 'Read', { file_path: 'a.txt' }],
    ['fs/write_text_file', 'Write', { file_path: 'b.txt', content: 'x' }],
    ['terminal/create', 'Bash', { command: 'touch b.txt' }],
  ])(
    'cancels a prompt whose %s the editor never answers, and does nothing in its place',
    async (silent, tool, input) => {
      await stage.file('a.txt', 'one');
      stage.server.reply(call(tool, input), say('Next.'));
      const capabilities = { terminal: true, fs: { readTextFile: true, writeTextFile: true } };
      const args = ['--permission-mode', 'bypassPermissions'];
      const editor = start({ capabilities, args, silent: [silent] });
      const { sessionId } = await editor.open(stage.cwd);
      const prompt = editor.prompt(sessionId, 'go');
      await expect.poll(() => editor.unanswered).toBe(1);
      await editor.agent.notify('session/cancel', { sessionId });
      expect(await prompt).toEqual({ stopReason: 'cancelled' });
      expect(await readdir(stage.cwd)).toEqual(['a.txt']);
      await editor.prompt(sessionId, 'on');
      expect(editor.text()).toBe('Next.');
    },
  );

  it('counts a question that is left open as a no when the editor cancels', async () => {
    stage.server.reply(call('Bash', { command: 'touch a' }), say('Next.'));
    const editor = start({ permit: () => new Promise(() => {}) });
    const { sessionId } = await editor.open(stage.cwd);
    const running = editor.prompt(sessionId, 'go');
    await expect.poll(() => editor.permissions.length).toBe(1);
    await editor.agent.notify('session/cancel', { sessionId });
    expect(await running).toEqual({ stopReason: 'cancelled' });
  });

  it('stops the run, saves everything and exits when the editor goes', async () => {
    stage.server.reply(
      anthropicReply({
        text: 'Starting.',
        toolCalls: [{ name: 'Bash', input: { command: 'echo $$ > pid; echo here; sleep 60' } }],
      }),
    );
    const editor = start({ args: ['--allow', 'Bash'] });
    const { sessionId } = await editor.open(stage.cwd);
    void editor.prompt(sessionId, 'go').catch(() => {});
    await editor.seen(
      (update) =>
        update.sessionUpdate === 'tool_call_update' && JSON.stringify(update.content ?? '').includes('here'),
    );
    const pid = Number(await readFile(join(stage.cwd, 'pid'), 'utf8'));
    editor.child.stdin?.destroy();
    editor.child.stdout?.destroy();
    expect(await editor.exited).toBe(0);
    expect(isRunning(pid)).toBe(false);
    const lines = JSON.stringify(await stage.sessionLines('session.jsonl'));
    expect(lines).toContain('Starting.');
    expect(lines).toContain('Interrupted');
  });

  it('answers what is no JSON, no request, or nothing it knows, and continues', async () => {
    stage.server.reply(say('Still here.'));
    const editor = start();
    const { sessionId } = await editor.open(stage.cwd);
    editor.child.stdin?.write('{"jsonrpc": oops\n[1]\n');
    expect(await failure(editor.agent.request('session/dance', {}))).toMatchObject({ code: -32601 });
    expect(
      await failure(editor.agent.request('session/prompt', { sessionId: 'nobody', prompt: [] })),
    ).toMatchObject({ code: -32002 });
    expect(await failure(editor.prompt(sessionId, '   '))).toMatchObject({ code: -32602 });
    expect(
      await failure(editor.agent.request('session/new', { cwd: 'relative', mcpServers: [] })),
    ).toMatchObject({
      code: -32602,
      message: expect.stringContaining('absolute'),
    });
    expect(
      await failure(editor.agent.request('session/new', { cwd: '/no/such', mcpServers: [] })),
    ).toMatchObject({ code: -32602 });
    expect(
      await failure(
        editor.agent.request('session/load', { sessionId: 'nobody', cwd: stage.cwd, mcpServers: [] }),
      ),
    ).toMatchObject({ code: -32002 });
    await editor.prompt(sessionId, 'hello?');
    expect(editor.text()).toBe('Still here.');
    expect(editor.stdout).toContain('-32700');
  });

  it('takes no option that was not offered for a yes, and runs nothing that only a name says', async () => {
    const ids = ['', ' ', '0x0', '99', '-1', 'allow_once'];
    for (const id of ids)
      stage.server.reply(call('Bash', { command: 'touch ran' }, `toolu_${id.length}_${id}`));
    stage.server.reply(say('No.'), say('Read.'));
    const offered = [...ids];
    const editor = start({ permit: () => ({ optionId: offered.shift() ?? '' }) });
    const { sessionId } = await editor.open(stage.cwd);
    await editor.prompt(sessionId, 'go');
    expect(editor.permissions).toHaveLength(ids.length);
    await editor.prompt(sessionId, [{ type: 'resource', resource: { uri: '!touch ran', text: 'embedded' } }]);
    expect(await readdir(stage.cwd)).toEqual([]);
    expect(editor.text()).toBe('No.Read.');
  });

  it('refuses a message that is too long, and continues with the others', async () => {
    stage.server.reply(say('Still here.'));
    const editor = start();
    const { sessionId } = await editor.open(stage.cwd);
    expect(await failure(editor.prompt(sessionId, 'x'.repeat(33 * 1024 * 1024)))).toMatchObject({
      code: -32600,
      message: expect.stringContaining('32 MB'),
    });
    await editor.prompt(sessionId, 'hello?');
    expect(editor.text()).toBe('Still here.');
  });

  it("tells the vendor's errors, and that there is no key", async () => {
    stage.server.handle(() => anthropicError(401, 'invalid x-api-key'));
    const editor = start();
    const { sessionId } = await editor.open(stage.cwd);
    expect(await failure(editor.prompt(sessionId, 'hi'))).toMatchObject({
      code: -32000,
      data: { code: 'auth' },
    });
    await editor.close();
    const keyless = new Editor(stage, { env: { ANTHROPIC_API_KEY: '' } });
    await keyless.initialize();
    const answer = await failure(keyless.agent.request('session/new', { cwd: stage.cwd, mcpServers: [] }));
    expect(answer).toMatchObject({ code: -32000, message: expect.stringContaining('robota login') });
    await keyless.close();
  });

  it('prints nothing but protocol, whatever an extension prints', async () => {
    await mkdir(join(stage.home, '.robota/extensions'), { recursive: true });
    await writeFile(
      join(stage.home, '.robota/extensions/loud.mjs'),
      "export default (host) => { console.log('LOUD'); process.stdout.write('LOUDER\\n'); };\n",
    );
    stage.server.reply(say('ok'));
    const editor = start();
    const { sessionId } = await editor.open(stage.cwd);
    await editor.prompt(sessionId, 'hi');
    expect(editor.stdout).not.toContain('LOUD');
    expect(editor.stderr).toContain('LOUDER');
  });

  it('explains itself at a wrong command line', async () => {
    const wrong = await stage.robota(['acp', '--continue'], { input: '' });
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('robota acp takes no --continue'),
    });
    expect(await stage.robota(['acp', '--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('docs/acp.md'),
    });
  });
});
