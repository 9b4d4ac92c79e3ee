import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repeats } from './task-watchdog.ts';

describe('repeats', () => {
  it('sees a text said again and again, also where the last time is cut off', () => {
    expect(repeats('abcabcabcab', 3)).toBe(true);
    expect(repeats('abcabcabcab', 4)).toBe(false);
    expect(repeats('the cat sat on the mat', 2)).toBe(false);
    expect(repeats('', 1)).toBe(false);
  });

  it('agrees with trying every length', () => {
    const slow = (text: string, times: number) => {
      for (let length = 1; length <= text.length; length++) {
        const again = text.slice(0, length).repeat(Math.ceil(text.length / length));
        if (again.startsWith(text)) return text.length / length >= times;
      }
      return false;
    };
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 8 }), (said, times) => {
        expect(repeats(said, times)).toBe(slow(said, times));
      }),
    );
  });
});
