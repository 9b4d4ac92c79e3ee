import { describe, expect, it } from 'vitest';
import { figureOfChild } from './fixtures/figure-of-child.ts';

/** In a separate process, since the limit applies to a whole process. */
function youngMegabytes(afterTurn: string): number {
  const script = `
    const { getHeapSpaceStatistics } = await import('node:v8');
    let kept = [];
    for (let turn = 0; turn < 500; turn++) {
      for (let count = 0; count < 5000; count++) kept.push({ count, text: 'x' + count });
      if (kept.length > 20000) kept = [];
      ${afterTurn}
    }
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    console.log(young.space_size);
  `;
  return figureOfChild(new URL('./limit-heap.ts', import.meta.url), script) / 1e6;
}

describe('limitYoungHeap', () => {
  it('keeps the young generation at about 8 MB, which grows beyond that without it', () => {
    expect(youngMegabytes('limits.limitYoungHeap();')).toBeLessThan(10);
    expect(youngMegabytes('')).toBeGreaterThan(10);
  });
});
