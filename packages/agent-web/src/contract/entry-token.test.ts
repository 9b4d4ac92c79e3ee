import fc from 'fast-check';
import { expect, it } from 'vitest';
import { entryOfToken, tokenOfEntry } from './entry-token.ts';

it('carries any id in a header and back, and those of Robota as they are', () => {
  const id = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(' pad ', 'a\r\nid: b', '\ud800', '\0', '%0041', 'é', '日本', '🙂'),
  );
  fc.assert(
    fc.property(id, (text) => {
      expect(tokenOfEntry(text)).toMatch(/^[\w%-]*$/);
      expect(entryOfToken(tokenOfEntry(text))).toBe(text);
    }),
  );
  expect(tokenOfEntry('0a1b2c3d')).toBe('0a1b2c3d');
});
