import { dirname } from 'node:path';
import { makeDirectories } from '@robota-sdk/agent-core';
import { tryLock } from './file-lock.ts';
import type { WorktreeMemory } from './snapshots.ts';

interface Held {
  readonly release: () => void;
  users: number;
  /** Calls on the files run one after the other. */
  last: Promise<unknown>;
  readonly memory: WorktreeMemory;
}

const held = new Map<string, Held>();

/** The right of this process to use the files of an attempt; all users in this process share it. */
export interface WorktreeHold {
  readonly memory: WorktreeMemory;
  /** Runs `work` after all earlier calls on the same files. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  release(): void;
}

/** Takes the files of an attempt for this process; undefined while another process has them. */
export function holdWorktree(file: string): WorktreeHold | undefined {
  const shared = held.get(file) ?? newHold(file);
  if (shared === undefined) return undefined;
  shared.users += 1;
  let isOpen = true;
  return {
    memory: shared.memory,
    inTurn: (work) => {
      const result = shared.last.then(work);
      shared.last = result.catch(() => {});
      return result;
    },
    release: () => {
      if (!isOpen) return;
      isOpen = false;
      shared.users -= 1;
      if (shared.users > 0) return;
      held.delete(file);
      shared.release();
    },
  };
}

/** The same, but only while nothing else in this process uses the files either. */
export function holdAlone(file: string): WorktreeHold | undefined {
  return held.has(file) ? undefined : holdWorktree(file);
}

function newHold(file: string): Held | undefined {
  makeDirectories(dirname(file));
  const release = tryLock(file);
  if (release === undefined) return undefined;
  const hold: Held = { release, users: 0, last: Promise.resolve(), memory: {} };
  held.set(file, hold);
  return hold;
}
