import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessAlive } from '@robota-sdk/agent-core';

/** A directory that was written to as lately is left alone: its process may be one of another container. */
const settledMs = 10_000;

/** The name of a session's directory until it is whole; no id begins with a dot. */
export function unfinishedName(id: string): string {
  return `.new-${process.pid}-${id}`;
}

/** Removes what processes that are gone have left half done. */
export async function removeUnfinished(project: string): Promise<void> {
  const names = await readdir(project).catch(() => []);
  for (const name of names) {
    const pid = Number(/^\.new-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || isProcessAlive(pid)) continue;
    const directory = join(project, name);
    const found = await stat(join(directory, 'session.jsonl')).catch(() =>
      stat(directory).catch(() => undefined),
    );
    if (found && Date.now() - found.mtimeMs > settledMs)
      await rm(directory, { recursive: true, force: true }).catch(() => {});
  }
}
