import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AgentError, describeMoney, makeDirectories } from '@robota-sdk/agent-core';
import { fleetFiles, privateFolderMode, privateMode } from '../client/fleet-files.ts';
import { openClient } from '../client/open-client.ts';
import { formatSpan } from '../console/describe-task.ts';
import { exitCodes, type FleetConsole, type FleetRequest } from '../console/fleet-console.ts';
import { taskFacts } from '../console/task-facts.ts';
import type { FleetClient } from '../contract/client.ts';
import { isEnded, type TaskRecord } from '../contract/task.ts';
import { countsOf } from '../screen/fleet-rows.ts';
import { type FleetView, openFleetView, type RunEndChoice } from '../screen/fleet-view.ts';
import { databaseOf } from './with-client.ts';

const usualJobs = 2;
const mostJobs = 64;

/** `robota fleet run`: works on the queue until it is empty, and shows how the tasks stand. */
export function fleetRunCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  return work(request, console, { untilEmpty: true });
}

/** `robota fleet start` and `robota worker`: work until they are ended. */
export function startCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  return request.has('detach')
    ? startDetached(request, console)
    : work(request, console, { untilEmpty: false });
}

/** `robota worker`: needs the database of a fleet; a machine alone has a supervisor. */
export function fleetWorkerCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  if (databaseOf(request, console) === undefined)
    throw new AgentError('usage', 'Missing database.', {
      hint: 'Add --database postgres://…, or use robota fleet start on one machine.',
    });
  return startCommand(request, console);
}

async function work(
  request: FleetRequest,
  console: FleetConsole,
  { untilEmpty }: { readonly untilEmpty: boolean },
): Promise<number> {
  const database = databaseOf(request, console);
  const jobs = jobsOf(request);
  const client = await openClient({ database, home: console.home });
  const run = new WorkRun(client, await endedTasks(client));
  const view = await openFleetView({
    console,
    client,
    database,
    jobs,
    format: !request.has('json') ? 'table' : untilEmpty ? 'lines' : 'json',
    onEnd: (end) => run.endBy(end),
  });
  const watched = run.watch(view);
  try {
    view.status('Starting: loading the engine');
    await workOn(
      {
        home: console.home,
        jobs,
        labels: request.values('label'),
        version: console.version,
        env: console.env,
        untilEmpty,
        drain: run.drain.signal,
        signal: run.stop.signal,
        log: (message: string) => view.say(message),
        status: (text: string) => view.status(text),
      },
      database,
    );
  } finally {
    await run.close(watched);
    await view.close();
  }
  const tasks = await run.tasks();
  await client.close();
  if (run.isDetached) return startDetached(request, console);
  if (!untilEmpty) return exitCodes.done;
  if (request.has('json'))
    for (const task of tasks) await console.print(`${JSON.stringify(taskFacts(task))}\n`);
  await console.note(tasks.length === 0 ? 'Nothing was queued.' : run.summary(tasks, console.program));
  return run.drain.signal.aborted || run.stop.signal.aborted ? exitCodes.interrupted : exitCodeOf(tasks);
}

/** Tasks that had ended before, with the time of their last change. */
async function endedTasks(client: FleetClient): Promise<ReadonlyMap<string, string>> {
  const ended = (await client.tasks()).filter(({ state }) => isEnded(state));
  return new Map(ended.map(({ id, updatedAt }) => [id, updatedAt]));
}

async function workOn(
  options: Parameters<typeof import('../worker/run-supervisor.ts').runSupervisor>[0],
  database: string | undefined,
): Promise<void> {
  if (database === undefined) {
    const { runSupervisor } = await import('../worker/run-supervisor.ts');
    return runSupervisor(options);
  }
  const { runWorker } = await import('../worker/run-worker.ts');
  return runWorker({ ...options, url: database });
}

/** A run of the queue: the tasks that it is about, and its end. */
class WorkRun {
  readonly drain = new AbortController();
  readonly stop = new AbortController();
  readonly #client: FleetClient;
  readonly #endedBefore: ReadonlyMap<string, string>;
  readonly #startedAt = Date.now();
  readonly #watching = new AbortController();
  isDetached = false;

  constructor(client: FleetClient, endedBefore: ReadonlyMap<string, string>) {
    this.#client = client;
    this.#endedBefore = endedBefore;
  }

  endBy(end: RunEndChoice): void {
    this.isDetached ||= end === 'detach';
    (end === 'finish' ? this.drain : this.stop).abort();
  }

  /** Tasks that had not ended, and those that were changed since. */
  async tasks(): Promise<readonly TaskRecord[]> {
    const tasks = await this.#client.tasks();
    return tasks.filter(({ id, updatedAt }) => this.#endedBefore.get(id) !== updatedAt);
  }

  /** Shows changes as they come, until closed and once more. */
  async watch(view: FleetView): Promise<void> {
    for (;;) {
      const isLast = this.#watching.signal.aborted;
      view.update(await this.tasks());
      if (isLast) return;
      await this.#client.change(this.#watching.signal);
    }
  }

  async close(watched: Promise<void>): Promise<void> {
    this.#watching.abort();
    await watched;
  }

  /** `18 done, 2 failed, 1 parked · $14.20 · 41m · robota fleet list --state failed`. */
  summary(tasks: readonly TaskRecord[], program: string): string {
    const cost = tasks.reduce((sum, task) => sum + task.cost, 0);
    const states = (['failed', 'parked', 'stopped'] as const).filter((state) =>
      tasks.some((task) => task.state === state),
    );
    const list = states.length === 0 ? [] : [`${program} fleet list --state ${states.join(',')}`];
    return [countsOf(tasks), describeMoney(cost), formatSpan(Date.now() - this.#startedAt), ...list].join(
      ' · ',
    );
  }
}

/** Tells how several tasks ended: a failure counts more than one that waits. */
function exitCodeOf(tasks: readonly TaskRecord[]): number {
  if (tasks.some(({ state }) => state === 'failed' || state === 'stopped')) return exitCodes.failed;
  return tasks.some(({ state }) => state !== 'done') ? exitCodes.waiting : exitCodes.done;
}

function jobsOf(request: FleetRequest): number {
  const given = request.value('jobs');
  const jobs = given === undefined ? usualJobs : Number(given);
  if (Number.isSafeInteger(jobs) && jobs >= 1 && jobs <= mostJobs) return jobs;
  throw new AgentError('usage', `--jobs needs a number from 1 to ${mostJobs}, not "${given}".`);
}

const startMs = 30_000;
const lookMs = 100;

/** Starts the same command in the background, and waits until it works. */
async function startDetached(request: FleetRequest, console: FleetConsole): Promise<number> {
  const { directory } = fleetFiles(console.home);
  makeDirectories(directory, privateFolderMode);
  const log = join(directory, 'supervisor.log');
  const database = databaseOf(request, console);
  const words = [
    ...(request.command === 'worker' ? ['worker'] : ['fleet', 'start']),
    `--jobs=${jobsOf(request)}`,
    ...request.values('label').map((label) => `--label=${label}`),
  ];
  const [program = '', ...own] = console.ownCommand;
  const file = openSync(log, 'a', privateMode);
  const child = spawn(program, [...own, ...words], {
    detached: true,
    stdio: ['ignore', file, file],
    cwd: directory,
    // In the environment, since other users can read the words of a command.
    env: { ...process.env, ...(database === undefined ? {} : { ROBOTA_FLEET: database }) },
  });
  closeSync(file);
  let code: number | null | undefined;
  child.once('exit', (status) => {
    code = status;
  });
  const client = await openClient({ database, home: console.home });
  try {
    for (let waited = 0; waited < startMs && code === undefined; waited += lookMs) {
      const workers = await client.workers();
      if (workers.some(({ pid }) => pid === child.pid)) {
        child.unref();
        await console.print(
          request.has('json') ? `${JSON.stringify({ pid: child.pid, log })}\n` : `${child.pid}\n`,
        );
        await console.note(`Working in the background. Its log: ${log}`);
        return exitCodes.done;
      }
      await delay(lookMs);
    }
  } finally {
    await client.close();
  }
  throw new AgentError('internal', 'The background process did not start.', { hint: `See ${log}.` });
}
