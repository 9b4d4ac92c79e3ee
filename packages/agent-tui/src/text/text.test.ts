import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphemesOf, graphemeWidth } from './grapheme-width.ts';
import { StyleState } from './style-state.ts';
import { expandTabs, piecesOf, plainText, textWidth } from './styled-text.ts';
import { truncateMiddle, truncateText } from './truncate-text.ts';
import { wrapText } from './wrap-text.ts';

const red = (text: string) => `\x1b[31m${text}\x1b[39m`;
const link = (text: string) => `\x1b]8;;https://a.example\x1b\\${text}\x1b]8;;\x1b\\`;

/** Texts of many scripts, with colours, links and blanks. */
const styled = fc
  .array(
    fc.oneof(
      fc
        .string({ unit: 'grapheme', maxLength: 12 })
        .map((text) => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')),
      fc.constantFrom(
        ' ',
        '  ',
        '한국어',
        '中文字',
        '👩‍👩‍👧‍👦',
        '🇰🇷',
        'é',
        'word',
        'longerword',
        '\x1b[1m',
        '\x1b[0m',
        '\x1b[38;5;200m',
      ),
      fc.constantFrom(link('link'), red('red'), '\x1b[48;2;1;2;3m'),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

describe('textWidth', () => {
  it('counts columns of scripts, emoji and marks', () => {
    const widths: readonly (readonly [text: string, width: number])[] = [
      ['abc', 3],
      ['한국어', 6],
      ['中文', 4],
      ['カナ', 4],
      ['ｶﾅ', 2],
      ['é', 1],
      ['e\u0301', 1],
      ['👍', 2],
      ['👍🏽', 2],
      ['👩‍👩‍👧‍👦', 2],
      ['🇰🇷', 2],
      ['1️⃣', 2],
      ['❤️', 2],
      ['⟳', 1],
      ['✓', 1],
      ['\u200b', 0],
      ['각', 2],
      [red('red'), 3],
      [link('link'), 4],
    ];
    for (const [text, width] of widths) expect([text, textWidth(text)]).toEqual([text, width]);
  });

  it('is the sum of its characters', () => {
    fc.assert(
      fc.property(styled, (text) => {
        const sum = [...graphemesOf(plainText(text))].reduce((width, each) => width + graphemeWidth(each), 0);
        expect(textWidth(text)).toBe(sum);
      }),
    );
  });
});

describe('piecesOf', () => {
  it('takes a text apart without loss', () => {
    fc.assert(
      fc.property(styled, (text) => {
        expect([...piecesOf(text)].map((piece) => piece.text).join('')).toBe(text);
      }),
    );
  });
});

describe('expandTabs', () => {
  it('fills up to the next stop', () => {
    expect(expandTabs('a\tb')).toBe('a   b');
    expect(expandTabs('한\tb')).toBe('한  b');
    expect(expandTabs(`${red('ab')}\tc`)).toBe(`${red('ab')}  c`);
  });
});

describe('wrapText', () => {
  it('breaks between words, keeps indentation, and breaks words that are too long', () => {
    expect(wrapText('the quick brown fox', 10)).toEqual(['the quick', 'brown fox']);
    expect(wrapText('  indented text here', 12)).toEqual(['  indented', 'text here']);
    expect(wrapText('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
    expect(wrapText('한국어를 씁니다', 7)).toEqual(['한국어', '를 씁니', '다']);
    expect(wrapText('a\n\nb', 5)).toEqual(['a', '', 'b']);
    expect(wrapText('', 5)).toEqual(['']);
  });

  it('lets colours and links continue in the next line and end with each', () => {
    expect(wrapText(`\x1b[31mone two\x1b[0m three`, 4)).toEqual([
      '\x1b[31mone\x1b[0m',
      '\x1b[31mtwo\x1b[0m',
      'thre',
      'e',
    ]);
    const [first, second] = wrapText(link('one two'), 4);
    expect(first).toBe(link('one'));
    expect(second).toBe(link('two'));
  });

  it('never makes a line too wide and never loses a character but blanks', () => {
    fc.assert(
      fc.property(styled, fc.integer({ min: 4, max: 30 }), (text, width) => {
        const lines = wrapText(text, width);
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
        const letters = (value: string) => plainText(value).replace(/\s/g, '');
        expect(letters(lines.join(''))).toBe(letters(text));
      }),
    );
  });
});

describe('truncateText', () => {
  it('cuts the end, and the middle where the end tells more', () => {
    expect(truncateText('abcdef', 4)).toBe('abc…');
    expect(truncateText(red('한국어'), 5)).toBe('\x1b[31m한국…\x1b[0m');
    expect(truncateMiddle('/home/user/project/src/cart.ts', 16, { endWidth: 8 })).toBe('/home/u…/cart.ts');
    expect(truncateMiddle('short', 16)).toBe('short');
  });

  it('is never wider than asked for', () => {
    fc.assert(
      fc.property(styled, fc.integer({ min: 0, max: 30 }), (text, width) => {
        expect(textWidth(truncateText(text, width))).toBeLessThanOrEqual(width);
        expect(textWidth(truncateMiddle(text, width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('StyleState', () => {
  it('knows what is on, kind by kind', () => {
    const state = new StyleState();
    for (const sequence of ['\x1b[1;31m', '\x1b[38;5;200m', '\x1b[4m', '\x1b[22m']) state.apply(sequence);
    expect(state.opening).toBe('\x1b[38;5;200;4m');
    expect(state.closing).toBe('\x1b[0m');
    state.apply('\x1b[m');
    expect(state.opening + state.closing).toBe('');
  });
});
