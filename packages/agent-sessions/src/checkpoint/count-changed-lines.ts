import type { LineCounts } from './checkpoints.ts';
import { lookAt } from './file-state.ts';
import type { ObjectStore } from './object-store.ts';
import type { PlannedFile } from './plan-rewind.ts';

const nothing = Buffer.alloc(0);

/** How many lines a planned file would gain and lose, ignoring their order; undefined for binary and large files. */
export function countChangedLines({ path, target }: PlannedFile, store: ObjectStore): LineCounts | undefined {
  const { state, bytes } = lookAt(path);
  const now = state.kind === 'absent' ? nothing : bytes;
  const then =
    target.kind === 'file' ? store.read(target.hash) : target.kind === 'absent' ? nothing : undefined;
  if (now === undefined || then === undefined || now.includes(0) || then.includes(0)) return undefined;
  const left = new Map<string, number>();
  for (const line of linesOf(now)) left.set(line, (left.get(line) ?? 0) + 1);
  let added = 0;
  for (const line of linesOf(then)) {
    const count = left.get(line) ?? 0;
    if (count === 0) added += 1;
    else left.set(line, count - 1);
  }
  return { added, removed: [...left.values()].reduce((sum, count) => sum + count, 0) };
}

function linesOf(bytes: Buffer): string[] {
  return bytes.length === 0 ? [] : bytes.toString('utf8').replace(/\n$/, '').split('\n');
}
