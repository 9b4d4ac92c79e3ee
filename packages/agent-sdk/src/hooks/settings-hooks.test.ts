import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type HookExecutor, type Message, textOf, type UserInterface } from '@robota-sdk/agent-core';
import type { ScriptedTurn } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';
import type { InteractiveSessionOptions } from '../session/create-interactive-session.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';

/** Appends its input to `log.jsonl` in the project and prints nothing. */
const logger = 'cat >> log.jsonl';

/** Opens a session with these hooks in the user's settings. */
async function open(
  hooks: unknown,
  script: readonly ScriptedTurn[] = [{ text: 'ok' }],
  options: InteractiveSessionOptions & { place?: TestProject } = {},
) {
  const { place = await makeTestProject(), ...rest } = options;
  await place.put('~/.claude/settings.json', { hooks });
  const opened = await openScripted(place, script, rest);
  const notices: string[] = [];
  opened.session.on('notice', ({ text }) => void notices.push(text));
  return { ...opened, place, notices };
}

const command = (text: string, extra: object = {}) => [
  { hooks: [{ type: 'command', command: text, ...extra }] },
];
const sayJson = (value: unknown) => `cat > /dev/null; echo '${JSON.stringify(value)}'`;
const decide = (permissionDecision: string, extra: object = {}) =>
  sayJson({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...extra } });

async function logged(place: TestProject): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(place.cwd, 'log.jsonl'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function toolResults(session: InteractiveSession): string[] {
  return session
    .getMessages()
    .flatMap((message) => (message.role === 'tool' ? [textOf(message.content)] : []));
}

const runLs = callTurn('Bash', { command: 'echo ran > ran.txt' });

/** True if the user or the model wrote it. */
function isCountedMessage(message: Message): boolean {
  return message.role !== 'user' || message.origin !== 'reminder';
}

describe('the events of a session', () => {
  it('tells hooks what happens from start to end, in the fields their authors know', async () => {
    proves('R-16', 'R-17', 'R-24');
    const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'];
    const hooks = Object.fromEntries(events.map((event) => [event, command(logger)]));
    const read = callTurn('Read', { file_path: 'note.txt' });
    const { session, place } = await open(hooks, [read, { text: 'done' }, { text: 'again' }], {
      store: 'new',
    });
    await place.put('note.txt', 'a note');
    await session.submit('look');
    await session.submit('once more');
    await session.shutdown();
    const id = session.getSession().id;
    const log = await logged(place);
    expect(log.map((entry) => entry.hook_event_name)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'Stop',
      'UserPromptSubmit',
      'Stop',
      'SessionEnd',
    ]);
    for (const entry of log) {
      expect(entry).toMatchObject({ session_id: id, cwd: place.cwd, permission_mode: 'default' });
      expect(entry.transcript_path).toMatch(new RegExp(`${id}/session\\.jsonl$`));
    }
    const [start, prompt, before, after, stop] = log;
    expect(start).toMatchObject({ source: 'startup' });
    expect(prompt).toMatchObject({ prompt: 'look', user_message: 'look' });
    const call = { tool_name: 'Read', tool_input: { file_path: 'note.txt' }, tool_use_id: 'call_0_0' };
    expect(before).toMatchObject(call);
    expect(after).toMatchObject({ ...call, tool_response: { success: true, filePath: 'note.txt' } });
    expect(after?.tool_output).toContain('a note');
    expect(stop).toMatchObject({ last_assistant_message: 'done', response: 'done', stop_hook_active: false });
    expect(log.at(-1)).toMatchObject({ reason: 'other' });
  });

  it('what SessionStart and UserPromptSubmit print joins the conversation, and stays where it is', async () => {
    proves('R-24');
    const hooks = {
      SessionStart: command('echo "branch: main"'),
      UserPromptSubmit: command('echo "be brief"'),
    };
    const { session, provider } = await open(hooks, [{ text: 'a' }, { text: 'b' }]);
    await session.submit('one');
    await session.submit('two');
    const texts = provider.requests.map(({ messages }) =>
      messages
        .filter(isCountedMessage)
        .map(({ content }) => content.map((block) => (block.type === 'text' ? block.text : ''))),
    );
    const reminder = (text: string) => `<system-reminder>\nContext from a hook:\n${text}\n</system-reminder>`;
    const brief = reminder('be brief');
    expect(texts[0]).toEqual([['one', brief, reminder('branch: main')]]);
    expect(texts[1]).toEqual([...(texts[0] ?? []), ['a'], ['two', brief]]);
    await session.shutdown();
  });

  it('a refused prompt ends at once, and the model hears nothing of it', async () => {
    proves('R-17');
    const refuse = 'read -r line; [[ $line == *password* ]] && echo "no secrets" >&2 && exit 2; exit 0';
    const { session, provider } = await open({ UserPromptSubmit: command(refuse) });
    expect(await session.submit('my password is x')).toMatchObject({
      status: 'failed',
      error: { code: 'blocked', message: 'A hook stopped the prompt: no secrets' },
    });
    expect(provider.requests).toEqual([]);
    expect(session.getMessages()).toEqual([]);
    expect(await session.submit('hello')).toMatchObject({ status: 'completed' });
    await session.shutdown();
  });

  it('messages typed during a run pass the hooks too', async () => {
    proves('R-17');
    const refuse = 'grep -q secret && echo no >&2 && exit 2; exit 0';
    const script: ScriptedTurn[] = [
      callTurn('Read', { file_path: 'note.txt' }),
      { text: 'a' },
      { text: 'b' },
    ];
    const { session, provider, notices, place } = await open({ UserPromptSubmit: command(refuse) }, script);
    await place.put('note.txt', 'a note');
    const stop = session.on('tool_start', () => {
      session.getSession().steer([{ type: 'text', text: 'a secret' }]);
      session.getSession().steer([{ type: 'text', text: 'a hint' }]);
    });
    await session.submit('go');
    stop();
    expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain('a hint');
    expect(JSON.stringify(session.getMessages())).not.toContain('a secret');
    expect(notices).toContain('A hook blocked your message: no');
    await session.shutdown();
  });

  it('PreCompact may say what to keep or refuse, PostCompact is given the summary', async () => {
    proves('R-16', 'R-54');
    const hooks = {
      PreCompact: [
        ...command(`${logger}; echo "keep the names"`),
        {
          matcher: 'manual',
          hooks: [{ type: 'command', command: 'test ! -e frozen || { echo frozen >&2; exit 2; }' }],
        },
      ],
      PostCompact: command(logger),
    };
    const { session, provider, place } = await open(hooks, [
      { text: 'a'.repeat(4_000) },
      { text: 'b'.repeat(4_000) },
      { text: 'the summary' },
    ]);
    await session.submit('one');
    await session.submit('two');
    expect(await session.getSession().compact('and dates')).toMatchObject({ kind: 'summarised' });
    expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain('and dates\\n\\nkeep the names');
    expect(await logged(place)).toMatchObject([
      { hook_event_name: 'PreCompact', trigger: 'manual', custom_instructions: 'and dates' },
      {
        hook_event_name: 'PostCompact',
        trigger: 'manual',
        compact_summary: expect.stringContaining('the summary'),
      },
    ]);
    await place.put('frozen', '');
    expect(await session.getSession().compact()).toMatchObject({
      kind: 'unchanged',
      hasFailed: true,
      notice: 'A hook stopped the compaction: frozen.',
    });
    await session.shutdown();
  });

  it('Stop sends the model back to work, and is told when it did so before', async () => {
    proves('R-24');
    const notYet = `read -r line; echo "$line" >> log.jsonl; [[ $line == *'"stop_hook_active":false'* ]] && echo "run the tests" >&2 && exit 2; exit 0`;
    const { session, place } = await open({ Stop: command(notYet) }, [{ text: 'done' }, { text: 'tested' }]);
    expect(await session.submit('go')).toMatchObject({ response: 'tested', turns: 2 });
    expect((await logged(place)).map((entry) => entry.stop_hook_active)).toEqual([false, true]);
    await session.shutdown();
  });

  it('/clear ends one conversation and starts another', async () => {
    const hooks = { SessionStart: command(logger), SessionEnd: command(logger) };
    const { session, place } = await open(hooks, [{ text: 'a' }, { text: 'b' }]);
    await session.submit('one');
    await session.executeCommand('clear');
    await session.submit('two');
    await session.shutdown();
    expect((await logged(place)).map(({ source, reason }) => source ?? reason)).toEqual([
      'startup',
      'clear',
      'clear',
      'other',
    ]);
  });

  it('Notification is told when the user is asked', async () => {
    const terminal: UserInterface = { ask: async () => ({ kind: 'dismissed' }), notify: () => {} };
    const hooks = {
      Notification: [{ matcher: 'permission_prompt', hooks: [{ type: 'command', command: logger }] }],
    };
    const { session, place } = await open(hooks, [runLs, { text: 'ok' }], { terminal });
    await session.submit('go');
    await expect
      .poll(() => logged(place))
      .toMatchObject([{ notification_type: 'permission_prompt', title: 'Run a command' }]);
    await session.shutdown();
  });
});

describe('hooks and permissions', () => {
  async function ranWith(hooks: unknown, options: InteractiveSessionOptions = {}) {
    const opened = await open({ PreToolUse: hooks }, [runLs, { text: 'ok' }], options);
    const result = await opened.session.submit('go');
    await opened.session.shutdown();
    const ran = await readFile(join(opened.place.cwd, 'ran.txt'), 'utf8').catch(() => undefined);
    return { ...opened, ran: ran !== undefined, text: toolResults(opened.session)[0] ?? '', result };
  }

  it('allow spares the question, deny refuses with its reason', async () => {
    proves('R-18');
    expect(await ranWith(command(decide('allow')))).toMatchObject({ ran: true });
    const denied = await ranWith(command(decide('deny', { permissionDecisionReason: 'use make' })));
    expect(denied).toMatchObject({ ran: false, text: expect.stringContaining('says: use make') });
    expect(denied.result?.denials).toMatchObject([{ toolName: 'Bash' }]);
    const refused = await ranWith(command('echo "no shell" >&2; exit 2'), {
      permissionMode: 'bypassPermissions',
    });
    expect(refused).toMatchObject({ ran: false, text: expect.stringContaining('says: no shell') });
  });

  it('deny and ask rules stand above an allow', async () => {
    proves('R-18');
    const allowing = command(decide('allow'));
    expect(await ranWith(allowing, { rules: { deny: ['Bash(echo *)'] } })).toMatchObject({ ran: false });
    expect(await ranWith(allowing, { rules: { ask: ['Bash(echo *)'] } })).toMatchObject({ ran: false });
    expect(await ranWith(allowing, { permissionMode: 'plan' })).toMatchObject({ ran: false });
  });

  it('of several hooks the strictest counts, whichever ends first', async () => {
    proves('R-18');
    const allow = { type: 'command', command: decide('allow') };
    const ask = { type: 'command', command: `sleep 0.05; ${decide('ask')}` };
    const deny = {
      type: 'command',
      command: `sleep 0.1; ${decide('deny', { permissionDecisionReason: 'late' })}`,
    };
    const all = { permissionMode: 'bypassPermissions' } as const;
    expect(await ranWith([{ hooks: [allow, ask] }], all)).toMatchObject({ ran: false });
    const denied = await ranWith([{ hooks: [deny] }, { hooks: [allow, ask] }], all);
    expect(denied).toMatchObject({ ran: false, text: expect.stringContaining('says: late') });
  });

  it.each([
    ['cannot be found', './missing-guard.sh', 'failed: it ended with exit code 127'],
    ['is killed', 'kill -KILL $$', 'failed: it was ended by SIGKILL'],
    ['answers with broken JSON', `echo '{"decision": '`, 'failed: it answered with invalid JSON'],
  ])('a guard that %s counts as ask, which is deny without a terminal', async (_, text, problem) => {
    const { ran, notices } = await ranWith(command(text), { permissionMode: 'bypassPermissions' });
    expect(ran).toBe(false);
    expect(notices.join()).toContain(problem);
    expect(notices.join()).toContain('.claude/settings.json');
  });

  it('a guard that takes too long counts as ask, and all it started is gone', async () => {
    proves('R-18');
    const slow = command('sleep 300 & echo $! > pid; wait', { timeout: 2 });
    const { ran, text, place } = await ranWith(slow, { permissionMode: 'bypassPermissions' });
    expect(ran).toBe(false);
    expect(text).toContain('failed: it took longer than 2 s');
    const pid = (await readFile(join(place.cwd, 'pid'), 'utf8')).trim();
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ') Z ');
    expect(stat).toMatch(/\) [ZX] /);
  });

  it('any other exit code is a warning and the call continues', async () => {
    proves('R-18');
    const { ran, notices } = await ranWith(command('echo hm >&2; exit 1'), {
      permissionMode: 'bypassPermissions',
    });
    expect(ran).toBe(true);
    expect(notices.join()).toContain('it ended with exit code 1: hm');
  });

  it('hooks run for the tools their matcher names', async () => {
    proves('R-19');
    const deny = { hooks: [{ type: 'command', command: 'exit 2' }] };
    const all = { permissionMode: 'bypassPermissions' } as const;
    expect(await ranWith([{ matcher: 'Edit|Write', ...deny }], all)).toMatchObject({ ran: true });
    expect(await ranWith([{ matcher: 'mcp__.*', ...deny }], all)).toMatchObject({ ran: true });
    expect(await ranWith([{ matcher: 'Read|Bash', ...deny }], all)).toMatchObject({ ran: false });
    expect(await ranWith([{ matcher: '*', ...deny }], all)).toMatchObject({ ran: false });
  });

  it('a changed input is judged and run in place of the old one', async () => {
    proves('R-18');
    const updated = (text: string) => command(decide('allow', { updatedInput: { command: text } }));
    const changed = await ranWith(updated('echo changed'));
    expect(changed).toMatchObject({ ran: false, text: expect.stringContaining('changed') });
    const worse = await ranWith(updated('sudo echo changed'));
    expect(worse.text).toContain('Permission denied');
  });

  it('knows our tools by the names they have elsewhere', async () => {
    proves('R-19');
    const deny = [{ matcher: 'MultiEdit', hooks: [{ type: 'command', command: 'exit 2' }] }];
    const edit = callTurn('Edit', { file_path: 'a.txt', old_string: 'a', new_string: 'b' });
    const write = callTurn('Write', { file_path: 'b.txt', content: 'b' });
    const { session, place } = await open({ PreToolUse: deny }, [edit, write, { text: 'ok' }], {
      permissionMode: 'bypassPermissions',
    });
    await place.put('a.txt', 'a');
    await session.submit('go');
    await session.shutdown();
    expect(toolResults(session)[0]).toContain('Permission denied');
    expect(await readFile(join(place.cwd, 'b.txt'), 'utf8')).toBe('b');
  });

  it('context from before a call joins its result, however long the hook may take', async () => {
    proves('R-18');
    const context = decide('allow', { additionalContext: 'the disk is nearly full' });
    const { ran, text } = await ranWith(command(context, { timeout: 10_000_000 }));
    expect(ran).toBe(true);
    expect(text).toContain('the disk is nearly full');
  });

  it('continue: false ends the run, before and after a tool', async () => {
    proves('R-18');
    const stop = sayJson({ continue: false, stopReason: 'office hours are over' });
    const before = await ranWith(command(stop), { permissionMode: 'bypassPermissions' });
    const error = { code: 'blocked', message: 'A hook ended the run: office hours are over' };
    expect(before).toMatchObject({ ran: false, result: { status: 'failed', error, turns: 1 } });
    const { session, provider } = await open({ PostToolUse: command(stop) }, [runLs, { text: 'x' }], {
      permissionMode: 'bypassPermissions',
    });
    expect(await session.submit('go')).toMatchObject({ status: 'failed', error, turns: 1 });
    expect(provider.requests).toHaveLength(1);
    await session.shutdown();
  });

  it('what PostToolUse has to say joins the result', async () => {
    proves('R-24');
    const hooks = {
      PostToolUse: [
        ...command('echo "lint fails" >&2; exit 2'),
        ...command(sayJson({ systemMessage: 'hi' })),
      ],
    };
    const { session, notices } = await open(hooks, [runLs, { text: 'x' }], {
      permissionMode: 'bypassPermissions',
    });
    await session.submit('go');
    expect(toolResults(session)[0]).toContain('lint fails');
    expect(notices).toContain('hi');
    await session.shutdown();
  });
});

describe('executors', () => {
  it('hooks are given the project but no provider keys, and a group its own environment', async () => {
    const place = await makeTestProject({ ANTHROPIC_API_KEY: 'sk-secret-key', KEPT: 'yes' });
    const group = { hooks: [{ type: 'command', command: 'env > env.txt' }], env: { MINE: '1' } };
    const { session } = await open({ SessionStart: [group] }, undefined, { place });
    await session.submit('go');
    await session.shutdown();
    const env = await readFile(join(place.cwd, 'env.txt'), 'utf8');
    expect(env).toContain(`CLAUDE_PROJECT_DIR=${place.cwd}\n`);
    expect(env).toContain(`ROBOTA_PROJECT_DIR=${place.cwd}\n`);
    expect(env).toContain('KEPT=yes\n');
    expect(env).toContain('MINE=1\n');
    expect(env).not.toContain('sk-secret-key');
  });

  it('asks a server', async () => {
    proves('R-20');
    const server = createServer((_, response) => response.end('{"ok": false, "reason": "frozen"}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { session } = await open({ UserPromptSubmit: [{ hooks: [{ type: 'http', url }] }] });
    expect(await session.submit('go')).toMatchObject({
      error: { message: 'A hook stopped the prompt: frozen' },
    });
    await session.shutdown();
    server.close();
  });

  it('a prompt hook asks the model for a verdict on the event', async () => {
    proves('R-21');
    const hooks = { Stop: [{ hooks: [{ type: 'prompt', prompt: 'Are the tests green? $ARGUMENTS' }] }] };
    const script = [
      { text: 'done' },
      { text: '```json\n{"ok": false, "reason": "run them"}\n```' },
      { text: 'ran them' },
      { text: '{"ok": true}' },
    ];
    const { session, provider } = await open(hooks, script);
    expect(await session.submit('go')).toMatchObject({ response: 'ran them' });
    const asked = provider.requests[1];
    expect(asked?.tools).toEqual([]);
    expect(JSON.stringify(asked?.messages)).toContain('Are the tests green? {\\"session_id\\"');
    expect(JSON.stringify(provider.requests[2]?.messages)).toContain('run them');
    expect((await session.executeCommand('cost'))?.message).toMatch(/\(hooks\): .* for 2 model calls/);
    await session.shutdown();
  });

  it('at the start of a session a prompt hook has its say without a model', async () => {
    proves('R-21');
    const hooks = { SessionStart: [{ hooks: [{ type: 'prompt', prompt: 'Write British English.' }] }] };
    const { session, provider } = await open(hooks);
    await session.submit('go');
    expect(provider.requests).toHaveLength(1);
    expect(JSON.stringify(provider.requests[0]?.messages)).toContain('Write British English.');
    await session.shutdown();
  });

  it('an agent hook looks into the matter in a session of its own', async () => {
    proves('R-22');
    const hooks = {
      UserPromptSubmit: [{ hooks: [{ type: 'agent', agent: 'Is the freeze over?', maxTurns: 5 }] }],
    };
    const script = [
      callTurn('Read', { file_path: 'freeze.txt' }),
      { text: '{"ok": false, "reason": "until Monday"}' },
    ];
    const place = await makeTestProject();
    await place.put('freeze.txt', 'frozen until Monday');
    const { session, provider } = await open(hooks, script, { place });
    expect(await session.submit('deploy')).toMatchObject({ error: { code: 'blocked' } });
    expect(provider.requests[0]?.tools.map(({ name }) => name).sort()).toEqual(['Glob', 'Grep', 'Read']);
    expect(JSON.stringify(provider.requests[1]?.messages)).toContain('frozen until Monday');
    expect(session.getMessages()).toEqual([]);
    await session.shutdown();
  });

  it('takes executors of other types, and names an unknown type', async () => {
    proves('R-23');
    const lua: HookExecutor = {
      timeout: 1,
      run: async ({ definition }) => ({ context: `ran ${definition.script}` }),
    };
    const hooks = { SessionStart: [{ hooks: [{ type: 'lua', script: 'a.lua' }, { type: 'perl' }] }] };
    const { session, provider, notices } = await open(hooks, undefined, { hookExecutors: { lua } });
    await session.submit('go');
    expect(JSON.stringify(provider.requests[0]?.messages)).toContain('ran a.lua');
    expect(notices.join()).toContain('unknown type "perl"; the types are command, http, prompt, agent, lua');
    await session.shutdown();
  });

  it('the same hook in two files runs once', async () => {
    const place = await makeTestProject();
    await place.put('~/.robota/settings.json', { hooks: { SessionStart: command(logger) } });
    const { session } = await open({ SessionStart: command(logger) }, undefined, { place });
    await session.submit('go');
    await session.shutdown();
    expect(await logged(place)).toHaveLength(1);
  });

  it('what hooks left running ends with the session', async () => {
    const { session, place } = await open({
      SessionStart: command('sleep 300 > /dev/null 2>&1 & echo $! > pid'),
    });
    await session.submit('go');
    const pid = Number(await readFile(join(place.cwd, 'pid'), 'utf8'));
    expect(process.kill(pid, 0)).toBe(true);
    await session.shutdown();
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ') Z ');
    expect(stat).toMatch(/\) [ZX] /);
  });

  it('an interruption while a hook runs ends the run, not the session', async () => {
    const { session, place } = await open({
      UserPromptSubmit: command('test -e quick || { touch busy; sleep 300; }'),
    });
    const running = session.submit('go');
    await expect.poll(() => readFile(join(place.cwd, 'busy'), 'utf8').catch(() => undefined)).toBe('');
    await session.abort();
    expect(await running).toMatchObject({ status: 'aborted' });
    await place.put('quick', '');
    expect(await session.submit('go')).toMatchObject({ status: 'completed' });
    await session.shutdown();
  });
});
