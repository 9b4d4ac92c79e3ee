import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SkipCounts } from '../source/skip-counts.ts';
import { orderNodes } from './order-nodes.ts';

describe('orderNodes', () => {
  it('puts parents before their children and loses none, whatever the parents are', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', '__proto__');
    const parents = fc.dictionary(name, fc.option(fc.oneof(name, fc.constant('lost')), { nil: null }));
    fc.assert(
      fc.property(parents, (tree) => {
        const nodes = Object.entries(tree).map(([id, parentId]) => ({ id, parentId }));
        const ordered = orderNodes(nodes, new SkipCounts());
        expect(ordered.map(({ id }) => id).sort()).toEqual(nodes.map(({ id }) => id).sort());
        const seen = new Set<string>();
        for (const { id, parentId } of ordered) {
          if (parentId !== null) expect(seen).toContain(parentId);
          seen.add(id);
        }
      }),
    );
  });

  it('keeps the order of the file where it is sound, and counts what is not', () => {
    const skipped = new SkipCounts();
    const nodes = [
      { id: 'a', parentId: null },
      { id: 'b', parentId: 'lost' },
      { id: 'c', parentId: 'c' },
      { id: 'd', parentId: 'b' },
    ];
    expect(orderNodes(nodes, skipped)).toEqual([
      { id: 'a', parentId: null },
      { id: 'b', parentId: 'a' },
      { id: 'c', parentId: null },
      { id: 'd', parentId: 'b' },
    ]);
    expect(skipped.list().map(({ count }) => count)).toEqual([1, 1]);
  });
});
