import type { DiffLine } from '@robota-sdk/agent-core';
import { changedLines } from '../files/changed-lines.ts';

const maxMilliseconds = 300;

/** The difference of two lists of lines without the unchanged ones; regions are parted by a gap. */
export async function lineDiff(
  before: readonly string[],
  after: readonly string[],
): Promise<readonly DiffLine[]> {
  const { diffArrays } = await import('diff');
  const parts = diffArrays([...before], [...after], { timeout: maxMilliseconds });
  // Texts too different to compare in time are shown as one change.
  if (!parts) return changedLines({ before, after, beforeLine: 1, afterLine: 1 });
  const lines: DiffLine[] = [];
  let beforeLine = 1;
  let afterLine = 1;
  for (const { value, added, removed } of parts) {
    const kind = added ? 'added' : 'removed';
    const first = added ? afterLine : beforeLine;
    if (added || removed)
      lines.push(...value.map((text, index): DiffLine => ({ kind, text, line: first + index })));
    else if (lines.length > 0) lines.push({ kind: 'gap', text: '' });
    if (!added) beforeLine += value.length;
    if (!removed) afterLine += value.length;
  }
  if (lines.at(-1)?.kind === 'gap') lines.pop();
  return lines;
}
