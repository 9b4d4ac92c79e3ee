import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainTerminalText, readTerminalText } from './terminal-text.ts';

const esc = '\u001b';
const styleOf = (sequence: string) => readTerminalText(`${esc}[${sequence}mx`).at(-1)?.style;

describe('terminal text', () => {
  it('reads the sixteen colours, the palette and true colours', () => {
    expect(styleOf('31')).toEqual({ foreground: 1 });
    expect(styleOf('1;92;44')).toEqual({ bold: true, foreground: 10, background: 4 });
    expect(styleOf('38;5;208')).toEqual({ foreground: 208 });
    expect(styleOf('48;2;1;2;255')).toEqual({ background: '#0102ff' });
    expect(styleOf('38:2::10:20:30')).toEqual({ foreground: '#0a141e' });
    expect(styleOf('38:5:7;4:3')).toEqual({ foreground: 7, underline: true });
  });

  it('ends styles where they end, and never takes half a colour for something else', () => {
    const runs = readTerminalText(`${esc}[1;31mred${esc}[22;39m plain${esc}[7m in${esc}[m out`);
    expect(runs.map(({ text }) => text)).toEqual(['red', ' plain', ' in', ' out']);
    expect(runs[1]?.style).toMatchObject({ bold: false, foreground: -1 });
    expect(runs[3]?.style).toEqual({});
    expect(styleOf('38;5')).toEqual({});
    expect(styleOf('38;2;300;1;1;4')).toEqual({});
    expect(styleOf('8')).toEqual({});
  });

  it('drops what a terminal would obey, and shows what would hide or reorder text', () => {
    expect(plainTerminalText(`${esc}]0;title\u0007a${esc}[2Jb${esc}(Bc\u009b31md`)).toBe('abcd');
    expect(plainTerminalText('safe\rEVIL')).toBe('safe\nEVIL');
    expect(plainTerminalText('a\r\nb')).toBe('a\nb');
    expect(plainTerminalText('x\u202ey')).toBe('x\\u{202e}y');
    expect(plainTerminalText('half \ud83d')).toBe('half \ufffd');
  });

  it('leaves no control character but line feed and tab, whatever the text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        `${esc}[`,
        `${esc}]`,
        '\u009b',
        '\u0090',
        '38;5;',
        'm',
        '\r',
        '\n',
        '\u0007',
        '\u202e',
        '\ud800',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = plainTerminalText(pieces.join(''));
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left
        expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
        expect(Buffer.from(text).toString()).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});
