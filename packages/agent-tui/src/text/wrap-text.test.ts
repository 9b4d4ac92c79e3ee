import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainWidth } from './grapheme-width.ts';
import { truncateToVisualLines } from './wrap-text.ts';

describe('truncateToVisualLines', () => {
  it('keeps the last rows as they appear on the screen and counts the others', () => {
    proves('P-105');
    expect(truncateToVisualLines('one\ntwo three\nfour', 5, 3)).toEqual({
      lines: ['two', 'three', 'four'],
      skipped: 1,
    });
    expect(truncateToVisualLines('short', 80, 3)).toEqual({ lines: ['short'], skipped: 0 });
    expect(truncateToVisualLines('', 80, 3)).toEqual({ lines: [], skipped: 0 });
    expect(truncateToVisualLines('a\nb', 80, 0)).toEqual({ lines: [], skipped: 2 });
  });

  it('counts columns, not characters: a wide character takes two', () => {
    proves('P-105');
    expect(truncateToVisualLines('안녕하세요', 4, 2)).toEqual({ lines: ['하세', '요'], skipped: 1 });
  });

  it('never gives more rows than asked for, nor one that is too wide', () => {
    proves('P-105');
    fc.assert(
      fc.property(
        fc.string(),
        fc.integer({ min: 2, max: 30 }),
        fc.integer({ min: 0, max: 9 }),
        (text, width, most) => {
          const { lines, skipped } = truncateToVisualLines(text, width, most);
          expect(lines.length).toBeLessThanOrEqual(most);
          expect(skipped).toBeGreaterThanOrEqual(0);
          for (const line of lines) expect(plainWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});
