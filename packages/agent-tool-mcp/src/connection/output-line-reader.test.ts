import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutputLineReader, type OversizeLine } from './output-line-reader.ts';

function read(chunks: readonly Buffer[], maxBytes = 1000) {
  const lines: string[] = [];
  const oversize: OversizeLine[] = [];
  let endless = 0;
  const reader = new OutputLineReader({
    maxBytes,
    onLine: (line) => lines.push(line),
    onOversize: (line) => oversize.push(line),
    onEndless: () => {
      endless += 1;
    },
  });
  for (const chunk of chunks) reader.push(chunk);
  return { lines, oversize, endless };
}

/** Cuts bytes at the given places, wherever they fall in a character. */
function cut(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

describe('lines of a stream', () => {
  it('are the same in any chunking', () => {
    proves('P-139');
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' '));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (lines, places) => {
        const bytes = Buffer.from(lines.map((each) => `${each}\n`).join(''));
        const { lines: found, oversize } = read(cut(bytes, places), 10_000);
        expect(found).toEqual(lines);
        expect(oversize).toEqual([]);
      }),
    );
  });

  it('that are too long are thrown away, but for where they begin and end', () => {
    proves('P-139');
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.integer({ min: 2000, max: 5000 }), (places, length) => {
        const long = `{"id":7,${'x'.repeat(length)}"end"}`;
        const { lines, oversize, endless } = read(cut(Buffer.from(`a\n${long}\nb\n`), places));
        expect(lines).toEqual(['a', 'b']);
        expect(oversize).toHaveLength(1);
        expect(oversize[0]?.bytes).toBe(long.length);
        expect(oversize[0]?.head.startsWith('{"id":7,')).toBe(true);
        expect(oversize[0]?.tail.endsWith('"end"}')).toBe(true);
        expect(endless).toBe(0);
      }),
    );
  });

  it('that never end are told of once', () => {
    proves('P-139');
    const chunk = Buffer.alloc(999, 'x');
    expect(read(Array(50).fill(chunk))).toEqual({ lines: [], oversize: [], endless: 1 });
  });
});
