import { errorMessage } from '@robota-sdk/agent-core';
import type { TaskSteps } from '../contract/steps.ts';
import { openPostgres } from '../database/open-postgres.ts';
import { type EngineTimes, FleetEngine } from '../engine/fleet-engine.ts';
import { databaseSnapshots } from '../workspace/stores/database-snapshots.ts';
import { firstStore } from '../workspace/stores/first-store.ts';
import { originSnapshots } from '../workspace/stores/origin-snapshots.ts';
import { WorkerEnd } from './worker-end.ts';
import { filterWarnings, localSteps, type WorkerOptions, workerIdentity } from './worker-services.ts';

export interface PostgresWorkerOptions extends WorkerOptions {
  /** The address of the database. */
  readonly url: string;
  /** Ends when no task is left that it could work on; otherwise it stays. */
  readonly untilEmpty?: boolean;
  readonly steps?: TaskSteps;
  readonly times?: Partial<EngineTimes>;
}

/** Works on the tasks of a Postgres server until it is interrupted, or drained. */
export async function runWorker(options: PostgresWorkerOptions): Promise<void> {
  filterWarnings();
  const { url, times, log, untilEmpty = false } = options;
  const database = await openPostgres(url);
  const worker = workerIdentity(options);
  const end = new WorkerEnd({ ...options, database, untilEmpty });
  const engine: FleetEngine = new FleetEngine({
    database,
    worker,
    steps:
      options.steps ??
      localSteps(
        options,
        { kind: 'postgres', url },
        firstStore([databaseSnapshots(database), originSnapshots]),
      ),
    ...(times === undefined ? {} : { times }),
    ...(log === undefined ? {} : { log }),
    beaten: () => end.check(engine),
    idle: () => end.check(engine),
  });
  const listener = await listen(url, () => engine.wake(), log);
  try {
    await engine.start();
    options.status?.('');
    await end.wait(engine);
  } finally {
    await engine.close();
    await listener();
    await database.close();
  }
}

/** Calls `heard` when a command was given. Without the connection, the beat finds it a little later. */
async function listen(
  url: string,
  heard: () => void,
  log: ((message: string) => void) | undefined,
): Promise<() => Promise<void>> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  client.on('error', (error) => log?.(`Notifications ended: ${errorMessage(error)}`));
  client.on('notification', heard);
  await client.connect();
  await client.query('listen fleet');
  return () => client.end().catch(() => undefined);
}
