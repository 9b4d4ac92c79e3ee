import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Answer, type Message, type Question, textOf, type UserInterface } from '@robota-sdk/agent-core';
import type { ScriptedTurn } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';
import { completeCommand } from '../input/complete-command.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import type { JobGroupEvent, TaskEvent } from './task-state.ts';

type Options = Parameters<typeof openScripted>[2];
type Request = { readonly system: string; readonly messages: readonly Message[] };

const isAgent = ({ system }: Request) => system.includes('You work for another agent');
const asked = ({ messages }: Request) => textOf(messages.find(({ role }) => role === 'user')?.content ?? []);
const lastText = ({ messages }: Request) => textOf(messages.at(-1)?.content ?? []);

/** A session whose agents and whose own model answer as they are told. */
async function open(
  agent: (request: Request, turn: number) => ScriptedTurn,
  { own = () => ({ text: 'ok' }), ...options }: Options & { own?(request: Request): ScriptedTurn } = {},
) {
  const place = await makeTestProject({ ANTHROPIC_API_KEY: 'k' });
  let turn = 0;
  const opened = await openScripted(
    place,
    (request) => (isAgent(request) ? agent(request, turn++) : own(request)),
    options,
  );
  const events: (TaskEvent | JobGroupEvent)[] = [];
  opened.session.on('background_task_event', (event) => void events.push(event));
  opened.session.on('background_job_group_event', (event) => void events.push(event));
  return { ...opened, place, events, types: () => events.map(({ type }) => type) };
}

/** Holds agents back until they are let go. */
function gate() {
  let release = () => {};
  const open = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { before: () => open, release: () => release() };
}

const ended = async (session: InteractiveSession, id: string) => session.tasks.whenEnded(id);

describe('an agent in the background', () => {
  it('that waits for a limit when its session is closed resumes with the session, and the model is told', async () => {
    const hour = 3_600_000;
    const failure = {
      code: 'rate-limit',
      retryable: true,
      retryAfterMs: hour,
      message: 'Slow down.',
    } as const;
    const options = { store: 'new', settings: [{ waitForLimit: '2h' }] } as const;
    const first = await open(() => ({ failure }), options);
    const waiting = new Promise<void>((resolve) => {
      const hear = (event: { readonly type: string }) => event.type === 'limit-wait' && resolve();
      first.session.subscribe((event) => void hear(event), { withAgents: true });
    });
    const { id } = await first.session.spawnAgentJob({ prompt: 'Look.' });
    await waiting;
    await first.session.shutdown();
    // The limit is over: the next process asks at once.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * hour });
    onTestFinished(() => void vi.useRealTimers());
    const second = await openScripted(
      first.place,
      (request) => ({ text: isAgent(request) ? `Seen after ${request.messages.length}.` : 'ok' }),
      { ...options, store: { open: first.session.id } },
    );
    expect(second.session.problems).toEqual([]);
    expect(second.session.tasks.find(id)).toMatchObject({ status: 'interrupted' });
    expect(await second.session.tasks.resumeWaiting()).toHaveLength(1);
    // Its conversation has the prompt and the reminder of the first process, and nothing more.
    expect(await ended(second.session, id)).toMatchObject({
      status: 'completed',
      result: { output: 'Seen after 2.' },
    });
    await second.session.submit('And?');
    expect(JSON.stringify(second.provider.requests.at(-1)?.messages)).toContain('Seen after 2.');
    expect(await second.session.tasks.resumeWaiting()).toEqual([]);
    await second.session.shutdown();
  });

  it('tells of itself from being created to its end', async () => {
    proves('H-11');
    const { session, events, types } = await open((_request, turn) =>
      turn === 0
        ? { text: 'Looking.', toolCalls: [{ name: 'Glob', input: { pattern: '*.ts' } }] }
        : { text: 'Nothing there.' },
    );
    const task = await session.spawnAgentJob({ agentType: 'explore', label: 'look', prompt: 'Look for it.' });
    expect(task).toMatchObject({
      kind: 'agent',
      label: 'look',
      agentType: 'Explore',
      mode: 'background',
      depth: 1,
      promptPreview: 'Look for it.',
      parentSessionId: session.getSession().id,
    });
    expect(await ended(session, task.id)).toMatchObject({
      status: 'completed',
      unread: true,
      result: { taskId: task.id, kind: 'agent', output: 'Nothing there.' },
    });
    expect(types()).toEqual([
      'background_task_created',
      'background_task_started',
      'background_task_text_delta',
      'background_task_tool_start',
      'background_task_tool_end',
      'background_task_text_delta',
      'background_task_completed',
    ]);
    expect(events[3]).toMatchObject({ taskId: task.id, toolName: 'Glob', firstArg: '*.ts' });
    expect(events[4]).toMatchObject({ toolName: 'Glob', success: true });
    expect((await session.readBackgroundTaskLog(task.id)).text).toMatch(
      /^> Look for it\.\n\nLooking\.\n\n⏺ Glob\(\*\.ts\)\n[\s\S]*Nothing there\./,
    );
    expect(session.getBackgroundTask(task.id)?.unread).toBe(false);
    session.closeBackgroundTask(task.id);
    expect(session.listBackgroundTasks()).toEqual([]);
    expect(types().at(-1)).toBe('background_task_closed');
    await session.shutdown();
  });

  it('at most so many at once; the others wait their turn', async () => {
    const { before, release } = gate();
    const { session } = await open(() => ({ text: 'done', before }));
    const tasks = [];
    for (let index = 0; index < 6; index++)
      tasks.push(await session.spawnAgentJob({ prompt: `job ${index}` }));
    expect(session.listAgentJobs({ status: 'running' })).toHaveLength(4);
    expect(session.listAgentJobs({ status: 'queued' })).toHaveLength(2);
    const [, , , , , last] = tasks;
    expect(await session.cancelAgentJob(last?.id ?? '', 'not needed')).toMatchObject({
      status: 'cancelled',
      error: { message: 'not needed' },
    });
    release();
    for (const { id } of tasks) await ended(session, id);
    expect(session.listAgentJobs({ status: 'completed' })).toHaveLength(5);
    await session.shutdown();
  });

  it('more can be said to it while it works, and after it has ended', async () => {
    const { before, release } = gate();
    const { session, provider } = await open((_request, turn) =>
      turn === 0
        ? { before, toolCalls: [{ name: 'Glob', input: { pattern: '*' } }] }
        : { text: `answer ${turn}` },
    );
    const { id } = await session.spawnAgentJob({ prompt: 'begin' });
    await expect.poll(() => provider.requests.length).toBe(1);
    await session.sendAgentJob(id, 'mind the tests');
    release();
    expect(await ended(session, id)).toMatchObject({ result: { output: 'answer 1' } });
    expect(provider.requests[1]?.messages.map(({ content }) => textOf(content as never))).toContain(
      'mind the tests',
    );
    await session.sendBackgroundTask(id, { prompt: 'and now?' });
    expect(await ended(session, id)).toMatchObject({ status: 'completed', result: { output: 'answer 2' } });
    expect(asked(provider.requests[2] as never)).toBe('begin');
    await expect(session.sendBackgroundTask(id, { stdin: 'x' })).rejects.toThrow('Missing prompt');
    await session.shutdown();
  });

  it('stops on request, with its commands, and when the session ends', async () => {
    const command = 'echo $$ >"pid-$$"; sleep 60';
    const { session, types, place } = await open(
      () => ({ toolCalls: [{ name: 'Bash', input: { command } }] }),
      { permissionMode: 'bypassPermissions' },
    );
    const first = await session.spawnAgentJob({ prompt: 'wait' });
    const second = await session.spawnAgentJob({ prompt: 'wait' });
    const started = async () => (await readdir(place.cwd)).filter((name) => name.startsWith('pid-'));
    await expect.poll(async () => (await started()).length).toBe(2);
    expect(await session.cancelBackgroundTask(first.id)).toMatchObject({ status: 'cancelled' });
    expect(() => session.closeBackgroundTask(second.id)).toThrow('still running; stop it');
    await session.shutdown();
    expect(session.tasks.find(second.id)).toMatchObject({ error: { message: 'The session ended.' } });
    expect(types().filter((type) => type === 'background_task_cancelled')).toHaveLength(2);
    for (const name of await started()) expect(() => process.kill(Number(name.slice(4)), 0)).toThrow('ESRCH');
  });

  it('a watchdog stops one that says the same over and over, and names itself', async () => {
    const place = await makeTestProject({ ANTHROPIC_API_KEY: 'k' });
    await place.put('~/.robota/settings.json', { tasks: { repetitionWindow: 100 } });
    const { session } = await openScripted(place, [
      { text: Array.from({ length: 500 }, () => 'ha ') },
      { text: 'fine' },
    ]);
    const { id } = await session.spawnAgentJob({ prompt: 'laugh' });
    expect(await ended(session, id)).toMatchObject({
      status: 'failed',
      timeoutReason: 'repetition',
      error: { category: 'timeout', recoverable: true },
      result: { output: expect.stringContaining('ha ha') },
    });
    await session.shutdown();
  });

  it('spends the money of its parent and stops at its budget', async () => {
    const { session } = await open(
      () => ({ toolCalls: [{ name: 'Glob', input: { pattern: '*' } }], usage: { input: 1_000_000 } }),
      { settings: [{ budget: { session: 5 } }] },
    );
    const { id } = await session.spawnAgentJob({ prompt: 'spend' });
    expect(await ended(session, id)).toMatchObject({ status: 'failed', error: { category: 'budget' } });
    expect(session.getSession().totals.cost).toBeGreaterThan(5);
    await session.shutdown();
  });

  it('an agent that does not exist is named with those that do', async () => {
    const { session } = await open(() => ({ text: 'x' }));
    await expect(session.spawnAgentJob({ agentType: 'Explorer', prompt: 'x' })).rejects.toThrow(
      'Unknown agent "Explorer". Available: general-purpose, Explore, Plan. Did you mean Explore?',
    );
    expect(session.listBackgroundTasks()).toEqual([]);
    await session.shutdown();
  });
});

describe('the permissions of an agent in the background', () => {
  const touch = (turn: number): ScriptedTurn =>
    turn === 0 ? { toolCalls: [{ name: 'Bash', input: { command: 'touch made' } }] } : { text: 'end' };

  function person(answer: Answer) {
    const questions: Question[] = [];
    let pending = 0;
    let most = 0;
    const terminal: UserInterface = {
      notify: () => {},
      ask: async (question) => {
        questions.push(question);
        most = Math.max(most, ++pending);
        await new Promise((resolve) => setImmediate(resolve));
        pending--;
        return answer;
      },
    };
    return { terminal, questions, most: () => most };
  }

  it('what would be asked is denied without a user', async () => {
    const { session, provider } = await open((_request, turn) => touch(turn));
    const { id } = await session.spawnAgentJob({ prompt: 'go' });
    expect(await ended(session, id)).toMatchObject({ status: 'completed' });
    expect(lastText(provider.requests[1] as never)).toContain('No user is asked in the background');
    await session.shutdown();
  });

  it('a user is asked, one question at a time, and the task waits visibly', async () => {
    const { terminal, questions, most } = person({ kind: 'selected', indexes: [0] });
    const { session, types, events, place } = await open(
      (request) => touch(request.messages.some(({ role }) => role === 'tool') ? 1 : 0),
      { terminal },
    );
    const tasks = await Promise.all(
      ['a', 'b'].map((label) => session.spawnAgentJob({ label, prompt: label })),
    );
    for (const { id } of tasks) expect(await ended(session, id)).toMatchObject({ status: 'completed' });
    expect(questions[0]?.title).toBe('Run a command for the agent general-purpose');
    expect(questions).toHaveLength(2);
    expect(most()).toBe(1);
    expect(types().filter((type) => type === 'background_task_permission_request')).toHaveLength(2);
    const states = events.flatMap((event) => ('task' in event ? event.task.status : []));
    expect(states).toContain('waiting_permission');
    await expect(stat(join(place.cwd, 'made'))).resolves.toBeDefined();
    await session.shutdown();
  });

  it.each([
    { permissionPolicy: 'preapproved', permissionMode: 'default', reason: 'No user is asked', count: 0 },
    { permissionPolicy: 'deny', permissionMode: 'bypassPermissions', reason: 'Plan mode', count: 0 },
    { permissionPolicy: 'prompt', permissionMode: 'bypassPermissions', reason: 'declined', count: 1 },
  ] as const)('$permissionPolicy in the mode $permissionMode', async (choice) => {
    const { permissionPolicy, permissionMode, reason, count } = choice;
    const { terminal, questions } = person({ kind: 'dismissed' });
    const place = await makeTestProject({ ANTHROPIC_API_KEY: 'k' });
    await place.put('~/.robota/settings.json', { tasks: { permissionPolicy } });
    const { session, provider } = await openScripted(place, (_request, turn) => touch(turn), {
      terminal,
      permissionMode,
    });
    const { id } = await session.spawnAgentJob({ prompt: 'go' });
    await ended(session, id);
    expect(lastText(provider.requests[1] as never)).toContain(reason);
    expect(questions).toHaveLength(count);
    await session.shutdown();
  });
});

describe('groups', () => {
  it('are done when all are, or any, as they were told', async () => {
    proves('H-12');
    const { before, release } = gate();
    const { session, types } = await open((request) =>
      asked(request) === 'slow' ? { text: 'slow end', before } : { text: 'quick end' },
    );
    const slow = await session.spawnAgentJob({ label: 'slow', prompt: 'slow' });
    const quick = await session.spawnAgentJob({ label: 'quick', prompt: 'quick' });
    const taskIds = [slow.id, quick.id];
    const any = session.createBackgroundJobGroup({ waitPolicy: 'wait_any', taskIds });
    const all = session.createBackgroundJobGroup({ waitPolicy: 'wait_all', taskIds, label: 'both' });
    expect(await session.waitBackgroundJobGroup(any.id)).toMatchObject({
      status: 'completed',
      results: [{ status: 'running' }, { label: 'quick', status: 'completed', summary: 'quick end' }],
    });
    expect(session.getBackgroundJobGroup(all.id)).toMatchObject({ status: 'running', label: 'both' });
    const given = new AbortController();
    const waiting = session.waitBackgroundJobGroup(all.id, given.signal);
    given.abort();
    await expect(waiting).rejects.toThrow('its tasks keep running');
    release();
    expect((await session.waitBackgroundJobGroup(all.id)).results.map(({ status }) => status)).toEqual([
      'completed',
      'completed',
    ]);
    expect(types().at(-1)).toBe('background_job_group_completed');
    expect(types().indexOf('background_job_group_created')).toBeGreaterThan(1);
    expect(session.listBackgroundJobGroups()).toHaveLength(2);
    await session.shutdown();
  });
});

describe('the Agent tool in the background', () => {
  const launching = (extra: Record<string, unknown> = {}) => {
    let turn = 0;
    return (): ScriptedTurn =>
      turn++ === 0
        ? {
            toolCalls: [
              { name: 'Agent', input: { prompt: 'dig', run_in_background: true, ...extra } as never },
            ],
          }
        : { text: `turn ${turn}` };
  };

  it('returns at once, and a run without a user ends with the result told', async () => {
    const { before, release } = gate();
    const { session, provider } = await open(() => ({ text: 'gold', before }), { own: launching() });
    const running = session.submit('go');
    await expect.poll(() => provider.requests.filter((request) => !isAgent(request)).length).toBe(2);
    expect(session.listAgentJobs()).toMatchObject([{ status: 'running' }]);
    release();
    expect((await running)?.response).toBe('turn 3');
    const own = provider.requests.filter((request) => !isAgent(request));
    expect(lastText(own[1] as never)).toMatch(/^Started in the background as task [0-9a-f]{8}\./);
    expect(lastText(own[2] as never)).toMatch(/^<background-task id=.* status="completed">\ngold\n/);
    expect(session.listAgentJobs()).toMatchObject([{ status: 'completed', unread: false }]);
    await session.shutdown();
  });

  it('with a user the run ends, and the model hears of it with the next prompt', async () => {
    const { before, release } = gate();
    const terminal: UserInterface = { notify: () => {}, ask: async () => ({ kind: 'dismissed' }) };
    const { session, provider } = await open(() => ({ text: 'gold', before }), {
      own: launching(),
      terminal,
    });
    expect((await session.submit('go'))?.response).toBe('turn 2');
    release();
    await ended(session, session.listAgentJobs()[0]?.id ?? '');
    await expect.poll(() => session.getSession().queue.reminders.length).toBe(1);
    expect(session.cancelQueue()).toEqual([]);
    await session.submit('well?');
    const last = provider.requests.at(-1)?.messages.map(({ content }) => textOf(content as never)) ?? [];
    expect(last.slice(-2)).toEqual(['well?', expect.stringContaining('gold')]);
    await session.shutdown();
  });

  it('ends with the run that is interrupted', async () => {
    const { before, release } = gate();
    const { session } = await open(() => ({ text: 'never', before }), { own: launching() });
    const running = session.submit('go');
    await expect.poll(() => session.listAgentJobs({ status: 'running' }).length).toBe(1);
    const { id = '' } = session.listAgentJobs()[0] ?? {};
    void session.abort();
    release();
    expect(await running).toMatchObject({ status: 'aborted' });
    expect(await ended(session, id)).toMatchObject({
      status: 'cancelled',
      error: { message: 'The run that started it was interrupted.' },
    });
    await session.shutdown();
  });

  it('lists, reads, continues and stops tasks for the model', async () => {
    const { before, release } = gate();
    let id = '';
    const steps: ((known: string) => object)[] = [
      () => ({ prompt: 'dig', description: 'dig deep', run_in_background: true }),
      () => ({ task: { action: 'list' } }),
      (known) => ({ task: { action: 'stop', id: known } }),
      (known) => ({ task: { action: 'read', id: known } }),
      () => ({ task: { action: 'read', id: 'nobody' } }),
      () => ({ prompt: 'x', task: { action: 'list' } }),
    ];
    const { session, provider } = await open(() => ({ text: 'gold', before }), {
      own: (request) => {
        id ||= session.listAgentJobs()[0]?.id ?? '';
        const step = steps[request.messages.filter(({ role }) => role === 'tool').length];
        return step ? { toolCalls: [{ name: 'Agent', input: step(id) as never }] } : { text: 'end' };
      },
    });
    setTimeout(release, 0);
    await session.submit('go');
    const results = session
      .getMessages()
      .flatMap((message) => (message.role === 'tool' ? textOf(message.content) : []));
    expect(results[1]).toContain('general-purpose: dig deep');
    expect(results[3]).toContain('> dig');
    expect(results[4]).toContain('Unknown task "nobody"');
    expect(results[5]).toContain('either prompt');
    expect(provider.requests.length).toBeGreaterThan(6);
    await session.shutdown();
  });
});

describe('/agent and /tasks', () => {
  it('complete what can follow them', async () => {
    const { session } = await open(() => ({ text: 'x' }));
    const { id } = await session.spawnAgentJob({ prompt: 'x' });
    await ended(session, id);
    const complete = async (line: string) => completeCommand(session, line);
    expect(await complete('/agent re')).toEqual(['/agent read']);
    expect(await complete('/agent Ex')).toEqual(['/agent Explore']);
    expect(await complete('/agent read ')).toEqual([`/agent read ${id}`]);
    expect(await complete('/agent run --is')).toEqual(['/agent run --isolation']);
    expect(await complete('/agent run --agent P')).toEqual(['/agent run --agent Plan']);
    expect(await complete('/agent run --isolation w')).toEqual(['/agent run --isolation worktree']);
    expect(await complete('/agent parallel --d')).toEqual(['/agent parallel --detach']);
    expect(await complete('/tasks ca')).toEqual(['/tasks cancel']);
    expect(await complete('/background close ')).toEqual([`/background close ${id}`]);
    await session.shutdown();
  });

  it('do through the SDK what they do for a user', async () => {
    const { session } = await open(() => ({ text: 'found' }), { store: 'new' });
    const say = async (name: string, args = '') => session.executeCommand(name, args);
    expect(await say('agent', 'Explore look there')).toMatchObject({
      success: true,
      message: 'found',
      data: { agentType: 'Explore', status: 'completed', unread: false },
    });
    const { id = '', transcriptPath } = session.listAgentJobs()[0] ?? {};
    expect((await say('agent', 'list'))?.message).toMatch(
      new RegExp(`^${id} {2}completed .*Explore: look there`),
    );
    expect((await say('agent', `read ${id.slice(0, 5)}`))?.message).toContain('> look there');
    expect(await say('agent', `open ${id}`)).toMatchObject({ switchTo: { open: transcriptPath } });
    expect(await say('agent', `send ${id} again`)).toMatchObject({ message: 'found' });
    expect(await say('agent', 'run --agent Nobody go')).toMatchObject({
      success: false,
      message: expect.stringContaining('Unknown agent "Nobody". Available: general-purpose, Explore, Plan'),
    });
    expect(await say('background', `close ${id}`)).toMatchObject({ success: true });
    expect(await say('tasks')).toMatchObject({ message: 'No background tasks.' });
    expect(await say('tasks', 'read 1')).toMatchObject({ success: false });
    expect(await say('tasks', 'dance 1')).toMatchObject({ success: false });
    await session.shutdown();
  });
});

describe('background commands', () => {
  it('of Bash are tasks, too', async () => {
    const input = { command: 'echo begun; sleep 60', run_in_background: true };
    const { session, types } = await open(() => ({ text: '' }), {
      own: ({ messages }) =>
        messages.length < 3 ? { toolCalls: [{ name: 'Bash', input }] } : { text: 'started' },
      permissionMode: 'bypassPermissions',
      store: 'new',
    });
    await session.submit('go');
    const [task] = session.listBackgroundTasks({ kind: 'process' });
    expect(task).toMatchObject({ id: 'bash-1', status: 'running', commandPreview: input.command });
    await expect.poll(async () => (await session.readBackgroundTaskLog('bash-1')).text).toBe('begun\n');
    expect((await session.executeCommand('tasks'))?.message).toMatch(/^bash-1 {2}running.*sleep 60/);
    await expect(session.sendBackgroundTask('bash-1', { stdin: 'x' })).rejects.toThrow('have no input');
    expect(await session.cancelBackgroundTask('bash-1')).toMatchObject({
      status: 'cancelled',
      result: { output: 'begun\n' },
    });
    expect(types().filter((type) => type === 'background_task_cancelled')).toHaveLength(1);
    await session.shutdown();
  });
});

describe('what is kept of tasks', () => {
  it('every change is a line that only the user can read; the next process finds all of it', async () => {
    const { session, place } = await open(() => ({ text: 'kept' }), { store: 'new' });
    const { id } = await session.spawnAgentJob({ prompt: 'keep' });
    const { transcriptPath = '' } = await ended(session, id);
    session.createBackgroundJobGroup({ waitPolicy: 'manual', taskIds: [id] });
    await session.shutdown();
    const file = join(dirname(dirname(transcriptPath)), 'tasks.jsonl');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).task?.status ?? 'group')).toEqual([
      'queued',
      'running',
      'completed',
      'group',
      'group',
    ]);
    const again = await openScripted(place, [{ text: 'more' }], { store: 'latest' });
    expect(again.session.listBackgroundTasks()).toMatchObject([{ id, status: 'completed' }]);
    expect(again.session.listBackgroundJobGroups()).toMatchObject([{ status: 'completed' }]);
    await again.session.sendAgentJob(id, 'go on');
    expect(await ended(again.session, id)).toMatchObject({ result: { output: 'more' } });
    await again.session.shutdown();
  });
});
