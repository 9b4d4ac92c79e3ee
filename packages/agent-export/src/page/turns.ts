import type { ViewEntry } from '../view/session-view.ts';

/** One model call, or several if there are too many to draw. */
export interface Turn {
  readonly label: string;
  readonly entryId: string;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly cost: number;
  /** Cost of all turns up to this one. */
  readonly total: number;
}

/** The model calls of a branch, joined to at most so many. */
export function turnsOf(path: readonly ViewEntry[], most: number): readonly Turn[] {
  const turns: Turn[] = [];
  let total = 0;
  for (const entry of path) {
    if (entry.kind !== 'answer' && entry.kind !== 'summary') continue;
    const { usage, cost = 0 } = entry;
    if (!usage) continue;
    total += cost;
    const { input, cacheRead, cacheWrite, output } = usage;
    turns.push({
      label: String(turns.length + 1),
      entryId: entry.id,
      input,
      cacheRead,
      cacheWrite,
      output,
      cost,
      total,
    });
  }
  return joined(turns, Math.ceil(turns.length / most));
}

function joined(turns: readonly Turn[], size: number): readonly Turn[] {
  if (size <= 1) return turns;
  const groups: Turn[] = [];
  for (let at = 0; at < turns.length; at += size) {
    const group = turns.slice(at, at + size);
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last) continue;
    const sum = (key: 'input' | 'cacheRead' | 'cacheWrite' | 'output' | 'cost') =>
      group.reduce((all, turn) => all + turn[key], 0);
    groups.push({
      label: `${first.label}–${last.label}`,
      entryId: first.entryId,
      input: sum('input'),
      cacheRead: sum('cacheRead'),
      cacheWrite: sum('cacheWrite'),
      output: sum('output'),
      cost: sum('cost'),
      total: last.total,
    });
  }
  return groups;
}
