import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText, lineEndingOf, type TextFormat, withLineFeeds } from './text-file.ts';

const formats: readonly TextFormat[] = [
  { encoding: 'utf-8', bom: false },
  { encoding: 'utf-8', bom: true },
  { encoding: 'utf-16le', bom: true },
  { encoding: 'utf-16be', bom: true },
  { encoding: 'windows-1252', bom: false },
];

describe('decodeText and encodeText', () => {
  it('gives back the very bytes of whatever it takes for text', () => {
    proves('R-29');
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => new Uint8Array(Buffer.from(text))),
      fc
        .tuple(
          fc.constantFrom([0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf]),
          fc.uint8Array({ maxLength: 60 }),
        )
        .map(([mark, rest]) => Uint8Array.from([...mark, ...rest])),
      fc.string({ maxLength: 40 }).map((text) => new Uint8Array(Buffer.from(text, 'utf16le'))),
    );
    fc.assert(
      fc.property(bytes, (original) => {
        const file = decodeText(original);
        if (file) expect(encodeText(file.text, file).equals(original)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('recognises every format it can write', () => {
    proves('R-29');
    const text = 'Grüße – “quoted”\r\nsecond line\n';
    for (const format of formats) expect(decodeText(encodeText(text, format))).toEqual({ ...format, text });
    const unmarked = { encoding: 'utf-16le', bom: false } as const;
    expect(decodeText(encodeText('plain text\n', unmarked))).toEqual({ ...unmarked, text: 'plain text\n' });
  });

  it('takes data with NUL or other control bytes for binary', () => {
    const binary = ['\0\x01\x02ELF', 'text\0text', '\x89PNG\r\n\x1a\n\xff', '\xff\xfe\0\0a\0\0\0'];
    for (const bytes of binary) expect(decodeText(Buffer.from(bytes, 'latin1'))).toBeUndefined();
    expect(decodeText(Buffer.from([0xff, 0xfe, 0x41]))).toBeUndefined();
    expect(decodeText(Buffer.alloc(0))).toEqual({ encoding: 'utf-8', bom: false, text: '' });
  });

  it('refuses what a format has no bytes for, naming the character', () => {
    proves('R-28');
    expect(() => encodeText('ok\n中', { encoding: 'windows-1252', bom: false })).toThrow(
      /中 \(U\+4E2D, line 2 of the text\)/,
    );
    expect(() => encodeText('a\ud83d', { encoding: 'utf-8', bom: false })).toThrow(
      /half a character \(U\+D83D\)/,
    );
    expect(() => encodeText('a\0', { encoding: 'utf-8', bom: false })).toThrow(/NUL/);
    expect(() => encodeText('😀', { encoding: 'windows-1252', bom: false })).toThrow(/U\+1F600/);
  });
});

describe('line endings', () => {
  it('tells them apart', () => {
    expect(lineEndingOf('a')).toBeUndefined();
    expect(lineEndingOf('a\nb\n')).toBe('\n');
    expect(lineEndingOf('a\r\nb\r\n')).toBe('\r\n');
    expect(lineEndingOf('a\r\nb\n')).toBe('mixed');
    expect(lineEndingOf('a\rb')).toBe('\r');
    expect(withLineFeeds('a\rb\r')).toBe('a\nb\n');
    expect(withLineFeeds('10%\r20%\r\nend')).toBe('10%\r20%\nend');
  });
});
