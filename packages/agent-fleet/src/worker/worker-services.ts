import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isJsonObject } from '@robota-sdk/agent-core';
import { newSessionId } from '@robota-sdk/agent-sessions';
import { attemptRunner } from '../attempt/run-attempt.ts';
import type { SessionStorage } from '../contract/attempt.ts';
import type { TaskSteps } from '../contract/steps.ts';
import type { WorkerIdentity } from '../engine/leases.ts';
import { removeDrafts } from '../workspace/gc/collect-garbage.ts';
import { createWorkspaces } from '../workspace/open-workspace.ts';
import type { SnapshotStore } from '../workspace/tree/snapshot-store.ts';
import { freeSpaceIn, parkIfFull } from './park-if-full.ts';
import { taskSteps } from './task-steps.ts';

/** Options of every kind of worker. */
export interface WorkerOptions {
  /** `$ROBOTA_HOME`. */
  readonly home: string;
  /** Tasks at once. */
  readonly jobs: number;
  readonly labels?: readonly string[];
  /** The version of the program. */
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Interrupts the tasks, which are resumed later, and ends the worker. */
  readonly signal: AbortSignal;
  /** Finishes the tasks, takes no more, and ends the worker. */
  readonly drain?: AbortSignal;
  log?(message: string): void;
  /** Is told what the start waits for; an empty text when it has started. */
  status?(text: string): void;
}

export function workerIdentity({ jobs, labels = [], version }: WorkerOptions): WorkerIdentity {
  const host = hostname();
  return {
    id: `${host}-${process.pid}-${randomBytes(3).toString('hex')}`,
    host,
    pid: process.pid,
    version,
    labels,
    jobs,
  };
}

/** The steps of tasks on this machine. What a killed process of it left half made is removed meanwhile. */
export function localSteps(
  options: Pick<WorkerOptions, 'home' | 'env'>,
  sessions: SessionStorage,
  snapshots?: SnapshotStore,
): TaskSteps {
  const { home, env } = options;
  const directory = join(home, 'fleet');
  // Nothing waits for it, and the next start tries again.
  void removeDrafts({ directory }).catch(() => {});
  const steps = taskSteps({
    workspaces: createWorkspaces({
      home: { directory },
      env,
      ...(snapshots === undefined ? {} : { snapshots }),
    }),
    attempts: attemptRunner({ home, env }),
    sessions,
    newSessionId,
  });
  return parkIfFull(steps, { free: () => freeSpaceIn(directory) });
}

/** Leaves out warnings for authors of libraries: DBOS uses `pg` in a way that the next version of it forbids. */
export function filterWarnings(): void {
  const { emitWarning } = process;
  type Emit = (warning: string | Error, type?: unknown, ...rest: unknown[]) => void;
  const filtered: Emit = (warning, type, ...rest) => {
    const kind = warning instanceof Error ? warning.name : isJsonObject(type) ? type.type : type;
    if (kind !== 'DeprecationWarning') {
      (emitWarning as Emit).call(process, warning, type, ...rest);
    }
  };
  process.emitWarning = filtered as typeof process.emitWarning;
}
