import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareLists } from './compare-lists.ts';
import { diffFragments } from './diff-fragments.ts';
import type { DiffLine } from './diff-line.ts';
import { diffTexts } from './diff-texts.ts';
import { parseUnifiedDiff } from './fixtures/parse-unified-diff.ts';
import { formatUnifiedDiff } from './format-unified-diff.ts';
import { countChanges, cutDiff, hunksOf } from './hunks.ts';
import { withContext } from './with-context.ts';
import { alignRun, marksOfLine, wordMarks } from './word-marks.ts';

const line = fc.constantFrom('a', 'b', 'c', '', '  x', '}', 'ä', '한');
const text = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.boolean())
  .map(([lines, isEnded]) => lines.join('\n') + (isEnded && lines.length > 0 ? '\n' : ''));

const diffOf = (before: string | undefined, after: string | undefined, context?: number) =>
  diffTexts({ path: 'a.ts', before, after }, context === undefined ? {} : { context });

const shown = (lines: readonly DiffLine[]) =>
  lines.map(({ kind, text: content, line: number, hidden }) =>
    kind === 'gap' ? `⋯ ${hidden}` : `${number}${{ added: '+', removed: '-', context: ' ' }[kind]}${content}`,
  );

/** Applies a diff by the numbers of its lines, as a patch program would. */
function apply(before: string, lines: readonly DiffLine[]): string {
  const old = before.split(/(?<=\n)/);
  let result = '';
  let copied = 0;
  let shift = 0;
  for (const { kind, text: content, line: number = 0, noNewline } of lines) {
    if (kind === 'gap') continue;
    const end = noNewline ? '' : '\n';
    const oldIndex = kind === 'removed' ? number - 1 : number - 1 - shift;
    result += old.slice(copied, oldIndex).join('');
    copied = Math.max(copied, oldIndex);
    if (kind === 'added') shift++;
    else {
      expect(old[oldIndex]).toBe(content + end);
      copied = oldIndex + 1;
    }
    if (kind === 'removed') shift--;
    else result += content + end;
  }
  return result + old.slice(copied).join('');
}

describe('diffTexts', () => {
  it('gives the new text when it is applied to the old one, with counts that match its lines', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 4 }), (before, after, context) => {
        const diff = diffOf(before, after, context);
        expect(apply(before, diff.lines)).toBe(after);
        expect(countChanges({ lines: diff.lines })).toEqual({ added: diff.added, removed: diff.removed });
      }),
    );
  });

  it('keeps line ends of two kinds apart', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const mixed = (value: string) => `x\n\r\n${value.replaceAll('b', 'b\r')}`;
        expect(apply(mixed(before), diffOf(mixed(before), mixed(after)).lines)).toBe(mixed(after));
      }),
    );
  });

  it('shows three lines around a change, and how many unchanged ones lie between two', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
    const after = lines.with(0, 'first').with(30, 'changed');
    const diff = diffOf(`${lines.join('\n')}\n`, `${after.join('\n')}\n`);
    expect(shown(diff.lines)).toEqual([
      '1-line 1',
      '1+first',
      ...['2 line 2', '3 line 3', '4 line 4', '⋯ 23', '28 line 28', '29 line 29', '30 line 30'],
      '31-line 31',
      '31+changed',
      ...['32 line 32', '33 line 33', '34 line 34'],
    ]);
    expect(diff).toMatchObject({ change: 'edit', added: 2, removed: 2 });
    expect(hunksOf(diff.lines)).toHaveLength(2);
  });

  it('hides no single line behind a gap', () => {
    const lines = Array.from({ length: 9 }, (_, index) => `line ${index + 1}`);
    const after = lines.with(0, 'first').with(8, 'last');
    expect(shown(diffOf(lines.join('\n'), after.join('\n')).lines)).not.toContain('⋯ 1');
  });

  it('names files that come and go', () => {
    expect(diffOf(undefined, 'a\n')).toMatchObject({ change: 'create', added: 1, removed: 0 });
    expect(diffOf('a\n', undefined)).toMatchObject({ change: 'delete', added: 0, removed: 1 });
    expect(diffOf('', 'a\n')).toMatchObject({ change: 'edit', added: 1 });
    expect(diffOf('a\n', 'a\n')).toMatchObject({ added: 0, removed: 0, lines: [] });
  });

  it('tells a missing line break at the end, and line ends that changed', () => {
    expect(diffOf('a', 'a\n').lines).toEqual([
      { kind: 'removed', text: 'a', line: 1, noNewline: true },
      { kind: 'added', text: 'a', line: 1 },
    ]);
    expect(shown(diffOf('a\r\nb\r\n', 'a\r\nc\r\n').lines)).toEqual(['1 a', '2-b', '2+c']);
    expect(shown(diffOf('a\r\nb\r\n', 'a\nb\r\n').lines)).toEqual(['1-a\r', '1+a', '2 b\r']);
    expect(shown(diffOf('a\rb', 'a\rc').lines)).toEqual(['1 a', '2-b', '2+c']);
  });

  it('keeps blocks whole that begin like the ones before them', () => {
    const one = 'function a() {\n  x();\n}\n';
    const two = '\nfunction b() {\n  x();\n}\n';
    expect(shown(diffOf(`${one}\nend\n`, `${one}${two}\nend\n`, 0).lines)).toEqual([
      '5+function b() {',
      '6+  x();',
      '7+}',
      '8+',
    ]);
    const inner = '  if (a) {\n    x();\n  }\n';
    expect(shown(diffOf(`f {\n${inner}}\n`, `f {\n${inner}${inner}}\n`, 0).lines)).toEqual([
      '5+  if (a) {',
      '6+    x();',
      '7+  }',
    ]);
  });
});

describe('compareLists', () => {
  it('finds the fewest changes', () => {
    const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 14 });
    fc.assert(
      fc.property(list, list, (before, after) => {
        const changed = compareLists(before, after).reduce(
          (sum, { oldStart, oldEnd, newStart, newEnd }) => sum + oldEnd - oldStart + newEnd - newStart,
          0,
        );
        expect(changed).toBe(before.length + after.length - 2 * longestCommon(before, after));
      }),
    );
  });

  it('compares long lists that share everything in another order', () => {
    const size = 5000;
    const before = Array.from({ length: size }, (_, index) => `line ${index % 997}`);
    const after = Array.from({ length: size }, (_, index) => `line ${(index * 7919) % 997}`);
    const changes = compareLists(before, after);
    expect(rebuilt(before, after, changes)).toEqual(after);
    expect(changes.length).toBeGreaterThan(100);
  });
});

describe('withContext', () => {
  it('is the same diff as one that was made with fewer lines around', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 2 }), (before, after, context) => {
        expect(withContext(diffOf(before, after, 5).lines, context)).toEqual(
          diffOf(before, after, context).lines,
        );
      }),
    );
  });
});

describe('cutDiff', () => {
  it('says how many lines it left out, and keeps the counts', () => {
    const after = Array.from({ length: 50 }, (_, index) => `line ${index}\n`).join('');
    const cut = cutDiff(diffOf(undefined, after), { lines: 20, characters: 1000 });
    expect(cut).toMatchObject({ added: 50, removed: 0, more: 30 });
    expect(cut.lines).toHaveLength(20);
    expect(cutDiff(cut, { lines: 100, characters: 50 })).toMatchObject({ added: 50, more: 42 });
    const whole = diffOf(undefined, after);
    expect(cutDiff(whole, { lines: 49, characters: 1000 })).toBe(whole);
  });
});

describe('marks', () => {
  it('lie inside their lines, in order, and what is not marked is the same on both sides', () => {
    const words = fc
      .array(fc.constantFrom('a', 'b', 'word', ' ', '한국', '(', ')', '漢', '👩‍👧'), { maxLength: 20 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(words, words, (before, after) => {
        const marks = wordMarks(before, after);
        if (!marks) return;
        for (const [content, ranges] of [
          [before, marks.before],
          [after, marks.after],
        ] as const) {
          let last = 0;
          for (const { start, end } of ranges) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(end).toBeGreaterThan(start);
            last = end;
          }
          expect(last).toBeLessThanOrEqual(content.length);
        }
        const blank = (value: string) => value.replace(/\s+/g, '');
        expect(blank(unmarked(before, marks.before))).toBe(blank(unmarked(after, marks.after)));
      }),
    );
  });

  it('show words of lines that have at least 40 % in common', () => {
    const [old, now] = ["import { round } from './round.js';", "import { round } from './money.js';"];
    expect(wordMarks(old, now)).toEqual({
      before: [{ start: 25, end: 30 }],
      after: [{ start: 25, end: 30 }],
    });
    expect(wordMarks('return percent;', 'return percent / 100;')?.after).toEqual([{ start: 14, end: 20 }]);
    expect(wordMarks('aaaa bbbbbb', 'aaaa cccccc')).toBeDefined();
    expect(wordMarks('aaa bbbbbb', 'aaa cccccc')).toBeUndefined();
  });

  it('pair the lines of unequal runs by what they share', () => {
    const before = '  // bug\n  return subtotal(items);\n';
    const after = '  const rate = 1;\n  const sum = 2;\n  return subtotal(items) * rate;\n';
    const { lines } = diffOf(before, after);
    expect(lines.map((_, index) => marksOfLine(lines, index)?.length)).toEqual([
      undefined,
      0,
      undefined,
      undefined,
      1,
    ]);
  });
});

describe('alignRun', () => {
  it('has each line once and in order, and similar ones side by side', () => {
    const lines = diffFragments('return percent;\n', '// a fraction\nreturn percent / 100;\n');
    expect(alignRun(lines, { start: 0, removed: 1, added: 2 })).toEqual([
      [-1, 1],
      [0, 2],
    ]);
    const words = fc.array(fc.constantFrom('a b c', 'a b d', 'x', 'y z', 'a b'), { maxLength: 14 });
    fc.assert(
      fc.property(words, words, (old, now) => {
        const run = [
          ...old.map((value) => ({ kind: 'removed' as const, text: value })),
          ...now.map((value) => ({ kind: 'added' as const, text: value })),
        ];
        const rows = alignRun(run, { start: 0, removed: old.length, added: now.length });
        const side = (at: 0 | 1) => rows.map((row) => row[at]).filter((index) => index >= 0);
        expect(side(0)).toEqual(old.map((_, index) => index));
        expect(side(1)).toEqual(now.map((_, index) => old.length + index));
      }),
    );
  });
});

describe('parseUnifiedDiff', () => {
  it('reads files, hunks, numbers and missing line breaks', () => {
    const patch = [
      'diff --git a/src/cart.ts b/src/cart.ts',
      '--- a/src/cart.ts',
      '+++ b/src/cart.ts',
      '@@ -9,3 +9,4 @@ export function total() {',
      ' const sum = add();',
      '-return sum;',
      '+return sum * rate;',
      '+// done',
      ' }',
      '@@ -30 +31 @@',
      '-old --- name',
      '+new --- name',
      '\\ No newline at end of file',
    ].join('\n');
    const [file] = parseUnifiedDiff(patch);
    expect(file?.path).toBe('src/cart.ts');
    expect(shown(file?.lines ?? [])).toEqual([
      '9 const sum = add();',
      '10-return sum;',
      '10+return sum * rate;',
      '11+// done',
      '12 }',
      '⋯ 18',
      '30-old --- name',
      '31+new --- name',
    ]);
    expect(file?.lines.at(-1)?.noNewline).toBe(true);
  });
});

describe('formatUnifiedDiff', () => {
  it('writes what parseUnifiedDiff reads', () => {
    fc.assert(
      fc.property(
        fc.option(text, { nil: undefined }),
        fc.option(text, { nil: undefined }),
        (before, after) => {
          const diff = diffOf(before, after);
          const formatted = formatUnifiedDiff(diff);
          if (diff.lines.length === 0) expect(formatted).toBe('');
          else expect(shown(parseUnifiedDiff(formatted)[0]?.lines ?? [])).toEqual(shown(diff.lines));
        },
      ),
    );
  });

  it('names files as git does', () => {
    expect(formatUnifiedDiff(diffOf('a\n', 'b'))).toBe(
      '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n',
    );
    expect(formatUnifiedDiff(diffOf(undefined, 'b\n'))).toBe(
      '--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1 @@\n+b\n',
    );
    expect(formatUnifiedDiff(diffOf('b\n', undefined))).toBe(
      '--- a/a.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n',
    );
  });
});

function unmarked(content: string, ranges: readonly { start: number; end: number }[]): string {
  let rest = '';
  let from = 0;
  for (const { start, end } of ranges) {
    rest += content.slice(from, start);
    from = end;
  }
  return rest + content.slice(from);
}

function rebuilt(
  before: readonly string[],
  after: readonly string[],
  changes: ReturnType<typeof compareLists>,
) {
  const result: string[] = [];
  let copied = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    result.push(...before.slice(copied, oldStart), ...after.slice(newStart, newEnd));
    copied = oldEnd;
  }
  return [...result, ...before.slice(copied)];
}

function longestCommon(before: readonly string[], after: readonly string[]): number {
  const rows = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      rows[row]![column] =
        before[row] === after[column]
          ? rows[row + 1]![column + 1]! + 1
          : Math.max(rows[row + 1]![column]!, rows[row]![column + 1]!);
  return rows[0]![0]!;
}
