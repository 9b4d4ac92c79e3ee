import { diffTexts, hunksOf } from '@robota-sdk/agent-diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReviewedHunk } from '../../contract/review.ts';
import { endOf, firstChange, hunkName, hunkRange, linesOfHunk, spanOf, splitRows } from './hunk-rows.ts';

const hunkOf = (before: string, after: string): ReviewedHunk => {
  const diff = diffTexts({ path: 'a.ts', before, after });
  const lines = hunksOf(diff.lines)[0] ?? [];
  const count = (kind: string) => lines.filter((line) => line.kind === kind).length;
  return {
    key: 'k',
    state: 'open',
    oldStart: 0,
    newStart: 0,
    added: count('added'),
    removed: count('removed'),
    lines,
  };
};

describe('the rows of a hunk', () => {
  const hunk = hunkOf(
    'import a;\n\nexport function total(cart) {\n  return 1;\n}\n',
    'import a;\n\nexport function total(cart) {\n  const x = 1;\n  return x;\n}\n',
  );

  it('are numbered on both sides', () => {
    expect(linesOfHunk(hunk).map(({ kind, old, now }) => [kind, old, now])).toEqual([
      ['context', 1, 1],
      ['context', 2, 2],
      ['context', 3, 3],
      ['removed', 4, 0],
      ['added', 0, 4],
      ['added', 0, 5],
      ['context', 5, 6],
    ]);
    expect(hunkRange(hunk)).toBe('@@ -1,5 +1,6');
    expect(hunkName(hunk)).toBe('total');
  });

  it('give a comment the lines of one side', () => {
    const lines = linesOfHunk(hunk);
    const first = firstChange(lines);
    expect(spanOf(lines, first, first)).toEqual({ side: 'new', line: 4, endLine: 4 });
    expect(spanOf(lines, 5, 3)).toEqual({ side: 'new', line: 4, endLine: 5 });
    expect(spanOf(lines, 3, 3)).toEqual({ side: 'old', line: 4, endLine: 4 });
    expect(endOf(lines, { side: 'new', line: 4, endLine: 5 })).toBe(5);
    expect(endOf(lines, { side: 'new', line: 90, endLine: 90 })).toBeUndefined();
  });

  it('stand side by side, each line once and in its order', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'return x;'), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { lines } = hunkOf(`${before.join('\n')}\n`, `${after.join('\n')}\n`);
        const rows = splitRows(lines);
        const side = (kind: string) =>
          lines.flatMap((line, index) => (line.kind === 'context' || line.kind === kind ? index : []));
        expect(rows.flatMap(({ left }) => left ?? [])).toEqual(side('removed'));
        expect(rows.flatMap(({ right }) => right ?? [])).toEqual(side('added'));
      }),
    );
  });
});
