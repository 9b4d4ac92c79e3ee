import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AgentError, makeDirectories } from '@robota-sdk/agent-core';
import { fleetFiles, privateFolderMode, privateMode } from '../client/fleet-files.ts';
import { openClient } from '../client/open-client.ts';
import type { FleetClient } from '../contract/client.ts';
import { isEnded, type TaskRecord } from '../contract/task.ts';
import { exitCodes, type FleetConsole, type FleetRequest } from './fleet-console.ts';
import { taskFacts } from './list-command.ts';
import { openProgress, type ProgressView, summary } from './progress-view.ts';
import { databaseOf } from './with-client.ts';

const usualJobs = 2;
const mostJobs = 64;

/** `robota fleet run`: works on the queue until it is empty, and shows how the tasks stand. */
export function runCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  return work(request, console, { untilEmpty: true });
}

/** `robota fleet start` and `robota worker`: work until they are ended. */
export function startCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  return request.has('detach')
    ? startDetached(request, console)
    : work(request, console, { untilEmpty: false });
}

/** `robota worker`: needs the database of a fleet; a machine alone has a supervisor. */
export function workerCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  if (databaseOf(request, console) === undefined)
    throw new AgentError('usage', 'Missing database of the fleet.', {
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
  const [drain, stop, watching] = [new AbortController(), new AbortController(), new AbortController()];
  const client = await openClient({ database, home: console.home });
  const before = new Map((await client.tasks()).map(({ id, state }) => [id, state]));
  const isOurs = ({ id }: TaskRecord) => !isEnded(before.get(id) ?? 'queued');
  const view = openProgress({
    // A table would stand between the lines of JSON.
    console: request.has('json') ? { ...console, isInteractive: false } : console,
    onInterrupt: (count) => (count === 1 ? drain : stop).abort(),
    hints: ['Ctrl+C ends after the running tasks', 'Ending after the running tasks; Ctrl+C stops them now'],
  });
  const watched = watch({ client, view, signal: watching.signal, isOurs });
  try {
    const options = {
      home: console.home,
      jobs,
      labels: request.values('label'),
      version: console.version,
      env: console.env,
      untilEmpty,
      drain: drain.signal,
      signal: stop.signal,
      log: (message: string) => view.say(message),
    };
    await workOn(options, database);
  } finally {
    watching.abort();
    await watched;
    await view.close();
  }
  const tasks = (await client.tasks()).filter(isOurs);
  await client.close();
  if (!untilEmpty) return exitCodes.done;
  if (request.has('json'))
    for (const task of tasks) await console.print(`${JSON.stringify(taskFacts(task))}\n`);
  await console.note(tasks.length === 0 ? 'Nothing was queued.' : summary(tasks));
  return drain.signal.aborted ? exitCodes.interrupted : exitCodeOf(tasks);
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

/** Shows changes as they come, until aborted and once more. */
async function watch(options: {
  readonly client: FleetClient;
  readonly view: ProgressView;
  readonly signal: AbortSignal;
  isOurs(task: TaskRecord): boolean;
}): Promise<void> {
  const { client, view, signal, isOurs } = options;
  for (;;) {
    const isLast = signal.aborted;
    view.update((await client.tasks()).filter(isOurs));
    if (isLast) return;
    await client.change(signal);
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
        await console.print(`${child.pid}\n`);
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
