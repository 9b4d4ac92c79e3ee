import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globsOverlap, matchGlob } from './glob-match.ts';

const alphabet = fc.constantFrom('a', 'b', '*');
const pattern = fc.array(alphabet, { maxLength: 8 }).map((characters) => characters.join(''));
const text = fc.array(fc.constantFrom('a', 'b'), { maxLength: 8 }).map((characters) => characters.join(''));

/** The meaning of a pattern, spelt out slowly. */
function matchesSlowly(wanted: string, given: string): boolean {
  if (wanted === '') return given === '';
  if (wanted[0] !== '*')
    return wanted[0] === given[0] && given !== '' && matchesSlowly(wanted.slice(1), given.slice(1));
  return Array.from({ length: given.length + 1 }, (_, at) => given.slice(at)).some((rest) =>
    matchesSlowly(wanted.slice(1), rest),
  );
}

describe('matchGlob', () => {
  it('means what a slow reading of the pattern means', () => {
    proves('R-12');
    fc.assert(
      fc.property(
        pattern,
        text,
        (wanted, given) => matchGlob(wanted, given) === matchesSlowly(wanted, given),
      ),
    );
  });

  it('takes every character but the star literally', () => {
    proves('R-12');
    expect(matchGlob('npm [test]', 'npm t')).toBe(false);
    expect(matchGlob('a.c', 'abc')).toBe(false);
    expect(matchGlob('(a|b)+?*', '(a|b)+?x')).toBe(true);
  });

  it('looks at a hostile text of a million characters once per piece of the pattern', () => {
    proves('R-12');
    expect(matchGlob(`${'a*'.repeat(200)}b`, 'a'.repeat(1_000_000))).toBe(false);
  });
});

describe('globsOverlap', () => {
  it('finds a common text wherever one exists', () => {
    proves('R-12');
    fc.assert(
      fc.property(pattern, pattern, text, (one, other, given) => {
        if (matchesSlowly(one, given) && matchesSlowly(other, given))
          expect(globsOverlap(one, other)).toBe(true);
      }),
    );
  });

  it('finds none where the literal ends differ', () => {
    proves('R-12');
    expect(globsOverlap('rm *', 'git *')).toBe(false);
    expect(globsOverlap('*.ts', '*.js')).toBe(false);
    expect(globsOverlap('a', 'ab')).toBe(false);
  });

  it('agrees with plain matching when one side has no star', () => {
    proves('R-12');
    fc.assert(
      fc.property(pattern, text, (wanted, given) => globsOverlap(wanted, given) === matchGlob(wanted, given)),
    );
  });
});
