import { expect, it, vi } from 'vitest';
import { unicodeGlyphs } from '../components/glyphs.ts';
import { graphemesOf, graphemeWidth } from './grapheme-width.ts';
import { textWidth } from './styled-text.ts';

const ranges = [
  [0x20, 0x7e],
  [0xa1, 0xac],
  [0xae, 0x2ff],
  [0x391, 0x3a1],
  [0x3a3, 0x3c9],
  [0x400, 0x45f],
  [0x2010, 0x2027],
  [0x2030, 0x205e],
  [0x2190, 0x2193],
  [0x2200, 0x22ff],
  [0x23ce, 0x23ce],
  [0x2500, 0x25fc],
  [0x2610, 0x2611],
  [0x270e, 0x270e],
  [0x2713, 0x2713],
  [0x2717, 0x2717],
  [0x276f, 0x276f],
  [0x27f0, 0x27ff],
] as const;
const single = ranges.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
);

it('takes single characters apart as Unicode does, each one column wide', () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const text = single.join('');
  expect([...graphemesOf(text)]).toEqual(Array.from(segmenter.segment(text), ({ segment }) => segment));
  expect(single.filter((character) => graphemeWidth(character) !== 1)).toEqual([]);
  expect(textWidth(text)).toBe(single.length);
});

it('asks Unicode where a mark follows a single character', () => {
  expect([...graphemesOf('─é…')]).toEqual(['─', 'é', '…']);
  expect([...graphemesOf('e\u0301─\u20dd')]).toEqual(['e\u0301', '─\u20dd']);
  expect(textWidth('▶\ufe0f─한')).toBe(5);
});

it('measures every sign of our own without a segmenter, as signs are in each frame', () => {
  const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
  try {
    const signs = Object.values(unicodeGlyphs).flat();
    expect(signs.filter((sign) => textWidth(sign) !== 1)).toEqual([]);
    expect(signs.flatMap((sign) => [...graphemesOf(sign)])).toEqual(signs);
    expect(segment).not.toHaveBeenCalled();
  } finally {
    segment.mockRestore();
  }
});
