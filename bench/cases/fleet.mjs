import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openClient } from '@robota-sdk/agent-fleet';
import { startPostgres, withoutPostgres } from '@robota-sdk/agent-testing';
import { FleetSite, gone } from '../fleet-site.mjs';
import { absolute, compared } from '../report.mjs';

const times = { beatMs: 1000, giveUpMs: 6000, silenceMs: 8000 };

/** @typedef {import('../bench.mjs').Bench} Bench */
/** @typedef {Awaited<ReturnType<typeof startPostgres>>} Postgres */

/**
 * Tasks whose workers are killed again and again: all end, no effect twice, every branch right, nothing left behind. And tasks
 * a second beside the same prompts without a fleet. `ROBOTA_SEED` repeats a run.
 */
export async function fleet(/** @type {Bench} */ bench) {
  const seed = Number(process.env.ROBOTA_SEED ?? Math.floor(Math.random() * 1e9));
  process.stderr.write(`fleet: ROBOTA_SEED=${seed}\n`);
  const rows = [...(await killedSupervisors(bench, randomFrom(seed))), ...(await longList(bench))];
  rows.push(...(await sharedBudget(bench)), ...(await idleSupervisor(bench)));
  if (withoutPostgres !== '') return rows;
  const postgres = await startPostgres();
  try {
    rows.push(...(await killedWorkers(bench, postgres, randomFrom(seed + 1))));
    rows.push(...(await throughput(bench, postgres)));
  } finally {
    await postgres.stop();
  }
  return rows;
}

/** @param {Bench} bench @param {() => number} random */
async function killedSupervisors(bench, random) {
  const [tasks, kills] = bench.quick ? [4, 2] : [200, 20];
  const turns = 5;
  const site = await FleetSite.open(bench, 'fleet-supervisor', { turns });
  const home = site.home('one');
  const client = await openClient({ home });
  try {
    await client.submit(site.adds(tasks));
    const began = performance.now();
    const effects = tasks * (turns - 1);
    for (let kill = 0; kill < kills; kill++) {
      const child = site.start({ home, jobs: 4 });
      // Spread over the work, so that each finds tasks under way.
      const after = ((kill + random()) * effects) / kills;
      while (child.exitCode === null && site.effects().length < after) await sleep(50);
      await sleep(random() * 200);
      child.kill('SIGKILL');
      await gone(child);
    }
    await gone(site.start({ home, jobs: 4 }));
    const shown = `${tasks} tasks × ${turns} turns, supervisor killed ${kills} times`;
    return rowsOf(shown, await site.findings(client, { tasks, random }), performance.now() - began);
  } finally {
    await client.close();
    await site.close();
  }
}

/** @param {Bench} bench @param {Postgres} postgres @param {() => number} random */
async function killedWorkers(bench, postgres, random) {
  const tasks = bench.quick ? 6 : 1000;
  const turns = 3;
  const site = await FleetSite.open(bench, 'fleet-workers', { turns });
  const url = await postgres.createDatabase();
  const client = await openClient({ home: site.home('client'), database: url });
  const start = (/** @type {number} */ index) =>
    site.start({ home: site.home(`worker-${index}`), jobs: 2, url, times, untilEmpty: false });
  const children = [0, 1, 2, 3].map(start);
  try {
    await client.submit(site.adds(tasks));
    const began = performance.now();
    let kills = 0;
    while (await hasOpenTasks(client)) {
      await sleep(3000);
      const index = Math.floor(random() * children.length);
      children[index]?.kill('SIGKILL');
      children[index] = start(index);
      kills++;
    }
    const duration = performance.now() - began;
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map(gone));
    const shown = `${tasks} tasks × ${turns} turns, 4 workers, one killed every 3 s (${kills})`;
    return rowsOf(shown, await site.findings(client, { tasks, random }), duration);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await client.close();
    await site.close();
  }
}

async function hasOpenTasks(/** @type {import('@robota-sdk/agent-fleet').FleetClient} */ client) {
  const tasks = await client.tasks({ states: ['queued', 'preparing', 'running', 'checking', 'parked'] });
  return tasks.length > 0;
}

/** @param {Bench} bench @param {Postgres} postgres */
async function throughput(bench, postgres) {
  const tasks = bench.quick ? 4 : 24;
  const turns = 5;
  const rows = [];
  for (const workers of bench.quick ? [2] : [1, 2, 4]) {
    const site = await FleetSite.open(bench, `fleet-throughput-${workers}`, { turns });
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
      const reference = (await site.plainRuns(bench.robota().args, tasks, workers)) / tasks;
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
  const site = await FleetSite.open(bench, 'fleet-list', { turns: 1 });
  const home = site.home('one');
  const client = await openClient({ home });
  try {
    await client.submit(site.adds(10_000));
    const program = bench.robota('fleet', 'list', '--json');
    const env = { ...program.env, HOME: join(home, '..') };
    const began = performance.now();
    execFileSync(process.execPath, program.args, { env, maxBuffer: 1e9 });
    const ours = performance.now() - began;
    return [absolute({ name: 'fleet list of 10,000 queued tasks', ours, unit: 'ms', limit: 300 })];
  } finally {
    await client.close();
    await site.close();
  }
}

/** Many tasks at once on one budget, which a call may pass, but no second one. */
async function sharedBudget(/** @type {Bench} */ bench) {
  const tasks = bench.quick ? 4 : 50;
  // 0.33 dollars a call: the budget ends while all are under way.
  const usage = { input: 100_000, output: 2000 };
  const price = 0.33;
  const total = tasks * price;
  const site = await FleetSite.open(bench, 'fleet-budget', { turns: 5, usage });
  const home = site.home('one');
  const client = await openClient({ home });
  try {
    await client.submit([{ type: 'budget', total }, ...site.adds(tasks)]);
    await gone(site.start({ home, jobs: tasks }));
    const spent = (await client.costs()).total;
    const done = (await client.tasks({ states: ['done'] })).length;
    const name = `${tasks} tasks at once on $${total.toFixed(2)}`;
    return [
      absolute({
        name: `${name}: calls over the budget`,
        ours: (spent - total) / price,
        unit: 'count',
        limit: 1,
      }),
      absolute({ name: `${name}: tasks that ended in spite of it`, ours: done, unit: 'count' }),
    ];
  } finally {
    await client.close();
    await site.close();
  }
}

/** A supervisor without tasks. */
async function idleSupervisor(/** @type {Bench} */ bench) {
  if (!existsSync('/proc')) return [];
  const site = await FleetSite.open(bench, 'fleet-idle', { turns: 1 });
  const home = site.home('one');
  const client = await openClient({ home });
  const child = site.start({ home, jobs: 4, untilEmpty: false });
  try {
    while ((await client.workers()).length === 0) await sleep(200);
    // The memory of its start is given back.
    await sleep(10_000);
    const beats = 3;
    const status = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/status`, 'utf8');
    const field = (/** @type {string} */ name) =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status())?.[1]);
    const before = field('voluntary_ctxt_switches');
    await sleep(beats * 5000);
    const wakes = (field('voluntary_ctxt_switches') - before) / beats;
    return [
      absolute({ name: 'idle supervisor: memory', ours: field('VmRSS') / 1024, unit: 'MB', limit: 300 }),
      absolute({
        name: 'idle supervisor: context switches of its thread a beat of 5 s',
        ours: wakes,
        unit: 'count',
      }),
    ];
  } finally {
    child.kill('SIGKILL');
    await gone(child);
    await client.close();
    await site.close();
  }
}

/** @param {string} shown @param {import('../fleet-site.mjs').Findings} findings @param {number} duration */
function rowsOf(shown, findings, duration) {
  const count = (/** @type {string} */ name, /** @type {number} */ ours, limit = 0) =>
    absolute({ name: `${shown}: ${name}`, ours, unit: 'count', limit });
  return [
    absolute({ name: shown, ours: duration, unit: 'ms' }),
    count('lost', findings.notDone),
    count('with an effect twice', findings.twice),
    count('with a missing effect', findings.missing),
    count('without the right branch', findings.wrongBranches),
    count('orphan processes', findings.processes),
    count('orphan worktrees', findings.worktrees),
    count('orphan refs', findings.refs),
    count('worktrees of 25 tasks that gc keeps', findings.kept),
  ];
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(/** @type {number} */ seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
