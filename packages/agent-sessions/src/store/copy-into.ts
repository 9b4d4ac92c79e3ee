import type { Entry } from '../entry/entry.ts';
import type { SessionHandle } from './session-handle.ts';

/** Maximum entries or bytes per write, because each write is in memory several times. */
const batchEntries = 500;
const batchBytes = 1024 * 1024;

/**
 * Copies all branches, labels and the name of another session into an empty one; its leaf is an entry, or
 * null for the beginning.
 */
export async function copyInto(copy: SessionHandle, source: SessionHandle, to: string | null): Promise<void> {
  await copy.adopt([], { foreignLines: source.foreignLines });
  let batch: Entry[] = [];
  let bytes = 0;
  for (const entry of source.entries()) {
    // After a lost line, the parent differs from the line's.
    batch.push({ ...entry, parentId: source.parentIdOf(entry.id) });
    bytes += source.bytesOf(entry.id);
    if (batch.length < batchEntries && bytes < batchBytes) continue;
    await copy.adopt(batch);
    batch = [];
    bytes = 0;
  }
  await copy.adopt(batch);
  for (const [id, label] of source.labels) if (copy.entry(id)) await copy.setLabel(id, label);
  if (copy.leafId !== to) await copy.setLeaf(to);
  if (source.name !== undefined) await copy.setName(copyName(source.name));
}

/** As `fence (copy)`, then `fence (copy 2)`. */
function copyName(name: string): string {
  const [, base = name, number] = /^(.*) \(copy(?: (\d+))?\)$/.exec(name) ?? [];
  return base === name ? `${name} (copy)` : `${base} (copy ${Number(number ?? 1) + 1})`;
}
