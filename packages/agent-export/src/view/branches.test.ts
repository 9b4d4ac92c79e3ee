import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Branches } from './branches.ts';
import type { ViewEntry } from './session-view.ts';

const prompt = (id: string, parentId: string | null): ViewEntry => ({
  id,
  parentId,
  time: 0,
  kind: 'prompt',
  blocks: [{ type: 'text', text: id }],
});
const note = (id: string, parentId: string | null): ViewEntry => ({
  id,
  parentId,
  time: 0,
  kind: 'note',
  text: id,
});
const ids = (entries: readonly ViewEntry[]) => entries.map(({ id }) => id).join('');

describe('branches', () => {
  const tree = new Branches([
    prompt('a', null),
    note('b', 'a'),
    prompt('c', 'b'),
    note('d', 'c'),
    prompt('e', 'b'),
    note('f', 'e'),
    prompt('g', null),
  ]);

  it('lead from the root to any entry', () => {
    proves('P-21');
    expect(ids(tree.path('d'))).toBe('abcd');
    expect(ids(tree.path('f'))).toBe('abef');
    expect(ids(tree.path(null))).toBe('');
    expect(ids(tree.path('none'))).toBe('');
    expect(ids(tree.leaves())).toBe('dfg');
    expect([tree.latestLeaf('a'), tree.latestLeaf('c'), tree.latestLeaf('g')]).toEqual(['f', 'd', 'g']);
  });

  it('are known by what people said first on them, not by what only the model was told', () => {
    const context = (id: string, parentId: string | null): ViewEntry => ({
      ...prompt(id, parentId),
      kind: 'prompt',
      origin: 'reminder',
      blocks: [],
    });
    const branches = new Branches([
      prompt('a', null),
      context('b', 'a'),
      prompt('c', 'b'),
      context('d', 'a'),
      prompt('e', 'd'),
    ]);
    expect(branches.waypoints().map(({ entry, depth, forks }) => [entry.id, depth, forks])).toEqual([
      ['a', 0, false],
      ['c', 1, true],
      ['e', 1, true],
    ]);
  });

  it('list prompts and forks, deeper where the tree forks', () => {
    proves('P-21');
    expect(tree.waypoints().map(({ entry, depth, forks }) => [entry.id, depth, forks])).toEqual([
      ['a', 1, true],
      ['c', 2, true],
      ['e', 2, true],
      ['g', 1, true],
    ]);
  });

  it('end on any damage', () => {
    const id = fc.constantFrom(...'abcdefgh');
    const entry = fc.tuple(id, fc.option(id, { nil: null })).map(([own, parent]) => prompt(own, parent));
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const broken = new Branches(entries);
        for (const { id: to } of entries)
          expect(broken.path(to).length).toBeLessThanOrEqual(entries.length + 1);
        expect(broken.waypoints().length).toBeLessThanOrEqual(entries.length);
      }),
    );
  });

  it('bear a conversation of any length', () => {
    const long = Array.from({ length: 100_000 }, (_, at) => prompt(`${at}`, at === 0 ? null : `${at - 1}`));
    const branches = new Branches(long);
    expect(branches.path('99999')).toHaveLength(100_000);
    expect(branches.waypoints()).toHaveLength(100_000);
    expect(branches.latestLeaf('0')).toBe('99999');
  });
});
