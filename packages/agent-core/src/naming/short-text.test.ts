import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeBytes, firstLine, shorten, shortLine } from './short-text.ts';

describe('a short text', () => {
  it('has an ellipsis instead of what is left out', () => {
    expect(shorten('four', 4)).toBe('four');
    expect(shorten('seven', 4)).toBe('sev…');
    expect(shortLine('  one\n\ttwo  three ', 9)).toBe('one two …');
  });

  it('is never longer than asked for, nor cut inside a character', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', '😀', 'é', '\n') });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 12 }), (text, length) => {
        const short = shorten(text, length);
        expect(short.length).toBeLessThanOrEqual(length);
        expect(short).not.toMatch(/\p{Cs}/u);
        expect(text.startsWith(short.replace(/…$/, ''))).toBe(true);
      }),
    );
  });
});

it('finds the first line that says something', () => {
  expect(firstLine('\n  title \r\nrest')).toBe('title');
  expect(firstLine(' \n')).toBe('');
});

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [4200, '4.2 kB'],
  [1_500_000, '1.5 MB'],
])('describes %i bytes as %s', (bytes, text) => {
  expect(describeBytes(bytes)).toBe(text);
});
