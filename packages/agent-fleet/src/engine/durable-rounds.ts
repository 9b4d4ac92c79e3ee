import { setTimeout as sleep } from 'node:timers/promises';
import type { DLogger } from '@dbos-inc/dbos-sdk';
import type { FleetDatabase } from '../contract/database.ts';
import { advisoryLocks } from '../database/migrate.ts';
import { type DurableSteps, type RoundStart, type RoundStep, runRound } from './round.ts';

/** Version of the order of steps. Rounds of other versions are not resumed, so an upgrade of the program keeps it. */
const workflowVersion = 'fleet-1';

const applicationName = 'robota-fleet';

export interface DurableRoundsOptions {
  readonly database: FleetDatabase;
  /** The worker's id. */
  readonly worker: string;
  /** The bodies of the steps of a round that this worker holds; undefined if it does not hold it. */
  steps(taskId: string, round: number): DurableSteps | undefined;
  log(message: string): void;
}

/** Rounds of tasks whose steps are recorded by DBOS. There is one per process, as DBOS has it. */
export interface DurableRounds {
  /** Starts a round, or resumes it at the step that did not end. */
  run(taskId: string, round: number): Promise<'running' | 'ended'>;
  /** Removes the records of an earlier round. */
  forget(taskId: string, round: number): Promise<void>;
  close(): Promise<void>;
}

type Workflow = (taskId: string, round: number) => Promise<void>;

let steps: DurableRoundsOptions['steps'] = () => undefined;
let workflow: Workflow | undefined;

/** Loads DBOS, makes its tables, and waits for rounds. */
export async function openDurableRounds(options: DurableRoundsOptions): Promise<DurableRounds> {
  const { DBOS } = await import('@dbos-inc/dbos-sdk');
  steps = options.steps;
  workflow ??= DBOS.registerWorkflow(roundWorkflow(DBOS), { name: 'round' });
  const run = workflow;
  let isClosing = false;
  const queue = `${queuePrefix}${options.worker}`;
  DBOS.setConfig({
    name: applicationName,
    systemDatabasePool: options.database.pool as NonNullable<
      Parameters<typeof DBOS.setConfig>[0]['systemDatabasePool']
    >,
    useListenNotify: false,
    applicationVersion: workflowVersion,
    executorID: options.worker,
    listenQueues: [queue],
    logger: toLogger((message) => isClosing || options.log(message)),
  });
  try {
    await oneAtATime(options.database, () => DBOS.launch());
    await DBOS.registerQueue(queue, { minPollingIntervalMs: 250 });
    await removeQueuesOfTheDead(options.database, DBOS);
  } catch (error) {
    await DBOS.shutdown().catch(() => undefined);
    throw error;
  }
  return {
    async run(taskId, round) {
      const workflowID = `${taskId}:${round}`;
      const status = await DBOS.getWorkflowStatus(workflowID);
      if (status === null) {
        const handle = await DBOS.startWorkflow(run, { workflowID })(taskId, round);
        handle
          .getResult()
          .catch((error: unknown) => options.log(`Round ${workflowID} ended: ${String(error)}`));
        return 'running';
      }
      if (status.status === 'SUCCESS' || status.status === 'ERROR') return 'ended';
      await DBOS.resumeWorkflow(workflowID, { queueName: queue });
      return 'running';
    },
    forget: (taskId, round) => DBOS.deleteWorkflow(`${taskId}:${round}`),
    async close() {
      // It warns of rounds that are interrupted on purpose.
      isClosing = true;
      await DBOS.deleteQueue(queue).catch(() => undefined);
      // The end of a task is stored before that of its round, which takes a moment more.
      await DBOS.shutdown({ workflowCompletionTimeoutMS: 2000 });
    },
  };
}

const queuePrefix = 'worker:';

/**
 * Workers that start together on a new server would make the tables of DBOS at the same time, and fail. Neither the holder of
 * the lock nor those who wait have a transaction open: indexes that are made concurrently would wait for it.
 */
async function oneAtATime(database: FleetDatabase, launch: () => Promise<void>): Promise<void> {
  if (database.kind === 'pglite') return launch();
  const client = await (database.pool as { connect(): Promise<LockingClient> }).connect();
  try {
    while (!(await tryLock(client))) await sleep(100);
    await launch();
  } finally {
    // Ends the connection, and with it the lock.
    client.release(true);
  }
}

interface LockingClient {
  query(
    text: string,
    values: readonly unknown[],
  ): Promise<{ readonly rows: readonly { readonly locked: boolean }[] }>;
  release(isEnded: boolean): void;
}

async function tryLock(client: LockingClient): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as locked', [advisoryLocks.launch]);
  return rows[0]?.locked === true;
}

interface Queues {
  listQueues(): Promise<readonly { readonly name: string }[]>;
  deleteQueue(name: string): Promise<void>;
}

/** Each worker has a queue of its own, which a killed one leaves behind. */
async function removeQueuesOfTheDead(database: FleetDatabase, queues: Queues): Promise<void> {
  const { rows } = await database.query<{ id: string }>('select id from fleet.worker');
  const alive = new Set(rows.map(({ id }) => `${queuePrefix}${id}`));
  for (const { name } of await queues.listQueues()) {
    if (name.startsWith(queuePrefix) && !alive.has(name)) await queues.deleteQueue(name);
  }
}

interface StepRecorder {
  runStep<T>(body: () => Promise<T>, config: { readonly name: string }): Promise<T>;
}

function roundWorkflow(recorder: StepRecorder): Workflow {
  return async (taskId, round) => {
    const bodies = steps(taskId, round);
    // Another worker holds it: this execution must not record anything.
    if (bodies === undefined) return never();
    await runRound({
      start: () => recorder.runStep<RoundStart>(() => bodies.start(), { name: 'prepare' }),
      run: (step: RoundStep, attempt) => recorder.runStep(() => bodies.run(step, attempt), { name: step }),
      end: (result, attempt) => recorder.runStep(() => bodies.end(result, attempt), { name: 'receipt' }),
    });
  };
}

/** A step or round that lost its lease neither ends nor fails: any end would be recorded. */
export function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

function toLogger(log: (message: string) => unknown): DLogger {
  const ignore = (): void => undefined;
  const report = (message: unknown): void =>
    void log(message instanceof Error ? (message.stack ?? message.message) : String(message));
  return { info: ignore, debug: ignore, warn: report, error: report };
}
