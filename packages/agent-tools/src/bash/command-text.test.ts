import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CommandText } from './command-text.ts';

it('decodes characters that are split between chunks', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 5 }), (text, size) => {
      const plain = text.replace(/[\p{Cc}\ufffd]/gu, '');
      const bytes = Buffer.from(plain);
      const output = new CommandText();
      let seen = '';
      for (let at = 0; at < bytes.length; at += size) seen += output.write(bytes.subarray(at, at + size));
      expect(seen + output.flush()).toBe(plain);
    }),
  );
});

it('replaces single invalid bytes and keeps the text around them', () => {
  const output = new CommandText();
  const seen = output.write(Buffer.from([0x61, 0xff, 0x62, 0x0a]));
  expect(seen).toBe('a\ufffdb\n');
  expect(output.isBinary).toBe(false);
});

it('takes names separated by NULs for text, and data for binary', () => {
  const names = new CommandText();
  expect(names.write(Buffer.from('a.ts\0b.ts\0\n'))).toBe('a.ts␀b.ts␀\n');
  const data = new CommandText();
  expect(data.write(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0]))).toBe('');
  expect(data.isBinary).toBe(true);
  expect(data.bytes).toBe(11);
});
