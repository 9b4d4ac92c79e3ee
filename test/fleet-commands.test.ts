import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TaskDetails, TaskProjection } from '@robota-sdk/agent-fleet';
import { type RobotaResult, robotaBin, runRobota, temporaryDirectory } from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { taskSpec } from '../packages/agent-fleet/src/fixtures/task-spec.ts';

let home: string;
let cwd: string;

beforeEach(async () => {
  home = await temporaryDirectory('robota-home');
  cwd = await temporaryDirectory('robota-repo');
  execFileSync('git', ['init', '-q'], { cwd });
});

describe('robota fleet add and list', () => {
  it('adds a prompt with options, and lists it without a supervisor', async () => {
    const { stdout, code } = await fleet('add', 'fix', 'the test', '--check', 'npm test', '--max-cost', '2');
    expect(code).toBe(0);
    const id = stdout.trim();
    expect(id).toMatch(/^[0-9a-z]{12}$/);
    const list = await fleet('list');
    expect(list.stdout).toMatch(new RegExp(`^ID .*\\n${id}  queued  \\$0\\.00 .* fix the test\\n$`));
    // Without a word the list is meant.
    const withoutAge = (text: string) => text.replace(/ +\d+s /, ' ');
    expect(withoutAge((await fleet()).stdout)).toBe(withoutAge(list.stdout));
    const [task] = lines(await fleet('list', '--json'));
    expect(task).toEqual({
      id,
      name: 'fix the test',
      state: 'queued',
      reason: null,
      branch: null,
      filesChanged: null,
      added: null,
      removed: null,
      activity: null,
      attempts: 0,
      cost: 0,
      turns: 0,
      worker: null,
      question: null,
      sessionId: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      startedAt: null,
      endedAt: null,
    });
    const [shown] = lines(await fleet('show', 'fix the test', '--json'));
    expect(shown).toMatchObject({ id, receipt: null, spec: { check: 'npm test', maxCost: 2, repo: cwd } });
    expect((await fleet('show', id)).stdout).toContain('  Check        npm test\n');
  });

  it('adds task files and lines of JSON; options stand above the fields of a file', async () => {
    await writeFile(join(cwd, 'one.md'), '---\nmax-cost: 1\nmodel: sonnet\n---\nFirst.\n');
    await writeFile(join(cwd, 'two.md'), '---\nafter: [one]\n---\nSecond.\n');
    const added = await fleet('add', 'one.md', 'two.md', '--max-cost', '5', '--json');
    expect(lines(added).map(({ name, state }) => [name, state])).toEqual([
      ['one', 'queued'],
      ['two', 'queued'],
    ]);
    const [one] = lines(await fleet('show', 'one', '--json'));
    expect(one).toMatchObject({ spec: { maxCost: 5, model: 'sonnet', prompt: 'First.' } });
    const input = '{"prompt":"third","after":"two"}\n{"prompt":"fourth"}\n';
    const piped = await runRobota(['fleet', 'add', '--from', '-'], { cwd, home, input });
    expect(piped.stdout.trim().split('\n')).toHaveLength(2);
    expect(lines(await fleet('list', '--json')).map(({ name }) => name)).toEqual([
      'one',
      'two',
      'third',
      'fourth',
    ]);
    const file = join(home, 'tasks.jsonl');
    await writeFile(file, '{"prompt":"fifth"}\n');
    expect(await fleet('add', '--from', file)).toMatchObject({ code: 0 });
    expect(lines(await fleet('list', '--json')).at(-1)).toMatchObject({ name: 'fifth' });
  });

  it('adds nothing if one of several tasks is wrong, and names file, line and field', async () => {
    await writeFile(join(cwd, 'good.md'), 'Fine.\n');
    await writeFile(join(cwd, 'bad.md'), '---\nmodel: sonnet\nattemts: 2\n---\nBad.\n');
    expect(await fleet('add', 'good.md', 'bad.md')).toMatchObject({
      code: 2,
      stderr: 'robota: bad.md:3: Unknown field "attemts". Did you mean "attempts"?\n',
    });
    const input = '{"prompt":"a"}\n{"prompt":"b","attempts":0}\n';
    expect(await runRobota(['fleet', 'add', '--from', '-'], { cwd, home, input })).toMatchObject({
      code: 2,
      stderr: 'robota: standard input:2: attempts: expected an integer from 1 to 20, got 0\n',
    });
    for (const [text, message] of [
      ['{"prompt":"a\\u0000b"}', 'The prompt holds characters that cannot be stored'],
      ['{"prompt":"a\\ud800b"}', 'The prompt holds characters that cannot be stored'],
      ['{"prompt":"x","check":"a\\u0000"}', 'check: expected a command line'],
    ] as const)
      expect(await runRobota(['fleet', 'add', '--from', '-'], { cwd, home, input: text })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(message),
      });
    await writeFile(join(cwd, 'one.md'), '---\nafter: [two]\n---\nx\n');
    await writeFile(join(cwd, 'two.md'), '---\nafter: [one]\n---\nx\n');
    expect((await fleet('add', 'one.md', 'two.md')).stderr).toContain('comes after the next: one, two, one.');
    execFileSync('mkfifo', [join(cwd, 'pipe.md')]);
    expect((await fleet('add', 'pipe.md')).stderr).toContain('pipe.md: The task file cannot be read');
    expect(lines(await fleet('list', '--json'))).toEqual([]);
  });

  it.each([
    [['add'], 'Missing prompt or task file.'],
    [['add', 'x', '--max-cots', '3'], 'Unknown option --max-cots. Did you mean --max-cost?'],
    [['add', 'x', '--max-cost', 'lots'], 'max-cost: expected a number above 0, got the string "lots"'],
    [['add', 'x', '--after', 'nothing'], 'Task "x" comes after "nothing", which does not exist.'],
    [['add', 'x', '--name', 'x', '--after', 'x'], 'Each of these tasks comes after the next: x, x.'],
    [['add', 'x', '--repo', '/'], '/ is not a git repository.'],
    [['add', 'none.md'], 'none.md: The task file cannot be read'],
    [['list', '--state', 'don'], 'Unknown state "don". Did you mean done?'],
    [['list', '--limit', 'x'], '--limit needs a number, not "x".'],
    [['show'], 'Missing task. List them with: robota fleet list'],
    [['show', 'zzz'], 'No task "zzz". List them with: robota fleet list'],
    [['lsit'], 'Did you mean robota fleet list?'],
    [['list', '--database', 'mysql://x'], 'a URL that starts with postgres://'],
  ])('refuses %j with code 2', async (words, message) => {
    const { code, stderr, stdout } = await fleet(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('robota fleet schedule and hook', () => {
  it('keeps schedules, lists them with their next time, and removes them', async () => {
    await writeFile(join(cwd, 'nightly.md'), '---\ncheck: npm test\n---\nUpdate the dependencies.\n');
    const words = ['schedule', '0 2 * * *', 'nightly.md', '--time-zone', 'Europe/Berlin', '--missed', 'skip'];
    const added = await fleet(...words, '--max-cost', '2');
    expect(added).toMatchObject({ code: 0, stderr: expect.stringMatching(/^First due 20/) });
    const id = added.stdout.trim();
    const [schedule] = lines(await fleet('schedule', '--json'));
    expect(schedule).toMatchObject({
      id,
      cron: '0 2 * * *',
      timeZone: 'Europe/Berlin',
      missed: 'skip',
      spec: { name: 'nightly', check: 'npm test', maxCost: 2 },
    });
    expect((await fleet('schedule')).stdout).toMatch(
      new RegExp(`^${id}  0 2 \\* \\* \\*  Europe/Berlin  next .*  nightly\n$`),
    );
    expect((await fleet('schedule', 'remove', 'nightly')).code).toBe(0);
    expect((await fleet('schedule', '--json')).stdout).toBe('');
    for (const [wrong, message] of [
      [['schedule', '0 2 * *', 'nightly.md'], '"0 2 * *" is not a schedule. Use five fields'],
      [['schedule', '0 0 30 2 *', 'nightly.md'], 'is never due'],
      [
        ['schedule', '0 2 * * *', 'nightly.md', '--time-zone', 'Mars/Phobos'],
        'robota: Unknown time zone "Mars/Phobos". Use',
      ],
      [['schedule', 'remove', 'nothing'], 'No schedule "nothing".'],
    ] as const)
      expect(await fleet(...wrong)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('makes a task of a signed request, and ends when it is interrupted', async () => {
    await writeFile(join(cwd, 'triage.md'), '---\npermissions: { mode: plan }\n---\nTriage it.\n');
    const secret = 'sixteen characters and more';
    const answers: Promise<Response>[] = [];
    const { code } = await runRobota(['fleet', 'hook', 'triage.md', '--listen', '127.0.0.1:0'], {
      cwd,
      home,
      env: { ROBOTA_HOOK_SECRET: secret },
      onError: (stderr, child) => {
        const [, url] = /Listening on (\S+\/triage)\n/.exec(stderr) ?? [];
        if (url !== undefined && answers.length === 0) answers.push(send(url, secret));
        if (stderr.includes('added ')) child.kill('SIGINT');
      },
    });
    expect(code).toBe(0);
    expect((await answers[0])?.status).toBe(202);
    const [task] = lines(await fleet('show', 'triage', '--json'));
    expect(task).toMatchObject({
      state: 'queued',
      spec: { permissions: { mode: 'plan' }, origin: { kind: 'webhook', delivery: 'd-1' } },
    });
  });

  it.each([
    [['hook', '--listen', '0.0.0.0:7444'], '0.0.0.0 can be reached by other machines.'],
    [['hook', '--listen', 'nowhere'], '--listen needs an address such as 127.0.0.1:7444'],
    [['hook', 'triage.md'], 'Missing secret. Set ROBOTA_HOOK_SECRET'],
  ])('refuses %j with code 2', async (words, message) => {
    expect(await fleet(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  function send(url: string, secret: string): Promise<Response> {
    const body = '{"title":"It is broken"}';
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', secret)
      .update(`${timestamp}\nd-1\n/triage\n${body}`)
      .digest('hex');
    const headers = {
      'X-Robota-Timestamp': timestamp,
      'X-Robota-Delivery': 'd-1',
      'X-Robota-Signature': `v2=${signature}`,
    };
    return fetch(url, { method: 'POST', body, headers });
  }
});

describe('robota fleet doctor', () => {
  it('tries set-up and check on the untouched base, and leaves nothing behind', async () => {
    await writeFile(join(cwd, 'passes.sh'), 'test -f installed && echo trace > trace\n');
    await writeFile(
      join(cwd, 'good.md'),
      '---\nsandbox: off\nsetup: touch installed\ncheck: sh passes.sh\n---\nx\n',
    );
    await writeFile(join(cwd, 'bad.md'), '---\nsandbox: off\ncheck: echo broken; exit 3\n---\nx\n');
    const git = (...words: string[]) => execFileSync('git', words, { cwd, encoding: 'utf8' });
    git('add', '.');
    git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qm', 'first');
    const findings = lines(await fleet('doctor', '--json', 'good.md', 'bad.md'));
    const baseline = findings.filter(({ area }) => area === 'baseline');
    expect(baseline).toEqual([
      {
        status: 'ok',
        area: 'baseline',
        message: expect.stringMatching(/^good: touch installed: passed .*; sh passes.sh: passed after /),
      },
      {
        status: 'broken',
        area: 'baseline',
        message: expect.stringMatching(/^bad: echo broken; exit 3: failed with code 3 after .*\nbroken$/),
      },
    ]);
    expect(findings.map(({ area }) => area)).toEqual([
      'database',
      'disk',
      'sandbox',
      'delivery',
      'baseline',
      'baseline',
    ]);
    expect(git('status', '--porcelain')).toBe('');
    expect((await fleet('doctor', 'bad.md')).code).toBe(1);
    expect(lines(await fleet('list', '--json'))).toEqual([]);
  });
});

describe('robota fleet with the list of a supervisor', () => {
  it('shows states, costs, workers and questions in an aligned table', async () => {
    await project([
      task('aaaaaaaaaaaa', {
        name: '日本語のタスク',
        state: 'running',
        worker: 'host-1',
        cost: 0.5,
        turns: 12,
      }),
      parked,
      task('cccccccccccc', {
        state: 'failed',
        reason: { code: 'check-failed', message: 'The check failed.' },
      }),
      task('dddddddddddd', { state: 'done', branch: 'robota/d', filesChanged: 2, added: 48, removed: 3 }),
    ]);
    const [head, ...rows] = (await fleet('list')).stdout.trimEnd().split('\n');
    expect(head).toBe('ID            STATE     COST  TURNS  AGE  WORKER  NAME');
    expect(rows.map((row) => row.replace(/ +\d+[smhd] /, ' AGE '))).toEqual([
      'aaaaaaaaaaaa  running  $0.50     12 AGE  host-1  日本語のタスク',
      'bbbbbbbbbbbb  parked   $0.00      0 AGE          a task          ? Bash(npm publish)',
      'cccccccccccc  failed   $0.00      0 AGE          a task          The check failed.',
      'dddddddddddd  done     $0.00      0 AGE          a task          robota/d +48 −3',
    ]);
    expect(lines(await fleet('list', '--json', '--state', 'parked,failed')).map(({ id }) => id)).toEqual([
      'bbbbbbbbbbbb',
      'cccccccccccc',
    ]);
    const limited = await fleet('list', '--limit', '1');
    expect(limited.stdout).toContain('dddddddddddd');
    expect(limited.stderr).toContain('The last 1 of 4 tasks are shown; --limit 0 shows all.');
  });

  it('answers a question by its hash, with a decision or with a reason to deny', async () => {
    await project([parked, task('dddddddddddd', { state: 'running' })]);
    expect((await fleet('show', 'bbbb')).stdout).toContain(
      'Answer with: robota fleet answer bbbbbbbbbbbb allow|deny',
    );
    expect(await fleet('answer', 'bbbb')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Missing answer to: Bash(npm publish)'),
    });
    expect((await fleet('answer', 'bbbb', 'allow')).code).toBe(0);
    // The first answer counts; a second one has nothing to answer.
    expect(await fleet('answer', 'bbbb', 'not', 'today')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Task bbbbbbbbbbbb is queued and has no question.'),
    });
    expect(await fleet('answer', 'dddd', 'allow')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Task dddddddddddd is running and has no question.'),
    });
    expect(await requests()).toEqual([{ type: 'answer', id: 'bbbbbbbbbbbb', hash: 'h1', decision: 'allow' }]);
  });

  it('stops, retries and drains, and refuses what makes no sense', async () => {
    await project([
      parked,
      task('eeeeeeeeeeee', { state: 'failed' }),
      task('ffffffffffff', { state: 'done' }),
    ]);
    expect(lines(await fleet('stop', 'bbbb', '--json'))).toMatchObject([
      { id: 'bbbbbbbbbbbb', state: 'stopped', question: null },
    ]);
    expect((await fleet('stop', 'eeee')).stderr).toContain(
      'Task eeeeeeeeeeee is failed and cannot be stopped.',
    );
    expect((await fleet('retry', '--all')).stderr).toContain('2 tasks will be queued again.');
    expect((await fleet('drain')).code).toBe(0);
    expect(await fleet('cost', '--daily', '20', '--total', 'none')).toMatchObject({
      code: 0,
      stdout: 'Total     $0.00\nToday     $0.00 of $20.00\n',
    });
    expect((await fleet('cost', '--daily', 'much')).code).toBe(2);
    expect(await requests()).toEqual([
      { type: 'stop', id: 'bbbbbbbbbbbb' },
      { type: 'retry', id: 'bbbbbbbbbbbb' },
      { type: 'retry', id: 'eeeeeeeeeeee' },
      { type: 'drain' },
      { type: 'budget', total: null, daily: 20 },
    ]);
  });

  it('follows a task until it ends, or waits for its user, and says so in its exit code', async () => {
    await project([parked, task('eeeeeeeeeeee', { state: 'failed' }), ended]);
    expect(await fleet('follow', 'bbbb')).toMatchObject({
      code: 3,
      stdout: '[parked] ? Bash(npm publish)\nAnswer with: robota fleet answer bbbbbbbbbbbb\n',
    });
    expect((await fleet('follow', 'eeee')).code).toBe(1);
    const done = await fleet('follow', 'ffff');
    expect(done.code).toBe(0);
    expect(done.stdout).toContain('Delivered    branch robota/ffffffffffff-a-task\n');
    expect(lines(await fleet('follow', 'ffff', '--json'))).toMatchObject([{ state: 'done' }]);
    const shown = (await fleet('show', 'ffff')).stdout;
    expect(shown).toContain('Attempt 1 (delivered): passed, $0.42, 7 turns');
    expect(shown).toContain('npm test: passed after 1.2 s');
    expect(shown).toContain('Changed      2 files, +10 −3');
  });

  it('lets nothing in a task control the terminal or leak a key', async () => {
    const key = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
    await project([task('aaaaaaaaaaaa', { name: `key ${key}` })]);
    expect((await fleet('list')).stdout).not.toContain(key);
  });
});

it('loads neither an engine nor a database to add and list tasks', async () => {
  const file = new URL('../packages/agent-fleet/dist/bundle/command-line.mjs', import.meta.url);
  const seen = new Set<string>();
  const packages = async (module: URL): Promise<string[]> => {
    if (seen.has(module.href)) return [];
    seen.add(module.href);
    const text = await readFile(module, 'utf8');
    const imported = [...text.matchAll(/(?:\bfrom|\bimport) ?"([^"]+)"/g)].map(([, name = '']) => name);
    const others = imported
      .filter((name) => name.startsWith('.'))
      .map((name) => packages(new URL(name, module)));
    const named = imported.filter((name) => !/^(?:node:|\.)/.test(name));
    return [...named, ...(await Promise.all(others)).flat()];
  };
  expect(await packages(file)).toEqual([]);
  expect(seen.size).toBeGreaterThan(1);
});

it('says how to install the package where it is missing', async () => {
  const alone = await temporaryDirectory('robota-alone');
  cpSync(dirname(robotaBin), join(alone, 'dist'), { recursive: true });
  const run = (...words: string[]) =>
    execFileSync(process.execPath, [join(alone, 'dist/bin.js'), ...words], {
      cwd,
      env: { PATH: process.env['PATH'], HOME: home },
      stdio: 'pipe',
    });
  expect(run('fleet', '--help').toString()).toContain('robota fleet add');
  let failure: { status?: number; stderr?: Buffer } = {};
  try {
    run('fleet', 'list');
  } catch (thrown) {
    failure = thrown as typeof failure;
  }
  expect(failure.status).toBe(2);
  expect(failure.stderr?.toString()).toBe(
    'robota: robota fleet list needs the package @robota-sdk/agent-fleet, which is not installed. ' +
      'Install it with: npm install -g @robota-sdk/agent-fleet\n',
  );
});

const at = new Date(Date.now() - 90_000).toISOString();

function task(id: string, changes: Partial<TaskDetails> = {}): TaskDetails {
  return {
    id,
    name: 'a task',
    state: 'queued',
    attempts: 0,
    cost: 0,
    turns: 0,
    createdAt: at,
    updatedAt: at,
    ...changes,
    spec: taskSpec({ name: 'a task', repo: '/repo', sandbox: true }),
  };
}

const parked = task('bbbbbbbbbbbb', {
  state: 'parked',
  reason: { code: 'question', message: 'Bash(npm publish) needs an answer.' },
  question: { hash: 'h1', tool: 'Bash', text: 'Bash(npm publish)', askedAt: at },
});

const check = { command: 'npm test', exitCode: 0, durationMs: 1200, tail: '' };
const ended = task('ffffffffffff', {
  state: 'done',
  endedAt: at,
  receipt: {
    attempts: [{ number: 1, sessionId: 's', state: 'passed', cost: 0.42, turns: 7, check, answer: 'Done.' }],
    winner: 1,
    delivery: { kind: 'branch', branch: 'robota/ffffffffffff-a-task', commit: 'abc' },
    cost: 0.42,
    turns: 7,
    filesChanged: 2,
    added: 10,
    removed: 3,
    notes: [],
  },
});

function fleet(...words: string[]): Promise<RobotaResult> {
  return runRobota(['fleet', ...words], { cwd, home });
}

function lines({ stdout }: RobotaResult): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Writes the list as a supervisor does. */
async function project(tasks: readonly TaskDetails[]): Promise<void> {
  await mkdir(join(home, '.robota/fleet'), { recursive: true });
  await new TaskProjection(join(home, '.robota/fleet/tasks.jsonl')).rewrite(tasks);
}

/** The requests in the inbox, as a supervisor reads them. */
async function requests(): Promise<unknown[]> {
  const { readInbox } = await import('@robota-sdk/agent-fleet');
  const files = await readInbox({ inbox: join(home, '.robota/fleet/inbox') });
  return files.flatMap(({ commands }) => commands);
}
