import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { acquireLock } from '@robota-sdk/agent-core';
import { isBlankFile } from '../store/session-summary.ts';
import { unfinishedName } from '../store/unfinished-sessions.ts';
import { SessionCatalogue } from './session-catalogue.ts';

/** How long a client may take to return to a session without messages. */
const keptMs = 30 * 24 * 60 * 60 * 1000;
/** Sessions that only consist of a header and some choices are smaller. */
const largestBytes = 16 * 1024;
/** Files that a session has even without messages. A directory with any other file is never removed. */
const ownFiles: ReadonlySet<string> = new Set([
  'session.jsonl',
  'session.jsonl.lock',
  'log.jsonl',
  'history.xnl',
]);

/** Removes sessions below a home directory without messages that were not written for 30 days. */
export async function removeUnusedSessions(home: string): Promise<void> {
  for (const { path } of await new SessionCatalogue({ home }).paths()) {
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile() || found.size > largestBytes || Date.now() - found.mtimeMs < keptMs) continue;
    // One that cannot be removed stays; it does no harm.
    await removeUnused(path).catch(() => {});
  }
}

async function removeUnused(file: string): Promise<void> {
  const directory = dirname(file);
  const names = await readdir(directory);
  if (!names.every((name) => ownFiles.has(name)) || !isBlankFile(file)) return;
  const release = acquireLock(file);
  try {
    // Another process may have written to it before the lock was taken.
    if (!isBlankFile(file)) return;
    const aside = join(dirname(directory), unfinishedName(basename(directory)));
    await rename(directory, aside);
    await rm(aside, { recursive: true, force: true });
  } finally {
    release();
  }
}
