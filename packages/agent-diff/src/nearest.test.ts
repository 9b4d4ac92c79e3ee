import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, nearest } from './nearest.ts';

const word = fc.string({ minLength: 5, maxLength: 20, unit: fc.constantFrom(...'abcdefgh-.123') });

describe('nearest', () => {
  it('finds what was meant, nearest first', () => {
    expect(nearest('sonet', ['opus', 'sonnets', 'sonnet'])).toEqual(['sonnet', 'sonnets']);
    expect(nearest('--ouptut', ['--output', '--input'])).toEqual(['--output']);
    expect(nearest('README.MD', ['readme.md'])).toEqual(['readme.md']);
    expect(nearest('xyz', ['opus', 'abc'])).toEqual([]);
    expect(nearest('', ['a', ''])).toEqual(['', 'a']);
    expect(nearest('aaa', ['aac', 'aab', 'aad', 'aae'])).toEqual(['aab', 'aac', 'aad']);
    expect(nearest('aaa', ['aac', 'aab'], 1)).toEqual(['aab']);
    expect(nearest('modle', ['mode', 'model', 'modules'])).toEqual(['model', 'mode', 'modules']);
  });

  it('finds a name again after any one edit', () => {
    fc.assert(
      fc.property(
        word,
        fc.nat(),
        fc.constantFrom('insert', 'delete', 'replace', 'swap'),
        (name, seed, edit) => {
          const place = seed % (name.length - 1);
          const [head, tail] = [name.slice(0, place), name.slice(place)];
          const edited = {
            insert: `${head}z${tail}`,
            delete: head + tail.slice(1),
            replace: `${head}z${tail.slice(1)}`,
            swap: head + (tail[1] ?? '') + (tail[0] ?? '') + tail.slice(2),
          }[edit];
          expect(nearest(edited, ['qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq', name])).toEqual([name]);
        },
      ),
    );
  });

  it('measures edits the same in both directions, and stops counting above the cap', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 20 }), (a, b, cap) => {
        expect(editDistance(a, b, cap)).toBe(editDistance(b, a, cap));
        expect(editDistance(a, b, cap)).toBe(Math.min(editDistance(a, b, 40), cap + 1));
      }),
    );
  });

  it('offers only candidates, few of them, each once, whatever it is asked', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (name, candidates) => {
        const found = nearest(name, candidates);
        expect(found.length).toBeLessThanOrEqual(3);
        expect(new Set(found).size).toBe(found.length);
        for (const candidate of found) expect(candidates).toContain(candidate);
        if (candidates.includes(name))
          expect(found.map((each) => each.toLowerCase())[0]).toBe(name.toLowerCase());
      }),
    );
  });
});
