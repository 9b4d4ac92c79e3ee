import type { ChangeLog } from './change-log.ts';
import type { FileState } from './file-state.ts';
import type { ObjectStore } from './object-store.ts';

/** A file before its first change in a session. */
export interface OriginalFile {
  readonly path: string;
  /** Absent if there was no file, or if `problem` says why its content is unknown. */
  readonly before?: Buffer;
  readonly mode?: number;
  readonly problem?: string;
}

interface KeptChanges {
  readonly log: ChangeLog;
  readonly store: ObjectStore;
}

/** The changed files of a session, read without writing, because another process may have it open. */
export async function readOriginals(directory: string) {
  const [changes, objects] = await Promise.all([import('./change-log.ts'), import('./object-store.ts')]);
  const kept = { log: new changes.ChangeLog(directory), store: new objects.ObjectStore(directory) };
  return { originals: async () => originalFiles(kept), unknownChanges: async () => unknownChanges(kept) };
}

export function originalFiles({ log, store }: KeptChanges): OriginalFile[] {
  const first = new Map<string, FileState>();
  for (const { files } of log.changes)
    for (const { path, before } of files) if (!first.has(path)) first.set(path, before);
  return [...first].map(([path, state]) => originalOf(path, state, store));
}

export function unknownChanges({ log }: Pick<KeptChanges, 'log'>): string[] {
  return [...new Set(log.changes.flatMap((change) => ('unknown' in change ? (change.unknown ?? []) : [])))];
}

function originalOf(path: string, state: FileState, store: ObjectStore): OriginalFile {
  if (state.kind === 'absent') return { path };
  if (state.kind !== 'file') return { path, problem: 'its previous content was not saved' };
  const before = store.read(state.hash);
  if (before === undefined) return { path, problem: 'its previous content is no longer saved' };
  return { path, before, mode: state.mode };
}
