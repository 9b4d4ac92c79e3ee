import { describe, expect, it } from 'vitest';
import type { ViewEntry } from '../view/session-view.ts';
import { turnsOf } from './turns.ts';

const answer = (id: string, cost: number): ViewEntry => ({
  id,
  parentId: null,
  time: 0,
  kind: 'answer',
  model: 'm',
  usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
  cost,
  blocks: [],
});

describe('the turns of a branch', () => {
  it('count what each model call took, and the cost so far', () => {
    const note: ViewEntry = { id: 'n', parentId: null, time: 0, kind: 'note', text: '' };
    expect(turnsOf([answer('a', 1), note, answer('b', 2)], 10)).toMatchObject([
      { label: '1', entryId: 'a', input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cost: 1, total: 1 },
      { label: '2', entryId: 'b', cost: 2, total: 3 },
    ]);
  });

  it('are joined where there are too many, and nothing is lost', () => {
    const many = Array.from({ length: 1_001 }, (_, at) => answer(`${at}`, 1));
    const turns = turnsOf(many, 120);
    expect(turns.length).toBeLessThanOrEqual(120);
    expect(turns[0]).toMatchObject({ label: '1–9', input: 9, cost: 9, total: 9 });
    expect(turns.reduce((sum, { output }) => sum + output, 0)).toBe(2_002);
    expect(turns.at(-1)?.total).toBe(1_001);
  });
});
