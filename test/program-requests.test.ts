import { execFileSync } from 'node:child_process';
import { realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply, temporaryDirectory } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import type { Line, Program } from './program.ts';
import { programHarness } from './program-harness.ts';

const desk = programHarness();
const { start } = desk;

const say = (text: string) => anthropicReply({ text });
const call = (name: string, input: unknown, id = 'toolu_1') =>
  anthropicReply({ toolCalls: [{ name, input, id }] });

let asked = 0;

/** Asks for something beside the prompts; gives the answer, or the error as a text. */
async function ask(program: Program, fields: { subtype: string } & Record<string, unknown>) {
  const id = `${fields.subtype}-${asked++}`;
  program.send({ type: 'control_request', request_id: id, request: fields });
  const line = await program.next(
    ({ type, response }) =>
      type === 'control_response' && (response as { request_id?: string }).request_id === id,
  );
  const { response, error } = line.response as { response?: Record<string, unknown>; error?: string };
  return response ?? error;
}

const isSystem = (subtype: string) => (line: Line) => line.type === 'system' && line.subtype === subtype;

/** The states of a prompt that was given an id. */
const statesOf = (program: Program, uuid: string) =>
  program
    .of('command_lifecycle')
    .filter(({ command_uuid: id }) => id === uuid)
    .map(({ state }) => state);

describe('set_cwd', () => {
  it('continues the conversation in another directory, with its instructions', async () => {
    const other = await realpath(await temporaryDirectory());
    await writeFile(join(other, 'AGENTS.md'), 'Speak like a gardener.\n');
    desk.stage.server.reply(say('One.'), call('Bash', { command: 'pwd' }), say('Two.'));
    const program = start('--allow', 'Bash');
    program.say('hello');
    const { session_id: id } = await program.result();
    expect(await ask(program, { subtype: 'set_cwd', path: other })).toEqual({
      status: 'ok',
      cwd: other,
      changed: true,
      transcript_relocated: true,
    });
    expect(await ask(program, { subtype: 'set_cwd', path: '.' })).toMatchObject({
      status: 'ok',
      changed: false,
    });
    program.say('and now?');
    expect(await program.result()).toMatchObject({ result: 'Two.', session_id: id });
    expect(program.of('system').filter(({ subtype }) => subtype === 'init')).toMatchObject([
      { cwd: desk.stage.cwd },
      { cwd: other, session_id: id },
    ]);
    expect(desk.stage.results(2)).toMatchObject([{ text: expect.stringContaining(other) }]);
    expect(JSON.stringify(desk.stage.server.requests[1]?.body)).toContain('gardener');
    expect(JSON.stringify(desk.stage.messages(1))).toContain('hello');
    expect(await program.end()).toBe(0);
  });

  it('keeps the id of a session that was not prompted yet, and holds what comes meanwhile until it is there', async () => {
    const other = await realpath(await temporaryDirectory());
    desk.stage.server.reply(call('Bash', { command: 'pwd' }), say('There.'));
    const program = start('--allow', 'Bash');
    program.send({ type: 'control_request', request_id: 'i', request: { subtype: 'initialize' } });
    const { session_id: id } = await program.next(isSystem('init'));
    program.send({
      type: 'control_request',
      request_id: 'move',
      request: { subtype: 'set_cwd', path: other },
    });
    program.say('where?');
    expect(await program.result()).toMatchObject({ result: 'There.', session_id: id });
    expect(desk.stage.results(1)).toMatchObject([{ text: expect.stringContaining(other) }]);
    expect(await program.end()).toBe(0);
  });

  it('asks about trust through the program, and refuses what is no directory or while a prompt runs', async () => {
    const other = await realpath(await temporaryDirectory());
    await writeFile(join(other, '.mcp.json'), '{"mcpServers":{"x":{"command":"true"}}}');
    desk.stage.server.reply(
      call('Bash', { command: 'until [ -e go ]; do sleep 0.02; done' }),
      say('Done.'),
      say('More.'),
    );
    const program = start('--allow', 'Bash');
    program.say('go');
    await program.next(({ type }) => type === 'assistant');
    expect(await ask(program, { subtype: 'set_cwd', path: other })).toMatchObject({
      status: 'rejected',
      reason: 'busy',
    });
    await desk.stage.file('go', '');
    await program.result();
    expect(await ask(program, { subtype: 'set_cwd', path: 'nowhere' })).toMatchObject({
      status: 'rejected',
      reason: 'not_found',
    });
    expect(await ask(program, { subtype: 'set_cwd', path: other })).toEqual({
      status: 'needs_trust',
      directory: other,
    });
    const trusted = { trust_accepted: true, trusted_directory: '/elsewhere' };
    expect(await ask(program, { subtype: 'set_cwd', path: other, ...trusted })).toMatchObject({
      status: 'needs_trust',
    });
    trusted.trusted_directory = other;
    expect(await ask(program, { subtype: 'set_cwd', path: other, ...trusted })).toMatchObject({
      status: 'ok',
      cwd: other,
    });
    program.say('more');
    expect(await program.result()).toMatchObject({ result: 'More.' });
    expect(await program.end()).toBe(0);
  });
});

describe('get_plan', () => {
  it('gives the plan that was presented last', async () => {
    desk.stage.server.reply(call('ExitPlanMode', { plan: '# Mend\n1. a.ts' }), say('Waiting.'));
    const program = start('--permission-mode', 'plan');
    expect(await ask(program, { subtype: 'get_plan' })).toEqual({ exists: false });
    program.say('plan it');
    await program.result();
    expect(await ask(program, { subtype: 'get_plan' })).toEqual({
      exists: true,
      content: '# Mend\n1. a.ts',
    });
    expect(await program.end()).toBe(0);
  });
});

describe('get_workspace_diff', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: desk.stage.cwd });

  it('lists the changes since the last commit, or since the branch left the default branch', async () => {
    await desk.stage.file('a.txt', 'one\ntwo\nthree\n');
    await desk.stage.file('gone.txt', 'x\n');
    await desk.stage.file('secret.txt', 'old\n');
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-qm', 'first');
    await desk.stage.file('a.txt', 'one\n2\nthree\n');
    await desk.stage.file('new.txt', 'n\n');
    await desk.stage.file('secret.txt', 'token\n');
    git('rm', '-q', 'gone.txt');
    const program = start('--deny', 'Read(secret.txt)');
    const { diff } = (await ask(program, { subtype: 'get_workspace_diff' })) as { diff: object };
    expect(diff).toMatchObject({
      stats: { filesCount: 4, linesAdded: 3, linesRemoved: 3 },
      perFileStats: [
        { path: 'a.txt', added: 1, removed: 1, isBinary: false, status: 'modified' },
        { path: 'gone.txt', status: 'removed' },
        { path: 'new.txt', status: 'added' },
        { path: 'secret.txt', status: 'modified' },
      ],
      restricted: ['secret.txt'],
      skippedLarge: [],
      omitted: { files: 0, exact: true },
      source: { kind: 'working-tree' },
    });
    const { hunks } = diff as { hunks: { path: string; hunks: unknown }[] };
    expect(hunks[0]).toEqual({
      path: 'a.txt',
      hunks: [
        { oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [' one', '-two', '+2', ' three'] },
      ],
    });
    expect(hunks.find(({ path }) => path === 'new.txt')?.hunks).toEqual([
      { oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, lines: ['+n'] },
    ]);
    expect(JSON.stringify(diff)).not.toContain('token');
    git('checkout', '-qb', 'topic');
    git('add', 'a.txt');
    git('commit', '-qm', 'second');
    expect(await ask(program, { subtype: 'get_workspace_diff' })).toMatchObject({
      diff: { source: { kind: 'branch', baseBranch: 'main' }, stats: { filesCount: 4 } },
    });
    expect(await program.end()).toBe(0);
  });

  it('says that there is no repository', async () => {
    const program = start();
    expect(await ask(program, { subtype: 'get_workspace_diff' })).toEqual({
      diff: null,
      noDiffReason: 'no-repository',
    });
    expect(await program.end()).toBe(0);
  });
});

describe('the states of prompts with an id', () => {
  it('are told from the line to the end: run, steered, queued, taken back', async () => {
    desk.stage.server.reply(
      call('Bash', { command: 'until [ -e go ]; do sleep 0.02; done' }),
      say('Steered.'),
      say('Later.'),
    );
    const program = start('--allow', 'Bash');
    program.say('begin', { uuid: 'first' });
    await program.next(({ type }) => type === 'assistant');
    program.say('turn left', { uuid: 'steered' });
    program.say('and then', { uuid: 'later', priority: 'later' });
    program.say('never', { uuid: 'dropped', priority: 'later' });
    expect(await ask(program, { subtype: 'cancel_async_message', message_uuid: 'dropped' })).toEqual({
      cancelled: true,
    });
    await desk.stage.file('go', '');
    await program.result();
    await program.result();
    expect(await program.end()).toBe(0);
    expect(statesOf(program, 'first')).toEqual(['started', 'completed']);
    expect(statesOf(program, 'steered')).toEqual(['queued', 'started', 'completed']);
    expect(statesOf(program, 'later')).toEqual(['queued', 'started', 'completed']);
    expect(statesOf(program, 'dropped')).toEqual(['queued', 'cancelled']);
  });

  it('end with an interruption, and with the session', async () => {
    desk.stage.server.reply(
      call('Bash', { command: 'sleep 300' }, 'toolu_1'),
      call('Bash', { command: 'sleep 300' }, 'toolu_2'),
    );
    const program = start('--allow', 'Bash');
    program.say('begin', { uuid: 'first' });
    await program.next(({ type }) => type === 'assistant');
    program.say('turn', { uuid: 'steered' });
    program.say('then', { uuid: 'later', priority: 'later' });
    expect(await ask(program, { subtype: 'interrupt', cancel_queued: true })).toEqual({
      still_queued: [],
      cancelled: ['steered', 'later'],
    });
    await program.result();
    program.say('again', { uuid: 'second' });
    await program.next(({ type }) => type === 'assistant');
    program.say('never', { uuid: 'last', priority: 'later' });
    await ask(program, { subtype: 'end_session' });
    expect(await program.exited).toBe(0);
    expect(statesOf(program, 'first')).toEqual(['started', 'cancelled']);
    expect(statesOf(program, 'steered')).toEqual(['queued', 'cancelled']);
    expect(statesOf(program, 'later')).toEqual(['queued', 'cancelled']);
    expect(statesOf(program, 'last')).toEqual(['queued', 'discarded']);
  });
});

describe('requests of hosts', () => {
  it('reads the end of what a background command wrote, and tells its beginning and its end', async () => {
    const command = 'echo begun; until [ -e go ]; do sleep 0.02; done; echo over';
    desk.stage.server.reply(call('Bash', { command, run_in_background: true }), say('Started.'));
    const program = start('--allow', 'Bash', '--permission-prompt-tool', 'stdio');
    program.say('go');
    const { task_id: id } = await program.next(isSystem('task_started'));
    expect(program.lines.find(isSystem('task_started'))).toMatchObject({
      task_type: 'local_bash',
      is_backgrounded: true,
      description: expect.stringContaining('echo begun'),
    });
    await program.result();
    await expect
      .poll(() => ask(program, { subtype: 'get_task_output', task_id: id }))
      .toEqual({ output: 'begun\n', total_bytes: 6, truncated: false });
    await desk.stage.file('go', '');
    expect(await program.next(isSystem('task_notification'))).toMatchObject({
      task_id: id,
      status: 'completed',
      output_file: expect.stringMatching(/^\//),
    });
    expect(await ask(program, { subtype: 'get_task_output', task_id: 'none' })).toEqual(
      expect.stringContaining('none'),
    );
    expect(await program.end()).toBe(0);
  });

  it('tells of the calls of an agent in the background, and stops it', async () => {
    desk.stage.server.handle(({ body }) => {
      const text = JSON.stringify((body as { messages: unknown }).messages);
      if (!text.includes('the task')) return call('Bash', { command: 'sleep 300' }, 'toolu_agent');
      const input = { prompt: 'Look around.', run_in_background: true };
      return text.includes('tool_result') ? say('Started.') : call('Agent', input);
    });
    const program = start('--allow', 'Bash', '--permission-prompt-tool', 'stdio');
    program.send({
      type: 'control_request',
      request_id: 'i',
      request: { subtype: 'initialize', agentProgressSummaries: true },
    });
    program.say('the task');
    const { task_id: id } = await program.next(isSystem('task_started'));
    expect(await program.next(isSystem('task_progress'))).toMatchObject({
      task_id: id,
      task_type: 'local_agent',
      last_tool_name: 'Bash',
      summary: 'Bash: sleep 300',
      usage: { tool_uses: 1, total_tokens: expect.any(Number), duration_ms: expect.any(Number) },
    });
    await program.result();
    expect(await ask(program, { subtype: 'stop_task', task_id: id })).toEqual({});
    expect(await program.next(isSystem('task_notification'))).toMatchObject({
      task_id: id,
      status: 'stopped',
    });
    expect(await program.end()).toBe(0);
  });

  it('adds a directory to the workspace', async () => {
    const other = await realpath(await temporaryDirectory());
    await writeFile(join(other, 'there.txt'), 'from elsewhere');
    const read = call('Read', { file_path: join(other, 'there.txt') });
    desk.stage.server.reply(read, say('No.'), read, say('Yes.'));
    const program = start();
    program.say('read it');
    expect((await program.result()).permission_denials).toHaveLength(1);
    expect(await ask(program, { subtype: 'register_repo_root', directory: other })).toEqual({});
    expect(await ask(program, { subtype: 'register_repo_root', directory: 'nowhere' })).toEqual(
      expect.stringContaining('nowhere'),
    );
    program.say('again');
    expect(await program.result()).toMatchObject({ result: 'Yes.', permission_denials: [] });
    expect(desk.stage.results(3)).toMatchObject([{ text: expect.stringContaining('from elsewhere') }]);
    expect(await program.end()).toBe(0);
  });

  it('calls a tool of an MCP server, unless a rule denies it', async () => {
    const server = join(import.meta.dirname, 'fixtures/mcp/judge-server.mjs');
    const config = JSON.stringify({ mcpServers: { judge: { command: process.execPath, args: [server] } } });
    const program = start('--mcp-config', config, '--deny', 'mcp__judge__yes');
    const { mcpServers } = (await ask(program, { subtype: 'mcp_status' })) as {
      mcpServers: { name: string }[];
    };
    expect(mcpServers).toMatchObject([{ name: 'judge' }]);
    expect(await ask(program, { subtype: 'mcp_call', tool: 'mcp__judge__no', arguments: {} })).toEqual({
      content: [{ type: 'text', text: '{"behavior":"deny","message":"not today"}' }],
      isError: false,
    });
    expect(await ask(program, { subtype: 'mcp_call', tool: 'mcp__judge__yes' })).toEqual(
      expect.stringContaining('mcp__judge__yes'),
    );
    expect(await ask(program, { subtype: 'mcp_call', tool: 'mcp__judge__none' })).toEqual(
      expect.stringContaining('none'),
    );
    expect(await program.end()).toBe(0);
  });

  it('takes documents: a PDF as it is, a text under its title, and refuses what is neither', async () => {
    const data = Buffer.from('%PDF-1.4\n%%EOF').toString('base64');
    desk.stage.server.reply(say('Read.'));
    const program = start();
    program.say([{ type: 'document', source: { type: 'url', url: 'https://x.test' } }]);
    expect(await program.next(({ type }) => type === 'error')).toMatchObject({
      error: expect.stringContaining('content[0]'),
    });
    // A program that waits for the result of its prompt gets one.
    expect(await program.result()).toMatchObject({
      subtype: 'error_during_execution',
      is_error: true,
      errors: [expect.stringContaining('content[0]')],
    });
    program.say([
      { type: 'text', text: 'Compare.' },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } },
      { type: 'document', title: 'Notes', source: { type: 'text', media_type: 'text/plain', data: 'fig' } },
    ]);
    expect(await program.result()).toMatchObject({ result: 'Read.' });
    const [message] = desk.stage.messages(0).filter(({ role }) => role === 'user');
    expect(message?.content).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data },
        }),
      ]),
    );
    expect(JSON.stringify(message)).toContain('<document title=\\"Notes\\">\\nfig\\n</document>');
    expect(await program.end()).toBe(0);
  });
});
