import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TerminalText } from './terminal-text.ts';

const clean = (...pieces: string[]) => {
  const terminal = new TerminalText();
  return pieces.map((piece) => terminal.write(piece)).join('') + terminal.flush();
};

describe('TerminalText', () => {
  it('removes colours, cursor movements, titles and charset switches', () => {
    expect(clean('\x1b[1;31mred\x1b[0m \x1b]0;title\x07a\x1b]8;;http://x\x1b\\link\x1b(B\x1b[2K\x1b7!')).toBe(
      'red alink!',
    );
  });

  it('gives a rewritten line in its last state and keeps CRLF lines', () => {
    expect(clean('10%\r50%\r100%\ndone\r\n')).toBe('100%\ndone\n');
    expect(clean('10%\r', '20%\r', '30%\r')).toBe('30%');
    expect(clean('abc\b\bX\n')).toBe('aX\n');
  });

  it('makes NULs visible and drops other controls', () => {
    expect(clean('a\0b\x07c\td\n')).toBe('a␀bc\td\n');
  });

  it('does not wait for ever for the end of a sequence', () => {
    expect(clean(`\x1b]${'x'.repeat(5000)}`, 'after\n')).toContain('after');
  });

  it('gives the same text however the input is cut', () => {
    const part = fc.constantFrom(
      'abc',
      '\r',
      '\n',
      '\r\n',
      '\x1b[31m',
      '\x1b]0;t\x07',
      '\x1b(B',
      'é',
      '\b',
      'x y',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.array(fc.nat(60)), (parts, cuts) => {
        const text = parts.join('');
        const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
        const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
        expect(clean(...pieces)).toBe(clean(text));
      }),
    );
  });

  it('bounds what it holds of a line without end', () => {
    const terminal = new TerminalText();
    let given = 0;
    for (let count = 0; count < 100; count += 1) given += terminal.write('x'.repeat(10_000)).length;
    expect(given + terminal.pending.length).toBe(1_000_000);
    expect(terminal.pending.length).toBeLessThan(100_000);
  });
});

it('keeps only the last state of a line that is rewritten, however large the pieces are', () => {
  const bar = Array.from({ length: 100_000 }, (_, index) => `\r${index + 1}`).join('');
  for (const size of [1_000, 64 * 1024, 200_000, bar.length]) {
    const text = new TerminalText();
    let shown = '';
    for (let at = 0; at < bar.length; at += size) shown += text.write(bar.slice(at, at + size));
    expect(shown + text.flush()).toBe('100000');
  }
});
