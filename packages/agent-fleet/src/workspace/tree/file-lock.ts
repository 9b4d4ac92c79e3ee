import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentError, acquireLock, makeDirectories } from '@robota-sdk/agent-core';

const firstWaitMs = 10;
const longestWaitMs = 200;

/** Runs `work` while no other process, and no other caller in this one, holds the lock of a file. */
export async function withLock<T>(file: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const release = await waitForLock(file, signal);
  try {
    return await work();
  } finally {
    release();
  }
}

async function waitForLock(file: string, signal: AbortSignal): Promise<() => void> {
  makeDirectories(dirname(file));
  for (let wait = firstWaitMs; ; wait = Math.min(longestWaitMs, wait * 2)) {
    signal.throwIfAborted();
    const release = tryLock(file);
    if (release !== undefined) return release;
    await sleep(wait, undefined, { signal });
  }
}

/** Takes a lock if it is free; a lock of a process that is gone is free. */
export function tryLock(file: string): (() => void) | undefined {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return acquireLock(file);
    } catch (thrown) {
      if (!AgentError.is(thrown)) throw thrown;
      if (thrown.code === 'session-in-use') return undefined;
      // It changed hands while it was looked at; that is no reason to give up.
      if (thrown.code !== 'session' || attempt === mostAttempts) throw thrown;
    }
  }
}

const mostAttempts = 50;
