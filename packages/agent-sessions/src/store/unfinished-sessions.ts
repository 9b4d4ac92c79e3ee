import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessAlive } from '@robota-sdk/agent-core';

/** A directory written this recently is skipped: its process may be in another container. */
const settledMs = 10_000;

/** The name of a session's directory until it is complete; no id starts with a dot. */
export function unfinishedName(id: string): string {
  return `.new-${process.pid}-${id}`;
}

/** Removes incomplete sessions of processes that have ended. */
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
