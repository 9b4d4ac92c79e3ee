import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Viewport } from './viewport.ts';

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('scroll' as const), by: fc.integer({ min: -30, max: 30 }) }),
    fc.record({ kind: fc.constant('size' as const), by: fc.integer({ min: 1, max: 20 }) }),
    fc.record({ kind: fc.constantFrom('start' as const, 'end' as const), by: fc.constant(0) }),
  ),
  { maxLength: 12 },
);

describe('Viewport', () => {
  it('always shows a piece of the whole, without gaps, and as much as there is room for', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 12 }), steps, (heights, moves) => {
        const all = heights.flatMap((height, item) =>
          Array.from({ length: height }, (_, line) => `${item}/${line}`),
        );
        const viewport = new Viewport({
          count: heights.length,
          linesOf: (item) => Array.from({ length: heights[item] ?? 0 }, (_, line) => `${item}/${line}`),
        });
        let height = 1;
        for (const { kind, by } of moves) {
          if (kind === 'scroll') viewport.scroll(by);
          else if (kind === 'start') viewport.toStart();
          else if (kind === 'end') viewport.toEnd();
          else viewport.settle(by);
          if (kind === 'size') height = by;
          const shown = viewport.rows().map(({ text }) => text);
          const from = shown.length === 0 ? 0 : all.indexOf(shown[0] ?? '');
          expect(shown).toEqual(all.slice(from, from + shown.length));
          expect(shown.length).toBe(Math.min(height, all.length));
          if (kind === 'end') expect(shown.at(-1)).toBe(all.at(-1));
        }
      }),
    );
  });
});
