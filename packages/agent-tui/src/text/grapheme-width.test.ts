import { expect, it } from 'vitest';
import { graphemesOf, graphemeWidth } from './grapheme-width.ts';
import { textWidth } from './styled-text.ts';

const ranges = [
  [0x20, 0x7e],
  [0xa1, 0xac],
  [0xae, 0x2ff],
  [0x2010, 0x2027],
  [0x2030, 0x205e],
  [0x2190, 0x2193],
  [0x2500, 0x25fc],
  [0x2713, 0x2713],
  [0x2717, 0x2717],
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
