import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openClient } from '@robota-sdk/agent-fleet';
import { anthropicReply, startModelServer, startPostgres, withoutPostgres } from '@robota-sdk/agent-testing';
import { absolute, compared } from '../report.mjs';

const worker = fileURLToPath(new URL('../fleet-worker.mjs', import.meta.url));
const turns = 5;
const times = { beatMs: 1000, giveUpMs: 6000, silenceMs: 8000 };

/**
 * Tasks of five turns whose workers are killed again and again: all end, no effect twice, every branch right, no process
 * left. And tasks a second beside the same prompts without a fleet.
 */
export async function fleet(/** @type {import('../bench.mjs').Bench} */ bench) {
  const rows = [...(await killedSupervisors(bench)), ...(await longList(bench))];
  if (withoutPostgres !== '') return rows;
  const postgres = await startPostgres();
  try {
    rows.push(...(await killedWorkers(bench, postgres)), ...(await throughput(bench, postgres)));
  } finally {
    await postgres.stop();
  }
  return rows;
}

/** @typedef {import('../bench.mjs').Bench} Bench */
/** @typedef {Awaited<ReturnType<typeof startPostgres>>} Postgres */
/** @typedef {import('@robota-sdk/agent-fleet').FleetClient} FleetClient */

async function killedSupervisors(/** @type {Bench} */ bench) {
  const [tasks, kills] = bench.quick ? [4, 2] : [200, 20];
  const site = await openSite(bench, 'fleet-supervisor');
  const home = site.home('one');
  const client = await openClient({ home });
  try {
    await client.submit(site.adds(tasks));
    for (let kill = 1; kill <= kills; kill++) {
      const child = site.start({ home, jobs: 4 });
      // Spread over the work, so that each finds tasks under way.
      await until(
        async () =>
          child.exitCode !== null || site.effects().length >= (kill * tasks * (turns - 1)) / (kills + 1),
      );
      child.kill('SIGKILL');
      await gone(child);
    }
    await gone(site.start({ home, jobs: 4 }));
    return await site.verdict(client, `${tasks} tasks × ${turns} turns, supervisor killed ${kills} times`);
  } finally {
    await client.close();
    await site.close();
  }
}

/** @param {Bench} bench @param {Postgres} postgres */
async function killedWorkers(bench, postgres) {
  const tasks = bench.quick ? 6 : 1000;
  const site = await openSite(bench, 'fleet-workers');
  const url = await postgres.createDatabase();
  const client = await openClient({ home: site.home('client'), database: url });
  const start = (/** @type {number} */ index) =>
    site.start({ home: site.home(`worker-${index}`), jobs: 4, url, times, untilEmpty: false });
  const children = [0, 1, 2, 3].map(start);
  try {
    await client.submit(site.adds(tasks));
    let kills = 0;
    while ((await client.tasks()).some(({ state }) => !['done', 'failed', 'stopped'].includes(state))) {
      await sleep(3000);
      const index = Math.floor(Math.random() * children.length);
      children[index]?.kill('SIGKILL');
      children[index] = start(index);
      kills++;
    }
    return await site.verdict(
      client,
      `${tasks} tasks × ${turns} turns, 4 workers, one killed every 3 s (${kills})`,
    );
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await client.close();
    await site.close();
  }
}

/** @param {Bench} bench @param {Postgres} postgres */
async function throughput(bench, postgres) {
  const tasks = bench.quick ? 4 : 64;
  const rows = [];
  for (const workers of bench.quick ? [2] : [1, 2, 4]) {
    const site = await openSite(bench, `fleet-throughput-${workers}`);
    const url = await postgres.createDatabase();
    const client = await openClient({ home: site.home('client'), database: url });
    try {
      await client.submit(site.adds(tasks));
      const began = performance.now();
      const children = Array.from({ length: workers }, (_, index) =>
        site.start({ home: site.home(`worker-${index}`), jobs: 1, url, times }),
      );
      await Promise.all(children.map(gone));
      const ours = (performance.now() - began) / tasks;
      const reference = (await site.plainRuns(tasks, workers)) / tasks;
      const name = `a task of ${turns} turns, ${workers} workers; beside xargs -P ${workers} of robota -p`;
      rows.push(compared({ name, ours, reference, unit: 'ms' }));
    } finally {
      await client.close();
      await site.close();
    }
  }
  return rows;
}

/** The list of 10,000 queued tasks, as a command reads it. */
async function longList(/** @type {Bench} */ bench) {
  const site = await openSite(bench, 'fleet-list');
  const home = site.home('one');
  const client = await openClient({ home });
  try {
    await client.submit(site.adds(10_000));
    const program = bench.robota('fleet', 'list', '--json');
    const began = performance.now();
    execFileSync(process.execPath, program.args, {
      env: { ...program.env, HOME: join(home, '..') },
      maxBuffer: 1e9,
    });
    return [
      absolute({
        name: 'fleet list of 10,000 queued tasks',
        ours: performance.now() - began,
        unit: 'ms',
        limit: 300,
      }),
    ];
  } finally {
    await client.close();
    await site.close();
  }
}

/** A repository, a model that asks for a counting command at each turn, and the workers on it. */
async function openSite(/** @type {Bench} */ bench, /** @type {string} */ name) {
  const root = bench.directory(name);
  const [repo, counts] = [join(root, 'repo'), join(root, 'counts')];
  for (const path of [repo, counts]) mkdirSync(path);
  const git = makeRepository(repo);
  const server = await startModelServer();
  server.handle(({ text }) => nextTurn(text, counts));
  const env = (/** @type {string} */ home) => ({
    PATH: String(process.env.PATH),
    HOME: join(home, '..'),
    ANTHROPIC_API_KEY: 'x',
    ANTHROPIC_BASE_URL: server.url,
  });
  const countsOf = (/** @type {string} */ id) =>
    existsSync(join(counts, id)) ? readFileSync(join(counts, id), 'utf8').split('\n').filter(Boolean) : [];
  return {
    home(/** @type {string} */ person) {
      const home = join(root, person, '.robota');
      mkdirSync(home, { recursive: true });
      return home;
    },
    adds: (/** @type {number} */ count) =>
      Array.from({ length: count }, (_, index) => add(`task-${index}`, repo)),
    start(/** @type {{ home: string } & Record<string, unknown>} */ options) {
      return spawn(process.execPath, [worker, JSON.stringify(options)], {
        stdio: 'ignore',
        env: env(options.home),
      });
    },
    effects: () => readdirSync(counts).flatMap(countsOf),
    /** The same prompts without a fleet; gives the milliseconds of all. */
    async plainRuns(/** @type {number} */ tasks, /** @type {number} */ parallel) {
      const home = this.home('plain');
      const cwd = join(root, 'plain');
      const words = [
        process.execPath,
        ...bench.robota('--model', model, '--permission-mode', 'bypassPermissions').args,
      ];
      const began = performance.now();
      const child = spawn('xargs', ['-P', String(parallel), '-I', '{}', ...words, '-p', 'Work on {}.'], {
        cwd,
        env: env(home),
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      child.stdin.end(Array.from({ length: tasks }, (_, index) => `task-${index + 100_000}\n`).join(''));
      await gone(child);
      return performance.now() - began;
    },
    async verdict(/** @type {FleetClient} */ client, /** @type {string} */ shown) {
      const tasks = await client.tasks();
      const twice = tasks.filter(({ id }) => new Set(countsOf(id)).size !== countsOf(id).length);
      const wrong = tasks.filter(({ id, branch }) => branch === undefined || !isRight(git, branch, id));
      await sleep(2000);
      const limit = 0;
      return [
        absolute({
          name: `${shown}: not done`,
          ours: tasks.filter(({ state }) => state !== 'done').length,
          unit: 'count',
          limit,
        }),
        absolute({ name: `${shown}: with an effect twice`, ours: twice.length, unit: 'count', limit }),
        absolute({ name: `${shown}: without a right branch`, ours: wrong.length, unit: 'count', limit }),
        absolute({ name: `${shown}: orphan processes`, ours: orphans(root), unit: 'count', limit }),
      ];
    },
    close: () => server.close(),
  };
}

const model = 'anthropic/claude-sonnet-4-6';

function makeRepository(/** @type {string} */ repo) {
  const git = (/** @type {string[]} */ ...words) =>
    execFileSync('git', words, { cwd: repo, encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  writeFileSync(join(repo, 'README.md'), 'A repository.\n');
  git('add', '.');
  git('-c', 'user.name=B', '-c', 'user.email=b@example.org', 'commit', '-qm', 'Start');
  return git;
}

/** The answer of the model to a request: a command that leaves a line in the worktree and one beside it, or the end. */
function nextTurn(/** @type {string} */ text, /** @type {string} */ counts) {
  const task = /task-\d+/.exec(text)?.[0] ?? 'task-0';
  const turn = text.split('"tool_result"').length;
  if (turn > turns - 1) return anthropicReply({ text: 'Done.' });
  const command = `echo ${turn} >> ${task}.txt && echo ${turn} >> ${join(counts, task)}`;
  return anthropicReply({ toolCalls: [{ id: `t${turn}`, name: 'Bash', input: { command } }] });
}

/**
 * A command whose outcome a crash left unknown is not repeated, so a line may be missing; none is there twice.
 * @param {(...words: string[]) => string} git @param {string} branch @param {string} id
 */
function isRight(git, branch, id) {
  const lines = git('show', `${branch}:${id}.txt`).split('\n').filter(Boolean);
  return lines.length > 0 && new Set(lines).size === lines.length && lines.join() === lines.toSorted().join();
}

/** Processes of attempts that have a directory of the benchmark in their environment. */
function orphans(/** @type {string} */ root) {
  const isOrphan = (/** @type {string} */ pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return command.includes('attempt-main') && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(root);
    } catch {
      return false;
    }
  };
  return existsSync('/proc') ? readdirSync('/proc').filter(isOrphan).length : 0;
}

async function gone(/** @type {import('node:child_process').ChildProcess} */ child) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function until(/** @type {() => Promise<boolean>} */ condition) {
  while (!(await condition())) await sleep(50);
}

/** @param {string} id @param {string} repo */
function add(id, repo) {
  /** @type {import('@robota-sdk/agent-fleet').TaskSpec} */
  const spec = {
    name: id,
    prompt: `Work on ${id}.`,
    repo,
    baseline: 'skip',
    model,
    attempts: 1,
    keep: 'first',
    after: [],
    permissions: { mode: 'bypassPermissions' },
    ask: 'park',
    deliver: 'branch',
    sandbox: false,
    labels: [],
    priority: 100,
    origin: { kind: 'command' },
  };
  return /** @type {const} */ ({ type: 'add', id, spec, at: new Date().toISOString() });
}
