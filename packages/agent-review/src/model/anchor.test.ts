import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anchorAt, findAnchor } from './anchor.ts';

const edit = fc.record({ at: fc.nat({ max: 60 }), remove: fc.nat({ max: 3 }), insert: fc.nat({ max: 3 }) });

/** Edits lines outside of a range of ids; `next` names new lines. */
function change(
  lines: readonly string[],
  range: ReadonlySet<string>,
  { at, remove, insert, next }: { at: number; remove: number; insert: number; next: number },
): string[] {
  const start = at % (lines.length + 1);
  const first = lines.findIndex((line) => range.has(line));
  const last = lines.findLastIndex((line) => range.has(line));
  // Between the lines of the range nothing is inserted.
  if (start > first && start <= last) return [...lines];
  const gone = lines.slice(start, start + remove).filter((line) => !range.has(line));
  const fresh = [...Array(insert).keys()].map((index) => `new ${next}.${index}`);
  const kept = lines.slice(start).filter((line) => !gone.includes(line));
  return [...lines.slice(0, start), ...fresh, ...kept];
}

it('an anchor finds the same lines after random edits elsewhere', () => {
  fc.assert(
    fc.property(
      fc.record({ count: fc.integer({ min: 1, max: 30 }), start: fc.nat(), length: fc.nat({ max: 3 }) }),
      fc.array(edit, { maxLength: 8 }),
      ({ count, start, length }, edits) => {
        const lines = [...Array(count).keys()].map((index) => `line ${index}`);
        const line = 1 + (start % count);
        const endLine = Math.min(count, line + length);
        const anchor = anchorAt(lines, { line, endLine });
        const range = new Set(anchor.excerpt);
        const edited = edits.reduce((now, each, next) => change(now, range, { ...each, next }), lines);
        expect(findAnchor(edited, anchor)).toBe(edited.indexOf(anchor.excerpt[0] ?? '') + 1);
      },
    ),
  );
});

it('an anchor finds lines with the same text or says that they are lost, also among copies', () => {
  const line = fc.constantFrom('}', '', 'a', 'b');
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 20 }),
      fc.array(line, { maxLength: 20 }),
      fc.nat(),
      (lines, others, start) => {
        const at = 1 + (start % lines.length);
        const anchor = anchorAt(lines, { line: at, endLine: at });
        expect(findAnchor(lines, anchor)).toBe(at);
        const found = findAnchor(others, anchor);
        if (found !== undefined) expect(others[found - 1]).toBe(lines[at - 1]);
      },
    ),
  );
});

it('an anchor is lost when its line is gone and only a copy elsewhere is left', () => {
  const lines = ['one {', '}', '', 'two {', '}'];
  const anchor = anchorAt(lines, { line: 2, endLine: 2 });
  expect(findAnchor(['two {', '}'], anchor)).toBeUndefined();
  expect(findAnchor(['new', ...lines], anchor)).toBe(3);
});
