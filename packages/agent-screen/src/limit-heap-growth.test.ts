import { describe, expect, it } from 'vitest';
import { figureOfChild } from './fixtures/figure-of-child.ts';

/** The mean heap of a process that keeps some megabytes and replaces them all the time. */
function meanMegabytes(atStart: string): number {
  const script = `
    const { getHeapStatistics } = await import('node:v8');
    ${atStart}
    const kept = Array.from({ length: 100 }, () => []);
    let sum = 0;
    for (let turn = 0; turn < 4000; turn++) {
      kept[turn % 100] = Array.from({ length: 2000 }, (_, index) => ({ turn, index }));
      if (turn >= 2000) sum += getHeapStatistics().used_heap_size;
    }
    console.log(sum / 2000);
  `;
  return figureOfChild(new URL('./limit-heap.ts', import.meta.url), script) / 1e6;
}

describe('limitHeapGrowth', () => {
  it('keeps the heap no further from what is alive than V8 does by itself', () => {
    expect(meanMegabytes('limits.limitHeapGrowth();')).toBeLessThan(meanMegabytes('') * 1.1);
  });
});
