import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob } from './glob-pattern.ts';

describe('compileGlob', () => {
  it('gives the same answer by following tokens as by a regular expression', () => {
    const part = fc.constantFrom('a', 'b', '.', '?', '[ab]', '[!a]', '/', '\\*');
    const wild = fc.constantFrom('*', '**', '**/', '/**', '/**/', '');
    const glob = fc
      .tuple(fc.array(part, { maxLength: 4 }), wild, fc.array(part, { maxLength: 4 }), wild)
      .map(([start, one, middle, other]) => [...start, one, ...middle, other].join(''))
      .filter((text) => text !== '' && !/^[*/]+$/.test(text));
    const path = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/', '*'), maxLength: 10 });
    fc.assert(
      fc.property(glob, path, (text, name) => {
        // The second branch matches no path here, and has more wildcards than an expression may have.
        const followed = compileGlob(`{${text},\u0001*\u0001*\u0001*}`);
        expect(followed.test(name)).toBe(compileGlob(text).test(name));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    `${'*a'.repeat(40)}b`,
    `${'**/a*/'.repeat(20)}b`,
    `${'{*,*a}'.repeat(30)}b`,
    `${'{a*,*a,**/a}'.repeat(30)}b`,
  ])('answers for a pattern with many ways to match: %s', (glob) => {
    expect(compileGlob(glob).test('a'.repeat(255))).toBe(false);
    expect(compileGlob(glob).test('a/'.repeat(400))).toBe(false);
  });
});
