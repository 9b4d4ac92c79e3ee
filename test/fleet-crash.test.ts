import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttemptProcess, createWorkspaces, type FleetDatabase } from '@robota-sdk/agent-fleet';
import { findSandbox } from '@robota-sdk/agent-sdk/front-end';
import {
  type AnthropicAnswer,
  anthropicReply,
  createPostgresDatabase,
  withoutPostgres,
} from '@robota-sdk/agent-testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyCommands } from '../packages/agent-fleet/src/database/apply-commands.ts';
import { openPostgres } from '../packages/agent-fleet/src/database/open-postgres.ts';
import { AttemptDriver, outcomeOf, resultsIn } from './fleet-attempt-driver.ts';

const hasSandbox = (await findSandbox()).kind !== 'missing';

let driver: AttemptDriver;
beforeEach(async () => {
  driver = await AttemptDriver.create();
});
afterEach(() => driver.close());

const bash = (command: string, id = 'b') => ({ id, name: 'Bash', input: { command } });
const done = { text: 'Done.' };
const effects = () => (existsSync(driver.file('effects.txt')) ? driver.read('effects.txt') : '');

/** Starts an attempt, and kills it as soon as something can be seen from outside. */
async function killWhen(isNow: () => boolean, attempt: AttemptProcess = driver.start()): Promise<void> {
  await expect.poll(isNow, { interval: 5 }).toBe(true);
  await driver.kill(attempt);
}

const appears = (name: string) => () => existsSync(driver.file(name));

/** A second process resumes; gives the results that the model is told next. */
async function resume(...answers: readonly AnthropicAnswer[]) {
  const asked = driver.server.requests.length;
  driver.script(...answers, done);
  const outcome = await outcomeOf(driver.start({ notes: ['Taken over.'] }), 'finished');
  const request = driver.server.requests[asked];
  if (!request) throw new Error('The model was not asked again.');
  return { results: resultsIn(request), request, notes: outcome.notes };
}

describe('kill -9 while the model is asked', () => {
  it('it is asked again, and the lost call is booked as spent', async () => {
    let isAsked = false;
    driver.server.handle(() => {
      isAsked = true;
      return { chunks: [{ hang: true }], headers: { 'content-type': 'text/event-stream' } };
    });
    await killWhen(() => isAsked);
    const { request } = await resume();
    expect(request.text).toContain('Do it.');
    expect(request.text).toContain('Taken over.');
    const [lost, again] = driver.reservations;
    expect(lost?.cost).toBe(lost?.amount);
    expect(lost?.amount).toBeGreaterThan(0);
    expect(again?.cost).toBeGreaterThan(0);
  });

  it('what came of a half answer is not taken for one', async () => {
    const [start = '', ...rest] = anthropicReply({ text: ['Half ', 'an answer.'] }).chunks;
    let isAsked = false;
    driver.server.handle(() => {
      setTimeout(() => {
        isAsked = true;
      }, 100);
      return {
        chunks: [start, ...rest.slice(0, 3), { hang: true }],
        headers: { 'content-type': 'text/event-stream' },
      };
    });
    await killWhen(() => isAsked);
    const { request } = await resume();
    expect(request.text).not.toContain('Half ');
  });
});

describe('kill -9 while a call reads', () => {
  it('a command that only reads is repeated', async () => {
    spawnSync('sh', ['-c', `mkfifo ${driver.file('pipe')}`]);
    driver.script({ toolCalls: [bash('cat pipe')] });
    const started = () => driver.activities.includes('Bash(cat pipe)');
    await killWhen(started);
    const starts = () => driver.activities.filter((each) => each === 'Bash(cat pipe)').length;
    const fed = expect
      .poll(starts)
      .toBe(2)
      .then(() => appendFileSync(driver.file('pipe'), 'read at last'));
    const { results, notes } = await resume();
    await fed;
    expect(results['b']).toContain('read at last');
    expect(notes).toEqual([]);
  });
});

describe('kill -9 while a file is changed', () => {
  /** The hook runs between the change and its result. */
  const holdAfterChange = () =>
    writeFileSync(
      join(driver.home, 'settings.json'),
      JSON.stringify({
        hooks: {
          PostToolUse: [
            {
              matcher: 'Write|Edit',
              hooks: [{ type: 'command', command: 'touch changed; [ -e go ] || sleep 60' }],
            },
          ],
        },
      }),
    );
  const kinds = {
    Edit: { file_path: 'a.txt', old_string: 'two', new_string: 'two and a half' },
    Write: { file_path: 'a.txt', content: 'one\ntwo and a half\n' },
  };

  async function killAfterChange(name: keyof typeof kinds): Promise<void> {
    holdAfterChange();
    driver.write('a.txt', 'one\ntwo\n');
    const read = { id: 'r', name: 'Read', input: { file_path: 'a.txt' } };
    driver.script({ toolCalls: [read] }, { toolCalls: [{ id: 'w', name, input: kinds[name] }] });
    await killWhen(appears('changed'));
    driver.write('go', '');
    expect(driver.read('a.txt')).toBe('one\ntwo and a half\n');
  }

  it.each(['Edit', 'Write'] as const)('%s that took effect is not repeated', async (name) => {
    await killAfterChange(name);
    const { results } = await resume();
    expect(results['w']).toMatch(new RegExp(`^${name} was completed: .*a.txt is as intended`));
    expect(driver.read('a.txt')).toBe('one\ntwo and a half\n');
  });

  it.each(['Edit', 'Write'] as const)('%s that did not is made', async (name) => {
    await killAfterChange(name);
    // The disk as it is between the note of the change and the change.
    driver.write('a.txt', 'one\ntwo\n');
    const { results, notes } = await resume();
    expect(results['w']).toMatch(/^(Edited a.txt at line 2|Replaced a.txt)/);
    expect(driver.read('a.txt')).toBe('one\ntwo and a half\n');
    expect(notes).toEqual([]);
  });

  it.each(['Edit', 'Write'] as const)('%s of a file that is neither is told to the model', async (name) => {
    await killAfterChange(name);
    driver.write('a.txt', 'one\ntwo and a ha');
    const { results, notes } = await resume();
    expect(results['w']).toContain('neither as it was before nor as intended');
    expect(results['w']).toContain('M effects.txt\n+once');
    expect(driver.read('a.txt')).toBe('one\ntwo and a ha');
    expect(notes[0]).toContain('a.txt was neither as before');
  });
});

describe('kill -9 while a command runs', () => {
  const once = 'echo once >> effects.txt; touch up; sleep 60';

  it('it is never repeated: the outcome is unknown, with the difference since the last snapshot', async () => {
    driver.script({ toolCalls: [bash('touch before', 'x')] }, { toolCalls: [bash(once)] });
    await killWhen(appears('up'));
    const { results, notes } = await resume();
    expect(effects()).toBe('once\n');
    expect(results['b']).toContain('Outcome unknown');
    expect(results['b']).toContain('M effects.txt\n+once');
    expect(driver.differences).toEqual(['tree-1']);
    expect(notes).toEqual([`Outcome unknown after a crash: Bash(${once}).`]);
  });

  it('without a worker that knows the difference the model is told anyway', async () => {
    driver.script({ toolCalls: [bash(once)] });
    await killWhen(appears('up'));
    driver.script(done);
    const asked = driver.server.requests.length;
    const difference = async () => Promise.reject(new Error('no workspace'));
    await outcomeOf(driver.start({}, { difference }), 'finished');
    const request = driver.server.requests[asked];
    expect(request && resultsIn(request)['b']).toMatch(/^Outcome unknown.*before you run it again\.$/);
  });

  it('its worker starts another process, but not without end', async () => {
    driver.script({ toolCalls: [bash('echo $PPID >> effects.txt; kill -9 $PPID; sleep 60')] });
    const { reason } = await outcomeOf(driver.start({}, {}, { restarts: 2 }), 'failed');
    expect(reason.message).toContain('killed by SIGKILL');
    expect(effects().trim().split('\n')).toHaveLength(3);
    driver.script(done);
    await outcomeOf(driver.start(), 'finished');
  });

  it('killed again while it resumes, it still runs at most once', async () => {
    driver.script({ toolCalls: [bash(once)] });
    await killWhen(appears('up'));
    let isAsked = false;
    const difference = async () => {
      isAsked = true;
      return new Promise<string>(() => {});
    };
    await killWhen(() => isAsked, driver.start({}, { difference }));
    await killWhen(() => driver.differences.length > 0);
    await resume();
    expect(effects()).toBe('once\n');
  });

  it('of calls side by side, results that were there are kept and the rest is settled each by its kind', async () => {
    driver.write('a.txt', 'a');
    driver.script({
      toolCalls: [
        bash('echo first >> effects.txt', 'first'),
        { id: 'read', name: 'Read', input: { file_path: 'a.txt' } },
        { id: 'write', name: 'Write', input: { file_path: 'w.txt', content: 'w' } },
        bash(once, 'running'),
        { id: 'later', name: 'Write', input: { file_path: 'later.txt', content: 'l' } },
        bash('echo never-started >> effects.txt', 'waiting'),
      ],
    });
    await killWhen(appears('up'));
    expect(effects()).toBe('first\nonce\n');
    expect(existsSync(driver.file('later.txt'))).toBe(false);
    const { results, request, notes } = await resume();
    expect(effects()).toBe('first\nonce\nnever-started\n');
    expect([driver.read('w.txt'), driver.read('later.txt')]).toEqual(['w', 'l']);
    expect(results['running']).toContain('Outcome unknown');
    expect(results['read']).toContain('a');
    for (const id of ['first', 'write', 'later', 'waiting']) expect(results[id]).not.toContain('unknown');
    expect(Object.keys(results)).toEqual(['first', 'read', 'write', 'running', 'later', 'waiting']);
    expect(notes).toHaveLength(1);
    expect(request.text.split('Do it.')).toHaveLength(2);
  });

  it('a call of another program in the same session has no note, and is not taken for one that never ran', async () => {
    driver.script({ toolCalls: [bash(once)] });
    await killWhen(appears('up'));
    const file = sessionFile();
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, lines.filter((line) => !line.includes('robota.attempt')).join('\n'));
    const { results } = await resume();
    expect([effects(), results['b']?.includes('Outcome unknown')]).toEqual(['once\n', true]);
  });
});

describe('kill -9 while a tool of an MCP server runs', () => {
  const server = `
    import { appendFileSync, existsSync } from 'node:fs';
    import { createInterface } from 'node:readline';
    const tool = (name, annotations) => ({ name, description: name, inputSchema: { type: 'object' }, annotations });
    const send = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === 'initialize')
        send(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'little', version: '1' } });
      if (method === 'tools/list')
        send(id, { tools: [tool('count', {}), tool('look', { readOnlyHint: true })] });
      if (method === 'ping') send(id, {});
      if (method !== 'tools/call') return;
      appendFileSync('mcp-calls.txt', params.name + '\\n');
      if (existsSync('go')) send(id, { content: [{ type: 'text', text: 'seen' }] });
    });`;

  it.each([
    ['count', 'count\n', 'Outcome unknown'],
    ['look', 'look\nlook\n', 'seen'],
  ])('%s is repeated only if the server says that it changes nothing', async (name, calls, told) => {
    const file = join(driver.home, 'little.mjs');
    writeFileSync(file, server);
    const little = { command: process.execPath, args: [file] };
    writeFileSync(join(driver.home, 'mcp.json'), JSON.stringify({ mcpServers: { little } }));
    driver.script({ toolCalls: [{ id: 'm', name: `mcp__little__${name}`, input: {} }] });
    await killWhen(appears('mcp-calls.txt'));
    driver.write('go', '');
    const { results } = await resume();
    expect(driver.read('mcp-calls.txt')).toBe(calls);
    expect(results['m']).toContain(told);
  });
});

describe('kill -9 after an approval', () => {
  it('the answer is not used again, neither for the call nor for the same one made again', async () => {
    const spec = { permissions: { mode: 'default' } } as const;
    const command = 'echo once >> effects.txt; touch up; sleep 60';
    driver.script({ toolCalls: [bash(command)] });
    const { question } = await outcomeOf(driver.start({ spec }), 'parked');
    const answers = [{ hash: question?.hash ?? '', decision: 'allow' }] as const;
    await killWhen(appears('up'), driver.start({ spec, answers }));
    driver.script({ toolCalls: [bash(command, 'again')] });
    const parked = await outcomeOf(driver.start({ spec, answers }), 'parked');
    expect(parked.question?.text).toBe(question?.text);
    expect(parked.question?.hash).not.toBe(question?.hash);
    expect(effects()).toBe('once\n');
    const request = driver.server.requests.at(-1);
    expect(request && resultsIn(request)['b']).toContain('Outcome unknown');
  });
});

describe.skipIf(!hasSandbox)('kill -9 in a worktree, in the sandbox', () => {
  it('the model is told the difference since the last snapshot, and git works for it', async () => {
    const git = (...args: string[]) =>
      spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: driver.directory });
    driver.write('effects.txt', 'before\n');
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'the base');
    const { signal } = new AbortController();
    const workspaces = createWorkspaces({ home: { directory: join(driver.home, 'fleet') } });
    const workspace = await workspaces.open({
      taskId: 't1',
      attempt: 1,
      repo: driver.directory,
      signal,
      assertLease: async () => {},
    });
    const { directory, readable } = workspace;
    const order = { directory, readable, spec: { sandbox: true } } as const;
    const handlers = {
      snapshot: () => workspace.snapshot(),
      difference: (tree?: string) => workspace.difference(tree),
    };
    driver.script(
      { toolCalls: [bash('git log --oneline; echo snapshot >> kept.txt', 'x')] },
      { toolCalls: [bash('echo once >> effects.txt; touch up; sleep 60')] },
    );
    await killWhen(() => existsSync(join(directory, 'up')), driver.start(order, handlers));
    driver.script(done);
    const asked = driver.server.requests.length;
    await outcomeOf(driver.start(order, handlers), 'finished');
    const request = driver.server.requests[asked];
    const results = request ? resultsIn(request) : {};
    expect(results['x']).toContain('the base');
    expect(results['b']).toMatch(/Outcome unknown[\s\S]*\+once/);
    expect(results['b']).not.toContain('+snapshot');
    expect(readFileSync(join(directory, 'effects.txt'), 'utf8')).toBe('before\nonce\n');
  });
});

describe.skipIf(withoutPostgres !== '')(`a session in Postgres${withoutPostgres}`, () => {
  let database: FleetDatabase;
  let url: string;

  beforeAll(async () => {
    url = await createPostgresDatabase();
    database = await openPostgres(url);
    const example = await AttemptDriver.create();
    const { spec } = example.order().order;
    await example.close();
    await applyCommands(database, [{ type: 'add', id: 't1', spec, at: new Date().toISOString() }]);
  });

  afterAll(async () => {
    await database?.close();
  });

  /** Makes the lease of this epoch the one in force. */
  async function lease(epoch: number) {
    await database.query('update fleet.task set epoch = $1', [epoch]);
    return { taskId: 't1', worker: `w${epoch}`, epoch };
  }

  it('is resumed on another machine, and no command runs twice', async () => {
    const sessions = { kind: 'postgres', url } as const;
    driver.script(
      { toolCalls: [bash('touch x', 'x')] },
      { toolCalls: [bash('echo once >> effects.txt; touch up; sleep 60')] },
    );
    await killWhen(appears('up'), driver.start({ sessions, lease: await lease(1) }));
    const other = await AttemptDriver.create();
    try {
      other.script(done);
      const resumed = other.start({ sessions, lease: await lease(2), notes: ['Taken over.'] });
      await outcomeOf(resumed, 'finished');
      const [request] = other.server.requests;
      expect(request && resultsIn(request)['b']).toContain('Outcome unknown');
      expect(request?.text).toContain('Taken over.');
      expect([other.differences, existsSync(other.file('effects.txt'))]).toEqual([['tree-1'], false]);
    } finally {
      await other.close();
    }
  });

  it('a process that lost its lease appends nothing, asks nothing and runs nothing more', async () => {
    const sessions = { kind: 'postgres', url } as const;
    const wait = 'touch up; while [ ! -e go ]; do sleep 0.02; done';
    driver.script({ toolCalls: [bash(wait, 'wait'), bash('touch after', 'after')] }, done);
    const attempt = driver.start({ sessions, sessionId: 'another', lease: await lease(3) });
    await expect.poll(appears('up')).toBe(true);
    await lease(4);
    driver.write('go', '');
    expect(await outcomeOf(attempt, 'failed')).toMatchObject({ reason: { code: 'internal' } });
    expect([existsSync(driver.file('after')), driver.server.requests.length]).toEqual([false, 1]);
  });
});

function sessionFile(): string {
  const found = spawnSync('find', [join(driver.home, 'sessions'), '-name', 'session.jsonl'], {
    encoding: 'utf8',
  });
  return found.stdout.trim();
}
