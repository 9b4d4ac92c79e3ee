import type { DiffLine, FileDiff } from './diff-line.ts';
import { hunksOf } from './hunks.ts';

const signs = { added: '+', removed: '-', context: ' ', gap: ' ' } as const;

/** A diff as text that `patch` and `git apply` read, for a file with these line ends; empty if nothing changed. */
export function formatUnifiedDiff(
  { path, change, lines }: FileDiff,
  { lineEnd = '\n' }: { readonly lineEnd?: '\n' | '\r\n' } = {},
): string {
  const hunks = hunksOf(lines);
  if (hunks.length === 0) return '';
  const oldPath = change === 'create' ? '/dev/null' : quoted(`a/${path}`);
  const newPath = change === 'delete' ? '/dev/null' : quoted(`b/${path}`);
  const text = [`--- ${oldPath}`, `+++ ${newPath}`];
  let shift = 0;
  for (const hunk of hunks) {
    const count = (kind: DiffLine['kind']) => hunk.filter((line) => line.kind === kind).length;
    const [added, removed, context] = [count('added'), count('removed'), count('context')];
    const [first] = hunk;
    const number = first?.line ?? 1;
    const old = first?.kind === 'removed' ? number : number - shift;
    text.push(`@@ -${rangeText(old, context + removed)} +${rangeText(old + shift, context + added)} @@`);
    const carriageReturn = lineEnd === '\r\n' ? '\r' : '';
    for (const line of hunk)
      text.push(`${signs[line.kind]}${line.text}${line.noNewline ? '' : carriageReturn}`, ...endOf(line));
    shift += added - removed;
  }
  return `${text.join('\n')}\n`;
}

/** An empty range is named by the line before it. */
function rangeText(start: number, count: number): string {
  if (count === 1) return `${start}`;
  return `${count === 0 ? start - 1 : start},${count}`;
}

function endOf({ noNewline }: DiffLine): string[] {
  return noNewline ? ['\\ No newline at end of file'] : [];
}

/** Git writes names with unusual characters in quotes. */
function quoted(name: string): string {
  return /[\p{Cc}"\\]/u.test(name) ? JSON.stringify(name) : name;
}
