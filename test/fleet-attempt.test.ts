import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '@robota-sdk/agent-sdk';
import { anthropicError, anthropicReply, temporaryDirectory } from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AttemptDriver, outcomeOf, resultsIn } from './fleet-attempt-driver.ts';

let driver: AttemptDriver;
beforeEach(async () => {
  driver = await AttemptDriver.create();
});
afterEach(() => driver.close());

const bash = (command: string, id = 'b') => ({ id, name: 'Bash', input: { command } });
const done = { text: 'Done.' };
const lastRequest = () => {
  const request = driver.server.requests.at(-1);
  if (!request) throw new Error('The model was not asked.');
  return request;
};

describe('the process of an attempt', () => {
  it('works on its task in its directory, and reports progress, cost and answer', async () => {
    driver.script(
      { toolCalls: [{ id: 'w', name: 'Write', input: { file_path: 'a.txt', content: 'new' } }] },
      { text: 'Made a.txt.', usage: { input: 1000, output: 10 } },
    );
    const outcome = await outcomeOf(driver.start({ spec: { check: 'npm test' } }), 'finished');
    expect([outcome.answer, outcome.turns, outcome.notes]).toEqual(['Made a.txt.', 2, []]);
    expect(outcome.cost).toBeGreaterThan(0);
    expect(driver.read('a.txt')).toBe('new');
    expect(driver.activities).toContain('Write(a.txt)');
    const [first] = driver.server.requests;
    expect(first?.text).toContain('Do it.');
    expect(first?.text).toContain('has to pass; run it before you end:\\nnpm test');
    expect(driver.session()).toContain('Made a.txt.');
    const { notes, ...again } = await outcomeOf(
      driver.start({ notes: ['The check failed: 1 of 2.'] }),
      'finished',
    );
    expect(again).toMatchObject({ turns: 3 });
    expect(lastRequest().text).toContain('The check failed: 1 of 2.');
    expect(lastRequest().text.split('Do it.')).toHaveLength(2);
  });

  it('reserves before each call of a model, settles after it, and takes snapshots of changes in between', async () => {
    const order: string[] = [];
    let answers = 0;
    driver.server.handle(() => {
      order.push('call');
      const replies = [{ toolCalls: [bash('ls')] }, { toolCalls: [bash('touch x')] }, done];
      return anthropicReply({ ...replies[answers++], usage: { input: 1000, output: 100 } });
    });
    const attempt = driver.start(
      {},
      {
        reserve: async (amount) => {
          expect(amount).toBeGreaterThan(0);
          order.push('reserve');
          return { kind: 'reserved', id: `r${order.length}` };
        },
        settle: async (_, cost) => void order.push(cost > 0 ? 'settle' : 'settle nothing'),
        snapshot: async () => {
          order.push(existsSync(driver.file('x')) ? 'snapshot' : 'too early');
          return 'tree-x';
        },
      },
    );
    await outcomeOf(attempt, 'finished');
    const call = ['reserve', 'call', 'settle'];
    expect(order).toEqual([...call, ...call, 'snapshot', ...call]);
    expect(driver.session()).toContain('"tree-x"');
  });

  it('calls of agents are paid for in the same way', async () => {
    const models: string[] = [];
    driver.server.handle(({ text }) => {
      if (text.includes('sub-prompt') && !text.includes('Do it.')) return anthropicReply({ text: 'found' });
      if (text.includes('found')) return anthropicReply(done);
      const input = { description: 'look', prompt: 'sub-prompt', subagent_type: 'general-purpose' };
      return anthropicReply({ toolCalls: [{ id: 'a', name: 'Agent', input }] });
    });
    const attempt = driver.start(
      {},
      {
        reserve: async (_, model) => {
          models.push(model);
          return { kind: 'reserved', id: 'r' };
        },
      },
    );
    await outcomeOf(attempt, 'finished');
    expect(models).toHaveLength(driver.server.requests.length);
    expect(models.length).toBeGreaterThanOrEqual(3);
  });

  it('so are summaries of the conversation', async () => {
    const long = 'many words '.repeat(3000);
    const usage = { input: 990_000, output: 10 };
    driver.server.handle(({ text }) =>
      anthropicReply(text.includes('<record>') ? { text: '## Goal' } : { text: long, usage }),
    );
    for (let round = 0; round < 3; round++) await outcomeOf(driver.start(), 'finished');
    const summaries = driver.server.requests.filter(({ text }) => text.includes('<record>'));
    expect(summaries.length).toBeGreaterThan(0);
    expect(driver.reservations).toHaveLength(driver.server.requests.length);
    expect(driver.reservations.every(({ cost = 0 }) => cost > 0)).toBe(true);
  });

  it('parks when a reservation is refused, before anything is sent', async () => {
    driver.script(done);
    const reason = { code: 'budget', message: 'The budget of the task is used up.' } as const;
    const attempt = driver.start({}, { reserve: async () => ({ kind: 'refused', reason }) });
    expect(await outcomeOf(attempt, 'parked')).toMatchObject({ reason, turns: 0 });
    expect(driver.server.requests).toEqual([]);
    await outcomeOf(driver.start(), 'finished');
  });

  it('parks until the time that the vendor named', async () => {
    driver.server.handle(() => anthropicError(429, 'slow down', { headers: { 'retry-after': '3600' } }));
    const before = Date.now();
    const { reason } = await outcomeOf(driver.start(), 'parked');
    expect(reason.code).toBe('rate-limit');
    const wait = Date.parse(reason.until ?? '') - before;
    expect(wait).toBeGreaterThanOrEqual(3_599_000);
    expect(wait).toBeLessThan(3_700_000);
    expect(driver.reservations.map(({ cost }) => cost)).toEqual([0]);
  });

  it('ends at its limit of turns over all processes, and of time', async () => {
    driver.script({ toolCalls: [bash('ls')] });
    expect(await outcomeOf(driver.start({ spec: { maxTurns: 2 } }), 'failed')).toMatchObject({
      reason: { code: 'turns' },
      turns: 2,
    });
    expect(await outcomeOf(driver.start({ spec: { maxTurns: 2 } }), 'failed')).toMatchObject({
      reason: { code: 'turns' },
    });
    expect(driver.server.requests).toHaveLength(2);
    driver.script({ toolCalls: [bash('sleep 30')] });
    // Time of earlier rounds counts.
    const late = driver.start({ spec: { maxTimeMs: 3_600_000 }, workedMs: 3_598_500 });
    expect(await outcomeOf(late, 'failed')).toMatchObject({
      reason: { code: 'time', message: 'Stopped after 1h, the limit of the task.' },
    });
  });

  it('takes messages of the user on its way, and stops when told', async () => {
    // The message is on its way to another process: the agent works until it has come.
    driver.server.handle(({ text }) =>
      anthropicReply(text.includes('Use tabs.') ? done : { toolCalls: [bash('touch up; sleep 0.05')] }),
    );
    const attempt = driver.start();
    await expect.poll(() => existsSync(driver.file('up'))).toBe(true);
    attempt.say('Use tabs.');
    await outcomeOf(attempt, 'finished');
    expect(lastRequest().text).toContain('Use tabs.');
    driver.script({ toolCalls: [bash('touch up2; sleep 30')] });
    const stopped = driver.start();
    await expect.poll(() => existsSync(driver.file('up2'))).toBe(true);
    await stopped.stop();
    expect(await outcomeOf(stopped, 'failed')).toMatchObject({ reason: { code: 'stopped-by-user' } });
    expect(processesIn(driver.directory)).toEqual([]);
  });

  it("commands see none of the worker's secrets, nor does its log", async () => {
    driver.script({ toolCalls: [bash('env | sort; echo')] }, done);
    await outcomeOf(driver.start(), 'finished');
    const seen = resultsIn(lastRequest())['b'] ?? '';
    expect(seen).toContain('PATH=');
    for (const secret of ['secret-of-the-worker', 'sk-ant-test-key']) expect(seen).not.toContain(secret);
    const logs = join(driver.home, 'fleet', 'logs');
    expect(readdirSync(logs)).toEqual(['t1-1.log']);
    expect(readFileSync(join(logs, 't1-1.log'), 'utf8')).toBe('');
  });

  it('ends with its worker, and takes its commands along', async () => {
    const program = `
      import { attemptRunner } from ${JSON.stringify(new URL('../packages/agent-fleet/dist/index.js', import.meta.url).href)};
      process.on('message', ({ options, order }) => {
        const nothing = async () => ({ kind: 'reserved', id: 'r' });
        attemptRunner(options).start(order, { reserve: nothing, settle: async () => {}, snapshot: async () => 't', progress() {} });
      });`;
    const file = driver.file('worker.mjs');
    writeFileSync(file, program);
    driver.script({ toolCalls: [bash('touch up; sleep 60')] });
    const worker = spawn(process.execPath, [file], {
      cwd: driver.home,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    worker.send(driver.order());
    await expect.poll(() => existsSync(driver.file('up'))).toBe(true);
    expect(processesIn(driver.directory).length).toBeGreaterThanOrEqual(2);
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    await expect.poll(() => processesIn(driver.directory)).toEqual([]);
  });
});

describe('questions of an attempt', () => {
  const careful = { permissions: { mode: 'default' } } as const;
  const publish = bash('touch published');

  it('parks at what needs approval before anything of the message runs, and an answer counts for that call', async () => {
    driver.script({ toolCalls: [bash('touch published', 'a'), bash('touch other', 'b')] }, done);
    const { question, reason } = await outcomeOf(driver.start({ spec: careful }), 'parked');
    expect(reason.code).toBe('question');
    expect(question).toMatchObject({ tool: 'Bash', text: 'Bash(touch published)' });
    const hash = question?.hash ?? '';
    const second = await outcomeOf(
      driver.start({ spec: careful, answers: [{ hash, decision: 'allow' }] }),
      'parked',
    );
    expect(second.question?.text).toBe('Bash(touch other)');
    expect([existsSync(driver.file('published')), driver.usedAnswers]).toEqual([false, []]);
    const answers = [
      { hash, decision: 'allow' },
      { hash: second.question?.hash ?? '', decision: 'deny', text: 'not now' },
    ] as const;
    await outcomeOf(driver.start({ spec: careful, answers, notes: ['The user answered.'] }), 'finished');
    expect([existsSync(driver.file('published')), existsSync(driver.file('other'))]).toEqual([true, false]);
    expect(resultsIn(lastRequest())['b']).toContain('They said: not now');
    expect(driver.server.requests).toHaveLength(2);
    expect(driver.usedAnswers.toSorted()).toEqual(answers.map((each) => each.hash).toSorted());
  });

  it('the check of the task needs no approval, and nothing beside it', async () => {
    const check = 'touch checked';
    driver.script({ toolCalls: [bash(check), bash(`${check}; touch more`, 'm')] }, done);
    const spec = { ...careful, check, ask: 'deny' } as const;
    expect((await outcomeOf(driver.start({ spec }), 'finished')).notes).toHaveLength(1);
    expect([existsSync(driver.file('checked')), existsSync(driver.file('more'))]).toEqual([true, false]);
  });

  it('an answer allows nothing else, and the same call only once; then the call is asked for as a new one', async () => {
    driver.script(
      { toolCalls: [publish] },
      { toolCalls: [bash('rm published', 'r')] },
      { toolCalls: [{ ...publish, id: 'again' }] },
      done,
    );
    const { question } = await outcomeOf(driver.start({ spec: careful }), 'parked');
    const answers = [{ hash: question?.hash ?? '', decision: 'allow' }] as const;
    const other = await outcomeOf(driver.start({ spec: careful, answers }), 'parked');
    expect(other.question?.text).toBe('Bash(rm published)');
    const both = [...answers, { hash: other.question?.hash ?? '', decision: 'allow' }] as const;
    const again = await outcomeOf(driver.start({ spec: careful, answers: both }), 'parked');
    expect(again.question?.text).toBe(question?.text);
    expect(again.question?.hash).not.toBe(question?.hash);
    expect(existsSync(driver.file('published'))).toBe(false);
    const all = [...both, { hash: again.question?.hash ?? '', decision: 'allow' }] as const;
    await outcomeOf(driver.start({ spec: careful, answers: all }), 'finished');
    expect(existsSync(driver.file('published'))).toBe(true);
  });

  it('a question of the model parks, and gets the words of the user', async () => {
    const input = { question: 'Which port?', options: ['80', '8080'] };
    driver.script({ toolCalls: [{ id: 'q', name: 'AskUser', input }, bash('touch beside')] }, done);
    const { question } = await outcomeOf(driver.start(), 'parked');
    expect(question).toMatchObject({ tool: 'AskUser', text: 'Which port?', choices: ['80', '8080'] });
    expect(existsSync(driver.file('beside'))).toBe(false);
    const answers = [{ hash: question?.hash ?? '', decision: 'text', text: '8080' }] as const;
    await outcomeOf(driver.start({ answers }), 'finished');
    expect(resultsIn(lastRequest())['q']).toBe('The user answered: 8080');
    expect(existsSync(driver.file('beside'))).toBe(true);
  });

  it('with "deny" they are denied and listed', async () => {
    const asked = { id: 'q', name: 'AskUser', input: { question: 'Why?' } };
    driver.script({ toolCalls: [publish, asked] }, done);
    const { notes } = await outcomeOf(driver.start({ spec: { ...careful, ask: 'deny' } }), 'finished');
    expect(notes).toEqual([
      'Denied, since no user was there to approve it: Bash(touch published)',
      'Not answered: Why?',
    ]);
    expect(resultsIn(lastRequest())['b']).toContain('This task denies what needs approval.');
    expect(existsSync(driver.file('published'))).toBe(false);
  });
});

describe('the repository of a task', () => {
  const settingsWith = (command: string) =>
    JSON.stringify({
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] },
      permissions: { allow: ['Bash(touch published)'], deny: ['Bash(touch denied)'] },
    });

  /** A repository of the user, whose settings they trust or not. */
  async function repository(isTrusted: boolean): Promise<string> {
    const repo = await temporaryDirectory('robota-fleet-repo');
    mkdirSync(join(repo, '.robota'));
    writeFileSync(join(repo, '.robota/settings.json'), settingsWith(`echo >> ${driver.home}/hooked`));
    const host = { home: join(driver.home, '..'), env: { ROBOTA_HOME: driver.home } };
    const askTrust = async <T>(items: readonly T[]) => ({ trust: isTrusted ? items : [], never: [] });
    await loadConfig(repo, { host, askTrust });
    return repo;
  }

  it.each([true, false])('its hooks and rules count only if the user trusts it: %s', async (isTrusted) => {
    const repo = await repository(isTrusted);
    // Nothing of the worktree itself is trusted.
    mkdirSync(driver.file('.robota'));
    driver.write('.robota/settings.json', settingsWith(`echo >> ${driver.home}/evil`));
    driver.script({ toolCalls: [bash('touch denied', 'd'), bash('touch published')] }, done);
    const spec = { repo, permissions: { mode: 'default' }, ask: 'deny' } as const;
    await outcomeOf(driver.start({ spec }), 'finished');
    const marks = [join(driver.home, 'hooked'), join(driver.home, 'evil')];
    const made = [...marks, driver.file('published'), driver.file('denied')].map((path) => existsSync(path));
    expect(made).toEqual([isTrusted, false, isTrusted, false]);
  });
});

function processesIn(directory: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        if (/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))) return false;
        return readlinkSync(`/proc/${pid}/cwd`) === directory;
      } catch {
        return false;
      }
    });
}
