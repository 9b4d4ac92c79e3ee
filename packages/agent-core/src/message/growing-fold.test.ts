import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrowingFold } from './growing-fold.ts';

describe('GrowingFold', () => {
  it('visits every item of a growing list once', () => {
    let visits = 0;
    const sum = new GrowingFold<number, number>(
      () => 0,
      (total, item) => {
        visits++;
        return total + item;
      },
    );
    const list: number[] = [];
    for (let item = 1; item <= 100; item++) {
      list.push(item);
      expect(sum.of(list)).toBe((item * (item + 1)) / 2);
      sum.of(list);
    }
    expect(visits).toBe(100);
  });

  it('gives what folding from the start gives, whatever grows, is cut or is copied', () => {
    const step = (text: string, item: object, index: number) =>
      `${text} ${index}:${(item as { name: number }).name}`;
    const change = fc.record({ kind: fc.constantFrom('push', 'cut', 'copy'), name: fc.nat() });
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const fold = new GrowingFold<object, string>(() => '', step);
        let list: object[] = [];
        for (const { kind, name } of changes) {
          if (kind === 'push') list.push({ name });
          if (kind === 'cut') list.pop();
          if (kind === 'copy') list = [...list];
          expect(fold.of(list)).toBe(list.reduce(step, ''));
        }
      }),
    );
  });
});
