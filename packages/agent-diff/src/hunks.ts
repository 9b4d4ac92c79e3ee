import type { DiffLine, FileDiff } from './diff-line.ts';

/** How many lines a change adds and removes. */
export interface ChangeCount {
  readonly added: number;
  readonly removed: number;
}

/** The lines between the gaps. */
export function hunksOf(lines: readonly DiffLine[]): readonly (readonly DiffLine[])[] {
  const hunks: DiffLine[][] = [[]];
  for (const line of lines) {
    if (line.kind === 'gap') hunks.push([]);
    else hunks.at(-1)?.push(line);
  }
  return hunks.filter((hunk) => hunk.length > 0);
}

/** How many lines a diff adds and removes, those included that were left out. */
export function countChanges({
  lines,
  added,
  removed,
}: Pick<FileDiff, 'lines' | 'added' | 'removed'>): ChangeCount {
  if (added !== undefined && removed !== undefined) return { added, removed };
  return {
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
  };
}

/** A diff with at most so many lines and characters; what is left out is counted. */
export function cutDiff(
  diff: FileDiff,
  most: { readonly lines: number; readonly characters: number },
): FileDiff {
  const { lines } = diff;
  let room = most.characters;
  let count = 0;
  while (count < lines.length && count < most.lines) {
    room -= lines[count]?.text.length ?? 0;
    if (room < 0 && count > 0) break;
    count++;
  }
  if (count >= lines.length - 1) return diff;
  const kept = lines.slice(0, lines[count - 1]?.kind === 'gap' ? count - 1 : count);
  return { ...diff, ...countChanges(diff), lines: kept, more: lines.length - kept.length + (diff.more ?? 0) };
}
