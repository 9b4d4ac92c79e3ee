import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { user } from '../fixtures/messages.ts';
import type { Entry } from './entry.ts';
import { EntryTree } from './tree.ts';

function entry(id: string, parentId: string | null): Entry {
  return { type: 'message', id, parentId, timestamp: '', message: user(id) };
}

function treeOf(...pairs: readonly (readonly [string, string | null])[]): EntryTree {
  const tree = new EntryTree();
  for (const [id, parentId] of pairs) tree.addEntry(entry(id, parentId));
  return tree;
}

const ids = (entries: readonly Entry[]) => entries.map(({ id }) => id).join('');

describe('EntryTree', () => {
  it('resolves the active branch from the root, and others on demand', () => {
    proves('P-21');
    const tree = treeOf(['a', null], ['b', 'a'], ['c', 'b'], ['d', 'a']);
    expect(ids(tree.path())).toBe('ad');
    expect(ids(tree.path('c'))).toBe('abc');
    expect(tree.leafId).toBe('d');
  });

  it('passes through facts, which pi chains like entries', () => {
    const tree = treeOf(['a', null]);
    tree.addFact({ type: 'session_info', id: 'n', parentId: 'a', timestamp: '', name: 'N' });
    tree.addEntry(entry('b', 'n'));
    expect(ids(tree.path())).toBe('ab');
    expect(tree.name).toBe('N');
  });

  it('finds a parent that comes later in the file', () => {
    expect(ids(treeOf(['b', 'a'], ['a', null], ['c', 'b']).path())).toBe('abc');
  });

  it('joins an entry whose parent is lost to the line before it, and says so', () => {
    const tree = treeOf(['a', null], ['b', 'a'], ['d', 'c']);
    expect(ids(tree.path())).toBe('abd');
    expect(tree.problems().get('missing-parent')).toBe(1);
  });

  it('lets the later of two entries with one id count', () => {
    const tree = treeOf(['a', null], ['b', 'a']);
    const other = { ...entry('b', 'a'), timestamp: 'later' };
    tree.addEntry(other);
    expect(tree.path()).toHaveLength(2);
    expect(tree.path()[1]).toBe(other);
    expect(tree.problems().get('duplicate-id')).toBe(1);
  });

  it('reads an entry from where it stands, however long the file is', () => {
    const offsets = [0, 2 ** 32 - 1, 2 ** 32, 5 * 2 ** 40 + 7];
    const tree = new EntryTree(({ offset }) => entry(`at-${offset}`, null));
    for (const offset of offsets) tree.addEntry(entry(`at-${offset}`, null), { offset, bytes: 10 });
    expect([...tree.entries()].map(({ id }) => id)).toEqual(offsets.map((offset) => `at-${offset}`));
    expect(tree.problems().size).toBe(0);
  });

  it('ends at a circle instead of running forever', () => {
    const tree = treeOf(['a', 'a'], ['b', 'a']);
    expect(ids(tree.path())).toBe('ab');
    expect(tree.problems().get('cycle')).toBe(1);
  });

  it('walks any tangle of parents to an end', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const pairs = fc.array(fc.tuple(name, fc.option(name, { nil: null })), { maxLength: 12 });
    fc.assert(
      fc.property(pairs, (all) => {
        const path = ids(treeOf(...all).path());
        expect(new Set(path).size).toBe(path.length);
      }),
    );
  });
});
