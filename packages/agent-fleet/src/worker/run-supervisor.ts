import { join } from 'node:path';
import { AgentError, acquireLock, errorMessage, lockHolder, makeDirectories } from '@robota-sdk/agent-core';
import { type FleetFiles, fleetFiles, privateFolderMode } from '../client/fleet-files.ts';
import type { FleetDatabase } from '../contract/database.ts';
import type { TaskSteps } from '../contract/steps.ts';
import { openEmbedded } from '../database/open-embedded.ts';
import { type EngineTimes, FleetEngine } from '../engine/fleet-engine.ts';
import { InboxReader } from './inbox-reader.ts';
import { ProjectionWriter } from './projection-writer.ts';
import { WorkerEnd } from './worker-end.ts';
import { filterWarnings, localSteps, type WorkerOptions, workerIdentity } from './worker-services.ts';

export interface SupervisorOptions extends WorkerOptions {
  /** Ends when no task is left that this machine could work on; otherwise it stays. */
  readonly untilEmpty: boolean;
  /** Is called after the files that commands read were written. */
  onChange?(): void;
  readonly steps?: TaskSteps;
  readonly times?: Partial<EngineTimes>;
}

/** The worker of one machine: it holds the embedded database, carries out the inbox, and writes what commands read. */
export async function runSupervisor(options: SupervisorOptions): Promise<void> {
  filterWarnings();
  const files = fleetFiles(options.home);
  makeDirectories(files.inbox, privateFolderMode);
  const unlock = lockSupervisor(files);
  try {
    options.status?.('Starting: opening the database');
    const database = await openEmbedded(join(files.directory, 'database'));
    try {
      await supervise(options, files, database);
    } finally {
      await database.close();
    }
  } finally {
    unlock();
  }
}

/** The process that supervises the fleet of a home, in words; undefined if there is none. */
export function supervisorOf(home: string): string | undefined {
  return lockHolder(lockFile(fleetFiles(home)));
}

function lockSupervisor(files: FleetFiles): () => void {
  try {
    return acquireLock(lockFile(files));
  } catch (error) {
    const holder = lockHolder(lockFile(files));
    if (holder === undefined) throw error;
    throw new AgentError('usage', `The fleet of this machine is already run by ${holder}.`, {
      hint: 'Tasks that you add are taken by it. End it with: robota fleet drain',
    });
  }
}

function lockFile(files: FleetFiles): string {
  return join(files.directory, 'supervisor');
}

async function supervise(
  options: SupervisorOptions,
  files: FleetFiles,
  database: FleetDatabase,
): Promise<void> {
  const { times, log, untilEmpty } = options;
  const writer = new ProjectionWriter({ files, database, written: () => options.onChange?.(), log });
  const inbox = new InboxReader({
    files,
    database,
    applied: async () => {
      await writer.flush();
      engine.wake();
    },
    log,
  });
  const worker = workerIdentity(options);
  const end = new WorkerEnd({ ...options, database, untilEmpty });
  const engine: FleetEngine = new FleetEngine({
    database,
    isAlone: true,
    worker,
    steps: options.steps ?? localSteps(options, { kind: 'files' }),
    ...(times === undefined ? {} : { times }),
    ...(log === undefined ? {} : { log }),
    changed: () => writer.changed(),
    beaten: () => {
      inbox.look();
      writer.beat();
      end.check(engine);
    },
    idle: () => end.check(engine),
  });
  try {
    options.status?.('Starting: reading the queue');
    await inbox.open(() => writer.rewrite());
    await engine.start();
    await writer.flush();
    options.status?.('');
    inbox.look();
    await end.wait(engine);
  } catch (error) {
    log?.(errorMessage(error));
    throw error;
  } finally {
    await inbox.close();
    await engine.close();
    await writer.close();
  }
}
