import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import {
  flag,
  guard,
  instance,
  integer,
  lazy,
  list,
  number,
  object,
  type Problem,
  type Shape,
  text,
} from '@robota-sdk/agent-core';
import type {
  FleetClient,
  FleetCommand,
  FleetCosts,
  Schedule,
  TaskQuery,
  WorkerRecord,
} from '../contract/client.ts';
import { queuedTask, type TaskDetails, type TaskRecord } from '../contract/task.ts';
import { findTask } from './find-task.ts';
import { type FleetFiles, fleetFiles, readFleetFile } from './fleet-files.ts';
import { damagedRequests, type InboxFile, readInbox, writeInbox } from './inbox.ts';
import { submitOnce } from './once.ts';
import { withPending, withPendingLimits } from './pending-commands.ts';
import { readProjection } from './task-projection.ts';

const pollMs = 500;
/** The same where the folders are watched. */
const watchedPollMs = 10_000;

/** Reaches the fleet of this machine by files; works without a supervisor. */
export class LocalClient implements FleetClient {
  readonly files: FleetFiles;
  /** The state of the files when they were last read. */
  #seen = '';
  /** The inbox as it was last read, so that problems are those of the tasks that were listed, without reading it again. */
  #inbox: readonly InboxFile[] | undefined;

  constructor(home: string) {
    this.files = fleetFiles(home);
  }

  async submit(commands: readonly FleetCommand[]): Promise<void> {
    if (commands.length > 0) await writeInbox(this.files, commands);
  }

  submitOnce(keys: readonly string[], commands: readonly FleetCommand[]): Promise<boolean> {
    return submitOnce(this.files, keys, commands);
  }

  async tasks({ states, limit }: TaskQuery = {}): Promise<readonly TaskRecord[]> {
    const { projected, added, waiting } = await this.#read();
    const records = projected.ids.flatMap((id) => projected.record(id) ?? []);
    const listed = [...records, ...added.map(recordOf)].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const all = waiting.length === 0 ? listed : listed.map((task) => withPending(task, waiting));
    const wanted = states === undefined ? all : all.filter(({ state }) => states.includes(state));
    return limit === undefined ? wanted : wanted.slice(0, limit);
  }

  async task(reference: string): Promise<TaskDetails | undefined> {
    const { projected, added, waiting } = await this.#read();
    const find = (id: string) => projected.details(id) ?? added.find((task) => task.id === id);
    const whole = find(reference) ?? find(findTask(reference, await this.tasks()) ?? '');
    return whole && withPending(whole, waiting);
  }

  async workers(): Promise<readonly WorkerRecord[]> {
    return (await readFleetFile(this.files.workers, list(workerShape))) ?? [];
  }

  /** Those of the supervisor, changed by what still waits in the inbox. */
  async schedules(): Promise<readonly Schedule[]> {
    const waiting = await this.#waiting();
    const known = (await readFleetFile(this.files.schedules, list(scheduleShape))) ?? [];
    const byId = new Map(known.map((schedule) => [schedule.id, schedule]));
    for (const command of waiting) {
      if (command.type === 'unschedule') byId.delete(command.id);
      if (command.type === 'schedule' && !byId.has(command.schedule.id))
        byId.set(command.schedule.id, command.schedule);
    }
    return [...byId.values()];
  }

  async costs(): Promise<FleetCosts> {
    const costs = (await readFleetFile(this.files.costs, costsShape)) ?? noCosts;
    return withPendingLimits(costs, await this.#waiting());
  }

  async problems(): Promise<readonly Problem[]> {
    return damagedRequests(this.files, this.#inbox ?? (await this.#requests()));
  }

  async change(signal: AbortSignal): Promise<void> {
    if ((await this.#stamp()) !== this.#seen || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearInterval(timer);
        for (const watcher of watchers) watcher.close();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const look = () => {
        void this.#stamp().then((stamp) => stamp !== this.#seen && done());
      };
      // Watching is faster, but it is not possible on every file system, nor before the folder exists.
      const folders = [this.files.directory, this.files.inbox];
      const watchers = folders.flatMap((folder) => watched(folder, look));
      const timer = setInterval(look, watchers.length === folders.length ? watchedPollMs : pollMs);
      // Changes before the folders were watched.
      look();
      signal.addEventListener('abort', done);
    });
  }

  async close(): Promise<void> {}

  /** The inbox first: the supervisor shows a task in its list before it deletes the request from the inbox. */
  async #read() {
    this.#seen = await this.#stamp();
    const waiting = await this.#waiting();
    const projected = await readProjection(this.files.tasks);
    const known = new Set(projected.ids);
    const added = waiting.flatMap((command) => {
      if (command.type !== 'add' || known.has(command.id)) return [];
      known.add(command.id);
      return [queuedTask(command.id, command.spec, command.at)];
    });
    const changes = waiting.filter(({ type }) => type !== 'add');
    return { projected, added, waiting: changes };
  }

  /** The requests that no supervisor has carried out yet. */
  async #waiting(): Promise<readonly FleetCommand[]> {
    return (await this.#requests()).flatMap(({ commands }) => commands);
  }

  async #requests(): Promise<readonly InboxFile[]> {
    this.#inbox = await readInbox(this.files);
    return this.#inbox;
  }

  async #stamp(): Promise<string> {
    const { tasks, inbox, workers } = this.files;
    const stamps = await Promise.all(
      [tasks, inbox, workers].map(async (path) => {
        const found = await stat(path).catch(() => undefined);
        return found ? `${found.ino}:${found.size}:${found.mtimeMs}` : '-';
      }),
    );
    return stamps.join(' ');
  }
}

const noCosts: FleetCosts = { total: 0, today: 0, reserved: 0, byDay: [], byModel: [] };

const workerShape: Shape<WorkerRecord> = lazy(() =>
  object({
    id: text,
    host: text,
    pid: integer,
    version: text,
    labels: list(text),
    jobs: integer,
    running: integer,
    isDraining: flag,
    beatAt: text,
  }),
);

/** A schedule of a supervisor of any version is shown; requests with one are checked in full. */
const scheduleShape = instance(
  'a schedule',
  guard<Schedule>(() => object({ id: text, cron: text, timeZone: text, spec: object({ name: text }) })),
);

const costsShape: Shape<FleetCosts> = lazy(() =>
  object(
    {
      total: number,
      today: number,
      reserved: number,
      byDay: list(object({ day: text, cost: number, tasks: integer })),
      byModel: list(object({ model: text, cost: number })),
    },
    { totalLimit: number, dailyLimit: number },
  ),
);

function recordOf({ spec: _, receipt: __, directory: ___, ...record }: TaskDetails): TaskRecord {
  return record;
}

function watched(folder: string, onChange: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, onChange);
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}
