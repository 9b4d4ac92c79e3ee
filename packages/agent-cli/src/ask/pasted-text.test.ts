import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { continued, decodePastedLine, encodePaste, encodePastedText, encodeTyped } from './pasted-text.ts';

/** Texts of what a line may hold, with its marks among it. */
const text = fc
  .array(fc.constantFrom('a', ' ', '/', '⏎', '⇥', '\u200b', '\ufe0e', '\\', '한', '😀'), { maxLength: 12 })
  .map((parts) => parts.join(''));
const lines = fc.array(text, { minLength: 2, maxLength: 4 }).map((parts) => parts.join('\n\t'));

describe('pasted text in a line', () => {
  it('comes back as it was, apart from what was typed before it', () => {
    fc.assert(
      fc.property(text, lines, (typed, pasted) => {
        expect(decodePastedLine(encodeTyped(typed) + encodePaste(pasted))).toEqual({ typed, pasted });
        expect(decodePastedLine(encodePastedText(pasted))).toEqual({ typed: pasted, pasted: '' });
        expect(encodePaste(pasted)).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  it('has no control characters, and is like typing once it is down to one line', () => {
    expect(decodePastedLine(encodePaste('a\u001b[31mb\nc'))).toEqual({ typed: '', pasted: 'a[31mb\nc' });
    expect(decodePastedLine(encodePaste('/help'))).toEqual({ typed: '/help', pasted: '' });
  });

  it('continues after an unescaped backslash', () => {
    expect(decodePastedLine(continued('one\\') ?? '').typed).toBe('one\n');
    expect(continued('C:\\\\')).toBeUndefined();
    expect(decodePastedLine(continued('a\\\\\\') ?? '').typed).toBe('a\\\\\n');
    expect(continued('one')).toBeUndefined();
  });
});
