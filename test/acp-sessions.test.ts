import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply, temporaryDirectory } from '@robota-sdk/agent-testing';
import { afterEach, describe, expect, it } from 'vitest';
import { Editor, type EditorOptions } from './editor.ts';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();
const editors: Editor[] = [];

afterEach(async () => {
  for (const editor of editors.splice(0)) await editor.close();
});

function start(options: EditorOptions = {}): Editor {
  const args = ['--model', 'claude-sonnet-4-6', ...(options.args ?? [])];
  const editor = new Editor(stage, { ...options, args });
  editors.push(editor);
  return editor;
}

const say = (text: string) => anthropicReply({ text });
const call = (name: string, input: unknown) =>
  anthropicReply({ toolCalls: [{ name, input, id: 'toolu_1' }] });

const load = (editor: Editor, sessionId: string) =>
  editor.agent.request('session/load', { sessionId, cwd: stage.cwd, mcpServers: [] });

/** The JSON-RPC answer to a failing request. */
const failure = (request: Promise<unknown>) =>
  request.then(
    () => 'no failure',
    (thrown: { code?: number; message?: string }) => `${thrown.code} ${thrown.message}`,
  );

const sessionFiles = async () => {
  const names = await readdir(join(stage.home, '.robota/sessions'), { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('session.jsonl'));
};

describe('a session that an editor made and never prompted', () => {
  it('is loaded and resumed by other processes under its id, and continues there', async () => {
    stage.server.reply(say('Here.'));
    const first = start();
    const { sessionId } = await first.open(stage.cwd);
    await first.close();
    const second = start();
    await second.initialize();
    expect((await load(second, sessionId)).modes?.currentModeId).toBe('default');
    await second.close();
    const third = start();
    await third.initialize();
    await third.agent.request('session/resume', { sessionId, cwd: stage.cwd });
    await third.prompt(sessionId, 'are you there?');
    expect(third.text(sessionId)).toBe('Here.');
    await third.close();
    const shown = await stage.robota(['sessions', 'list', '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ sessions: [{ id: sessionId }] });
  });

  it('is loaded after the process that made it was killed', async () => {
    const first = start();
    const { sessionId } = await first.open(stage.cwd);
    first.child.kill('SIGKILL');
    await first.exited;
    const second = start();
    await second.initialize();
    expect(await load(second, sessionId)).toHaveProperty('modes');
  });

  it('belongs to one process at a time', async () => {
    const { sessionId } = await start().open(stage.cwd);
    const second = start();
    await second.initialize();
    expect(await failure(load(second, sessionId))).toContain('in use by process');
  });

  it('is in no list and is not continued, but opens in a terminal by its id', async () => {
    const first = start();
    const { sessionId } = await first.open(stage.cwd);
    expect((await first.agent.request('session/list', {})).sessions).toEqual([]);
    await first.close();
    const elsewhere = await temporaryDirectory();
    for (const cwd of [stage.cwd, elsewhere])
      expect((await stage.robota(['sessions', 'list'], { cwd })).stdout).not.toMatch(/nothing was asked|\d/);
    stage.server.reply(say('New.'), say('Same.'));
    const model = ['--model', 'claude-sonnet-4-6', '--output-format', 'json'];
    const continued = await stage.robota(['-c', '-p', 'one', ...model]);
    expect(JSON.parse(continued.stdout).session_id).not.toBe(sessionId);
    const resumed = await stage.robota(['-r', sessionId, '-p', 'two', ...model]);
    expect(JSON.parse(resumed.stdout).session_id).toBe(sessionId);
  });

  it('is forked, closed and deleted like any other, and so is its fork', async () => {
    const first = start();
    const { sessionId } = await first.open(stage.cwd);
    const params = { sessionId, cwd: stage.cwd, mcpServers: [] };
    const fork = await first.agent.request<{ sessionId: string }>('session/fork', params);
    await first.agent.request('session/close', { sessionId });
    await first.close();
    const second = start();
    await second.initialize();
    for (const id of [sessionId, fork.sessionId]) {
      expect(await load(second, id)).toHaveProperty('modes');
      await second.agent.request('session/delete', { sessionId: id });
      expect(await failure(load(second, id))).toContain('-32002');
    }
    expect(await sessionFiles()).toEqual([]);
  });

  it('is removed by a later editor when it is 30 days old', async () => {
    const first = start();
    await first.open(stage.cwd);
    await first.close();
    const [old = ''] = await sessionFiles();
    const then = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
    await utimes(join(stage.home, '.robota/sessions', old), then, then);
    await start().open(stage.cwd);
    await expect.poll(sessionFiles).toHaveLength(1);
    expect(await sessionFiles()).not.toContain(old);
  });

  it('leaves nothing behind where nothing is to be kept, and takes no id from the command line', async () => {
    const editor = start({ args: ['--no-session'] });
    await editor.open(stage.cwd);
    await editor.close();
    expect(await sessionFiles()).toEqual([]);
    const refused = await stage.robota(['acp', '--session-id', 'mine'], { input: '' });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('takes no --session-id') });
  });
});

describe('what an editor is told', () => {
  it('names no command in /help that is left to the editor', async () => {
    const editor = start();
    const { sessionId } = await editor.open(stage.cwd);
    await editor.prompt(sessionId, '/help');
    expect(editor.text()).toContain('/compact');
    expect(editor.text()).not.toMatch(/\/(?:exit|quit|new|resume)\b/);
    await editor.prompt(sessionId, '/help exit');
    expect(editor.text()).toContain('Unknown command /exit.');
    await editor.prompt(sessionId, '/quit');
    expect(editor.text()).toContain('Start and end sessions in your editor.');
  });

  it.each<[string, EditorOptions, Parameters<typeof call>]>([
    ['permission', { permit: () => new Promise(() => {}) }, ['Bash', { command: 'touch a' }]],
    [
      'file',
      { capabilities: { fs: { readTextFile: true } }, silent: ['fs/read_text_file'] },
      ['Read', { file_path: 'a.txt' }],
    ],
    [
      'form',
      { capabilities: { elicitation: { form: {} } }, silent: ['elicitation/create'] },
      ['AskUser', { question: 'Which colour?', options: ['Red', 'Blue'] }],
    ],
  ])('is no notification that it never announced when a %s is cancelled', async (_, options, called) => {
    await stage.file('a.txt', 'one');
    stage.server.reply(call(...called), say('Next.'));
    const editor = start(options);
    const { sessionId } = await editor.open(stage.cwd);
    const prompt = editor.prompt(sessionId, 'go');
    await expect.poll(() => editor.unanswered + editor.permissions.length).toBe(1);
    await editor.agent.notify('session/cancel', { sessionId });
    expect(await prompt).toEqual({ stopReason: 'cancelled' });
    await editor.prompt(sessionId, 'on');
    expect(editor.text()).toBe('Next.');
    const methods = editor.stdout
      .split('\n')
      .flatMap((line) => (line === '' ? [] : (JSON.parse(line).method ?? [])));
    expect(methods.filter((method) => method.startsWith('$/'))).toEqual([]);
  });
});

it('follows the options that clients of another agent add to a session', async () => {
  stage.server.reply(call('Bash', { command: 'echo hi' }));
  stage.server.reply(say('Never reached.'));
  const editor = start();
  await editor.initialize();
  const open = (_meta: Record<string, unknown>) =>
    editor.agent.request('session/new', { cwd: stage.cwd, mcpServers: [], _meta });
  const options = { allowedTools: ['Bash(echo *)'], tools: ['Bash'], maxTurns: 1, model: 'claude-haiku-4-5' };
  const { sessionId } = await open({ systemPrompt: 'You are terse.', claudeCode: { options }, other: 1 });
  expect(await editor.prompt(sessionId, 'go')).toMatchObject({ stopReason: 'max_turn_requests' });
  expect(editor.text(sessionId)).toContain('Stopped after 1 turn, ');
  const [request] = stage.server.requests;
  const body = request?.body as { model: string; system: unknown; tools: readonly { name: string }[] };
  expect(body.model).toContain('haiku');
  expect(JSON.stringify(body.system)).toContain('You are terse.');
  expect(body.tools.map(({ name }) => name).filter((name) => name !== 'web_search')).toEqual(['Bash']);
  const slip = { claudeCode: { options: { disallowedTools: 'Bash' } } };
  expect(await failure(open(slip))).toMatch(/^-32602 .*claudeCode\.options\.disallowedTools/);
});
