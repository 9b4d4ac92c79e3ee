import { filterEscapes } from '@robota-sdk/agent-tui';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainTerminalText } from '../packages/agent-export/src/view/terminal-text.ts';

it('treats control sequences in exports as the filter of terminals does', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '\u001b',
      '\u001b[',
      '\u001b]',
      '\u001bP',
      '\u001b(',
      '\u009b',
      '\u0090',
      '\u009d',
      '\u009c',
    ),
    fc.constantFrom(
      '31m',
      '38;5;1m',
      '?25l',
      ';;',
      ' q',
      '\u001b\\',
      '\u0007',
      '\u0000',
      '\u007f',
      '\u0085',
      '\v',
    ),
    fc.constantFrom('\r', '\n', '\r\n', '\t', 'text', '\u0301', '\u200d', '\u202e', '\ud83d', '\ude00', 'é'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      expect(plainTerminalText(text)).toBe(filterEscapes(text));
    }),
    { numRuns: 2_000 },
  );
});
