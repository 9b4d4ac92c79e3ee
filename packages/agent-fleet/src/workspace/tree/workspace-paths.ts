import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { AgentError } from '@robota-sdk/agent-core';
import type { FleetHome } from '../../contract/attempt-workspace.ts';

/** The names of files of a fleet on this machine. */
export interface WorkspacePaths {
  readonly mirrors: string;
  /** Working trees of attempts. */
  readonly work: string;
  /** Our own files about them: an agent does not see these. */
  readonly attempts: string;
  readonly setUps: string;
  readonly patches: string;
}

export function workspacePaths({ directory }: FleetHome): WorkspacePaths {
  return {
    mirrors: join(directory, 'mirrors'),
    work: join(directory, 'work'),
    attempts: join(directory, 'attempts'),
    setUps: join(directory, 'setups'),
    patches: join(directory, 'patches'),
  };
}

const taskIds = /^[A-Za-z0-9][\w-]{0,99}$/;

/** The id of a worktree; the last dash separates the attempt, so two tasks never share one. */
export function worktreeId(taskId: string, attempt: number): string {
  if (!taskIds.test(taskId)) throw new AgentError('usage', `Not an id of a task: ${JSON.stringify(taskId)}.`);
  if (!Number.isSafeInteger(attempt) || attempt < 1)
    throw new AgentError('usage', `Not a number of an attempt: ${attempt}.`);
  return `${taskId}-${attempt}`;
}

/** Snapshots of all attempts of a task. */
export function snapshotRefs(taskId: string): string {
  return `refs/robota/tasks/${taskId}`;
}

export function hashOfTexts(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 32);
}
