import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicError, anthropicReply } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import type { Line } from './program.ts';
import { programHarness } from './program-harness.ts';

const desk = programHarness();
const { start } = desk;

const say = (text: string) => anthropicReply({ text });
const call = (name: string, input: unknown, id = 'toolu_1') =>
  anthropicReply({ toolCalls: [{ name, input, id }] });
const ask = ['--permission-prompt-tool', 'stdio'];

/** The request of a question about a call. */
function isQuestion(line: Line): boolean {
  return line.type === 'control_request';
}

function answer(line: Line, response: unknown) {
  return {
    type: 'control_response',
    response: { subtype: 'success', request_id: line.request_id, response },
  };
}

describe('--input-format stream-json', () => {
  it('answers many prompts in one process and one conversation, and ends with the input', async () => {
    proves('H-10');
    desk.stage.server.reply(say('One.'), say('Two.'));
    const program = start();
    program.say('first');
    expect(await program.next(({ type }) => type === 'system')).toMatchObject({
      subtype: 'init',
      cwd: desk.stage.cwd,
      model: 'anthropic/claude-sonnet-4-6',
      permissionMode: 'default',
      tools: expect.arrayContaining(['Read', 'Bash']),
    });
    expect(program.lines[0]).toMatchObject({ type: 'system', subtype: 'init' });
    const first = await program.result();
    expect(first).toMatchObject({ subtype: 'success', result: 'One.', num_turns: 1 });
    program.say([{ type: 'text', text: 'second' }]);
    expect(await program.result()).toMatchObject({ result: 'Two.', session_id: first.session_id });
    expect(desk.stage.messages(1).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(await program.end()).toBe(0);
    expect(program.of('assistant')).toMatchObject([
      { message: { role: 'assistant', content: [{ type: 'text', text: 'One.' }], stop_reason: 'end_turn' } },
      { message: { content: [{ type: 'text', text: 'Two.' }] } },
    ]);
    expect(program.of('stream_event')).toEqual([]);
  });

  it('finishes the prompt that is running when the input ends', async () => {
    desk.stage.server.reply(call('Glob', { pattern: '*' }), say('Done.'));
    const program = start('--include-partial-messages', '--replay-user-messages');
    program.say('go', { uuid: '11111111-1111-4111-8111-111111111111' });
    expect(await program.end()).toBe(0);
    expect(program.lines.at(-1)).toMatchObject({ type: 'result', result: 'Done.' });
    expect(program.of('user')).toMatchObject([
      { isReplay: true, message: { content: 'go' }, uuid: '11111111-1111-4111-8111-111111111111' },
      { message: { content: [{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: false }] } },
    ]);
    expect(program.of('stream_event')).not.toEqual([]);
  });

  it('a message during a run joins it; one that waits has a result of its own', async () => {
    desk.stage.server.reply(
      call('Bash', { command: 'until [ -e go ]; do sleep 0.02; done' }),
      say('Steered.'),
      say('Later.'),
    );
    const program = start('--allow', 'Bash');
    program.say('begin');
    await program.next(({ type }) => type === 'assistant');
    program.say('turn left', { priority: 'later' });
    program.say('turn right');
    program.send({ type: 'control_request', request_id: 'seen', request: { subtype: 'initialize' } });
    await program.next(({ type }) => type === 'control_response');
    await desk.stage.file('go', '');
    expect(await program.result()).toMatchObject({ result: 'Steered.', num_turns: 2 });
    expect(await program.result()).toMatchObject({ result: 'Later.' });
    expect(JSON.stringify(desk.stage.messages(1))).toContain('turn right');
    expect(JSON.stringify(desk.stage.messages(1))).not.toContain('turn left');
    expect(JSON.stringify(desk.stage.messages(2))).toContain('turn left');
    expect(await program.end()).toBe(0);
  });

  it('asks the program before calls, and takes its yes, its no and its rules', async () => {
    desk.stage.server.reply(
      call('Bash', { command: 'touch a' }, 'toolu_a'),
      call('Bash', { command: 'touch b' }, 'toolu_b'),
      call('Bash', { command: 'touch b' }, 'toolu_b2'),
      call('Bash', { command: 'touch c' }, 'toolu_c'),
      say('Done.'),
    );
    const program = start(...ask);
    program.say('go');
    const first = await program.next(isQuestion);
    expect(first.request).toMatchObject({
      subtype: 'can_use_tool',
      tool_name: 'Bash',
      input: { command: 'touch a' },
      tool_use_id: 'toolu_a',
      permission_suggestions: [
        {
          type: 'addRules',
          behavior: 'allow',
          destination: 'session',
          rules: [{ toolName: 'Bash', ruleContent: 'touch a' }],
        },
        { destination: 'localSettings' },
      ],
    });
    program.send(answer(first, { behavior: 'allow', updatedInput: { command: 'touch a' } }));
    const second = await program.next(isQuestion);
    const { permission_suggestions: suggestions } = second.request as { permission_suggestions: unknown[] };
    program.send(answer(second, { behavior: 'allow', updatedPermissions: [suggestions[0]] }));
    const third = await program.next(isQuestion);
    expect(third.request).toMatchObject({ tool_use_id: 'toolu_c' });
    program.send({ type: 'permission', id: third.request_id, allow: false, reason: 'not today' });
    const { permission_denials: denials } = await program.result();
    expect(denials).toMatchObject([{ tool_use_id: 'toolu_c' }]);
    expect(desk.stage.results(4)[0]?.text).toContain('not today');
    expect(['a', 'b', 'c'].map((name) => existsSync(join(desk.stage.cwd, name)))).toEqual([
      true,
      true,
      false,
    ]);
    expect(await program.end()).toBe(0);
  });

  it('runs a call with the arguments that came with the yes, judges them, and remembers no rule by them', async () => {
    desk.stage.server.reply(
      call('Bash', { command: 'touch a' }, 'toolu_a'),
      call('Bash', { command: 'touch a' }, 'toolu_b'),
      call('Bash', { command: 'touch a' }, 'toolu_c'),
      say('Done.'),
    );
    const program = start(...ask, '--deny', 'Bash(rm *)');
    program.say('go');
    const given = [{ command: 'touch other' }, { command: 'rm -rf other' }, { command: 7 }];
    for (const updatedInput of given) {
      const question = await program.next(isQuestion);
      const { permission_suggestions: updatedPermissions } = question.request as Record<string, unknown>;
      program.send(answer(question, { behavior: 'allow', updatedInput, updatedPermissions }));
    }
    expect(await program.result()).toMatchObject({ permission_denials: [{ tool_use_id: 'toolu_b' }] });
    expect(await readdir(desk.stage.cwd)).toEqual(['other']);
    expect(desk.stage.results(2)[0]?.text).toContain('Permission denied');
    expect(desk.stage.results(3)[0]?.text).toContain('It was allowed with other arguments: Wrong arguments');
    expect(await program.end()).toBe(0);
  });

  it('stops the run at a no that says so', async () => {
    desk.stage.server.reply(call('Bash', { command: 'touch a' }), say('Next.'));
    const program = start(...ask);
    program.say('go');
    const question = await program.next(isQuestion);
    program.send(answer(question, { behavior: 'deny', message: 'stop', interrupt: true }));
    expect(await program.result()).toMatchObject({ interrupted: true });
    program.say('on');
    expect(await program.result()).toMatchObject({ result: 'Next.' });
    expect(await program.end()).toBe(0);
  });

  it('a short answer may hold for the project', async () => {
    desk.stage.server.reply(call('Bash', { command: 'touch a' }), say('Done.'));
    const program = start(...ask);
    program.say('go');
    const question = await program.next(isQuestion);
    program.send({ type: 'permission', id: question.request_id, allow: 'project' });
    await program.result();
    expect(await readFile(join(desk.stage.cwd, '.robota/settings.local.json'), 'utf8')).toContain(
      'Bash(touch a)',
    );
    await program.end();
  });

  it('denies what needs a yes without the channel, and where the input ends before the answer', async () => {
    desk.stage.server.reply(
      call('Bash', { command: 'touch a' }),
      say('Done.'),
      call('Bash', { command: 'touch a' }),
      say('Done.'),
    );
    const silent = start();
    silent.say('go');
    expect(await silent.result()).toMatchObject({ permission_denials: [{ tool_name: 'Bash' }] });
    await silent.end();
    const gone = start(...ask);
    gone.say('go');
    await gone.next(isQuestion);
    expect(await gone.end()).toBe(0);
    expect(gone.lines.at(-1)).toMatchObject({ type: 'result', permission_denials: [{ tool_name: 'Bash' }] });
    expect(existsSync(join(desk.stage.cwd, 'a'))).toBe(false);
  });

  it('interrupts a run, keeps what was said meanwhile, and continues', async () => {
    desk.stage.server.reply(call('Bash', { command: 'sleep 60' }), say('Next.'));
    const program = start('--allow', 'Bash');
    program.say('go');
    await program.next(({ type }) => type === 'assistant');
    program.say('and then this');
    program.send({ type: 'control_request', request_id: 'stop', request: { subtype: 'interrupt' } });
    expect(await program.next(({ type }) => type === 'control_response')).toMatchObject({
      response: { subtype: 'success', request_id: 'stop' },
    });
    expect(await program.result()).toMatchObject({ interrupted: true });
    expect(await program.result()).toMatchObject({ result: 'Next.' });
    expect(JSON.stringify(desk.stage.messages(1).at(-1))).toContain('and then this');
    expect(await program.end()).toBe(0);
  });

  it('takes a question back when the run is interrupted', async () => {
    desk.stage.server.reply(call('Bash', { command: 'touch a' }), say('Next.'));
    const program = start(...ask);
    program.say('go');
    const question = await program.next(isQuestion);
    program.send({ type: 'interrupt' });
    expect(await program.next(({ type }) => type === 'control_cancel_request')).toMatchObject({
      request_id: question.request_id,
    });
    expect(await program.result()).toMatchObject({ interrupted: true });
    program.send(answer(question, { behavior: 'allow' }));
    expect(await program.next(({ type }) => type === 'error')).toMatchObject({ line: 3 });
    await program.end();
  });

  it('does what is asked for before it takes the next line', async () => {
    desk.stage.server.reply(say('One.'));
    const program = start();
    const request = (fields: object) => ({ type: 'control_request', request_id: '1', request: fields });
    program.send(
      request({ subtype: 'initialize', hooks: { PreToolUse: [{ hookCallbackIds: ['a'] }] }, agents: {} }),
      request({ subtype: 'set_model', model: 'claude-haiku-4-5' }),
      { type: 'prompt', text: 'go' },
    );
    expect(await program.result()).toMatchObject({ model: 'anthropic/claude-haiku-4-5' });
    expect(program.of('control_response')).toMatchObject([
      { response: { subtype: 'success' } },
      { response: { subtype: 'success' } },
    ]);
    await program.end();
  });

  it('changes mode and model, and refuses what does not exist', async () => {
    desk.stage.server.reply(call('Write', { file_path: 'x.txt', content: 'x' }), say('Done.'));
    const program = start();
    const request = (id: string, fields: object) => ({
      type: 'control_request',
      request_id: id,
      request: fields,
    });
    program.send(
      request('1', { subtype: 'initialize', hooks: null }),
      request('2', { subtype: 'set_permission_mode', mode: 'acceptEdits' }),
      request('3', { subtype: 'set_model', model: 'claude-haiku-4-5' }),
      request('4', { subtype: 'set_permission_mode', mode: 'yolo' }),
      request('5', { subtype: 'set_model', model: 'nobody/nothing' }),
      request('6', { subtype: 'dance' }),
    );
    for (let count = 0; count < 6; count++) await program.next(({ type }) => type === 'control_response');
    const responses = new Map(
      program.of('control_response').map(({ response }) => {
        const each = response as { request_id: string; subtype: string };
        return [each.request_id, each] as const;
      }),
    );
    expect(responses.get('1')).toMatchObject({
      subtype: 'success',
      response: { commands: expect.any(Array), models: expect.any(Array) },
    });
    expect(responses.get('3')).toMatchObject({
      subtype: 'success',
      response: { model: 'anthropic/claude-haiku-4-5' },
    });
    for (const id of ['4', '5', '6'])
      expect(responses.get(id)).toMatchObject({ subtype: 'error', error: expect.any(String) });
    program.say('go');
    expect(await program.result()).toMatchObject({ permission_denials: [] });
    expect(await readFile(join(desk.stage.cwd, 'x.txt'), 'utf8')).toBe('x');
    await program.end();
  });

  it('answers a malformed line with its number, and loses nothing around it', async () => {
    desk.stage.server.reply(say('One.'), say('Two.'));
    const program = start('--replay-user-messages');
    const deep = `{"type":"user","message":{"role":"user","content":"x","y":${'['.repeat(99_999)}${']'.repeat(99_999)}}}`;
    const long = `{"type":"prompt","text":"${'x'.repeat(64 * 1024 * 1024)}"}`;
    program.send('{"type":"user", oops', '', '[]', { type: 'dance' }, deep, long);
    program.send({ type: 'prompt', text: 'first' });
    expect(await program.result()).toMatchObject({ result: 'One.' });
    expect(program.of('error')).toMatchObject([
      { line: 1, error: expect.stringContaining('not JSON') },
      { line: 3, error: expect.stringContaining('object') },
      { line: 4, error: expect.stringContaining('dance') },
      { line: 5, error: expect.stringContaining('levels deep') },
      { line: 6, error: expect.stringContaining('at most') },
    ]);
    // The last line need not end.
    program.child.stdin?.write('{"type":"prompt","text":"second"}');
    expect(await program.end()).toBe(0);
    expect(program.lines.at(-1)).toMatchObject({ result: 'Two.' });
  });

  it('tells what failed in its result and in the exit code, and takes the next prompt', async () => {
    proves('H-18');
    desk.stage.server.reply(anthropicError(401, 'bad key'), anthropicError(401, 'bad key'));
    const program = start();
    program.say('go');
    expect(await program.result()).toMatchObject({ is_error: true, error_code: 'auth' });
    program.say('/mode');
    expect(await program.result()).toMatchObject({ result: 'Permission mode: default' });
    program.say('go on');
    expect(await program.end()).toBe(1);
  });

  it('stops when its reader goes', async () => {
    desk.stage.server.reply(call('Bash', { command: 'sleep 60' }));
    const program = start('--allow', 'Bash');
    program.say('go');
    await program.next(({ type }) => type === 'assistant');
    program.child.stdout?.destroy();
    program.say('anybody?');
    expect(await program.end()).toBe(0);
  });

  it('explains wrong options', async () => {
    const wrong = async (...args: string[]) =>
      (await desk.stage.robota(['-p', ...args], { input: '' })).stderr;
    expect(await wrong('--input-format', 'stream-json')).toContain('--output-format stream-json');
    expect(await wrong('hi', ...ask)).toContain(
      '--permission-prompt-tool stdio needs --input-format stream-json',
    );
    expect(await wrong('--input-format', 'xml')).toContain('choose one of text, stream-json');
  });
});

describe('--verbose --output-format stream-json', () => {
  it('prints whole messages too', async () => {
    proves('H-9', 'H-10');
    desk.stage.server.reply(call('Glob', { pattern: '*' }), say('Done.'));
    const { stdout } = await desk.stage.robota(['-p', 'go', '--verbose', '--output-format', 'stream-json']);
    const types = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as Line).type);
    expect(types).toEqual(['system', 'assistant', 'user', 'assistant', 'result']);
  });
});
