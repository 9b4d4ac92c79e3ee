import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdNumbers } from './id-numbers.ts';

const hex = (value: number) => value.toString(16).padStart(8, '0');

describe('IdNumbers', () => {
  it('numbers ids of any form as a map and a list do', () => {
    const own = fc.integer({ min: 0, max: 0xffffffff }).map(hex);
    const likeOwn = fc.constantFrom(
      '00000000',
      'ffffffff',
      'FFFFFFFF',
      '0000000',
      '0000000g',
      '',
      '-1',
      '__proto__',
    );
    const ids = fc.array(fc.oneof(own, likeOwn, fc.string()), { maxLength: 300 });
    fc.assert(
      fc.property(ids, (added) => {
        const numbers = new IdNumbers();
        const known = [...new Set(added)];
        for (const [number, id] of known.entries()) {
          expect(numbers.get(id)).toBeUndefined();
          expect(numbers.add(id)).toBe(number);
        }
        expect(numbers.size).toBe(known.length);
        expect(known.map((_, number) => numbers.idAt(number))).toEqual(known);
        expect(known.map((id) => numbers.get(id))).toEqual(known.map((_, number) => number));
        expect(numbers.idAt(known.length)).toBeUndefined();
        expect(numbers.idAt(-1)).toBeUndefined();
      }),
    );
  });

  it('finds ids that follow each other, however many', () => {
    const numbers = new IdNumbers();
    for (let value = 0; value < 50_000; value++) numbers.add(hex(value * 256));
    for (let value = 0; value < 50_000; value += 997) {
      expect(numbers.get(hex(value * 256))).toBe(value);
      expect(numbers.idAt(value)).toBe(hex(value * 256));
    }
    expect(numbers.get(hex(1))).toBeUndefined();
  });
});
