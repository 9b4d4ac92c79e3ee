import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireLock, lockHolder, orElse } from '@robota-sdk/agent-core';

const prefix = 'robota-update-';
const unmarkedAfterMs = 24 * 60 * 60 * 1000;

/** An empty home in which a new version is tried. */
export interface CheckHome {
  readonly path: string;
  remove(): Promise<void>;
}

/** Creates a home that the next update can remove if this process is killed. */
export async function createCheckHome(parent = tmpdir()): Promise<CheckHome> {
  const path = await mkdtemp(join(parent, prefix));
  acquireLock(lockedFile(path));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Removes this user's homes of killed updates. A folder without an owner may be a moment old, so it stays for a day. */
export function removeStaleCheckHomes(parent = tmpdir()): void {
  for (const name of orElse(() => readdirSync(parent), [])) {
    const path = join(parent, name);
    // A folder that cannot be removed does not stop an update.
    if (name.startsWith(prefix)) orElse(() => isStale(path) && rmSync(path, { recursive: true }), undefined);
  }
}

function isStale(path: string): boolean {
  const folder = lstatSync(path);
  if (!folder.isDirectory() || folder.uid !== (process.getuid?.() ?? folder.uid)) return false;
  const hasOwner = lstatSync(`${lockedFile(path)}.lock`, { throwIfNoEntry: false })?.isFile();
  if (hasOwner) return lockHolder(lockedFile(path)) === undefined;
  return Date.now() - folder.mtimeMs > unmarkedAfterMs;
}

function lockedFile(path: string): string {
  return join(path, '.owner');
}
