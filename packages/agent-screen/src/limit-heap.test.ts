import { describe, expect, it } from 'vitest';
import { figureOfChild } from './fixtures/figure-of-child.ts';

const heap = 'getHeapStatistics().used_heap_size';
const beginRun = "limits.limitHeapAt('run-start');";
const afterRun = `limits.saveMemory(); ${beginRun} limits.limitHeapAt('run-end');`;

/** The mean of a figure of a process that keeps some megabytes and replaces them all the time. */
function meanMegabytes(figure: string, atStart = ''): number {
  const script = `
    const { getHeapStatistics } = await import('node:v8');
    ${atStart}
    const kept = Array.from({ length: 100 }, () => []);
    let sum = 0;
    for (let turn = 0; turn < 2000; turn++) {
      kept[turn % 100] = Array.from({ length: 2000 }, (_, index) => ({ turn, index }));
      if (turn >= 1000) sum += ${figure};
    }
    console.log(sum / 1000);
  `;
  // On other threads, a collection ends sooner or later by what else the machine does.
  const options = figure.startsWith(heap) ? ['--single-threaded-gc'] : [];
  return figureOfChild(new URL('./limit-heap.ts', import.meta.url), script, options) / 1e6;
}

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

describe('saveMemory', () => {
  it('keeps the heap and resident memory well below what V8 uses by itself', () => {
    expect(meanMegabytes(heap, 'limits.saveMemory();')).toBeLessThan(meanMegabytes(heap) * 0.6);
    const resident = 'process.memoryUsage.rss()';
    expect(meanMegabytes(resident, 'limits.saveMemory();')).toBeLessThan(meanMegabytes(resident) * 0.8);
  });
});

describe('spareMemory', () => {
  it('keeps the young generation as it was at the start, and resident memory below what V8 uses by itself', () => {
    expect(youngMegabytes('limits.spareMemory();')).toBeLessThan(youngMegabytes('') / 2);
    const resident = 'process.memoryUsage.rss()';
    expect(meanMegabytes(resident, 'limits.spareMemory();')).toBeLessThan(meanMegabytes(resident) * 0.8);
  });

  it('returns the memory of garbage when the program rests, which V8 leaves', () => {
    const script = `
      const { setTimeout: sleep } = await import('node:timers/promises');
      limits.spareMemory();
      let kept = Array.from({ length: 1_000_000 }, (_, index) => ({ index, text: 'x' + index }));
      const full = process.memoryUsage.rss();
      kept = kept.filter(({ index }) => index % 16 === 0);
      const isReturned = () => process.memoryUsage.rss() < full - 40e6;
      for (let tries = 0; tries < 1000 && !isReturned(); tries++) await sleep(20);
      console.log(Number(isReturned()));
    `;
    // Without it, V8 may collect by itself, sooner or later.
    const options = ['--no-memory-reducer'];
    expect(figureOfChild(new URL('./limit-heap.ts', import.meta.url), script, options)).toBe(1);
  });
});

const isCounting = Number.parseInt(process.versions.v8, 10) >= 13;

describe('settleMemory', () => {
  /** The size of the heap after a start with much garbage, by that before. */
  const shareLeft = (settle: string) =>
    figureOfChild(
      new URL('./limit-heap.ts', import.meta.url),
      `
        let garbage = Array.from({ length: 500_000 }, (_, index) => ({ index }));
        const before = process.memoryUsage().heapTotal;
        garbage = undefined;
        ${settle}
        console.log(process.memoryUsage().heapTotal / before, ...(globalThis.gc ? ['exposed'] : []));
      `,
    );

  it('returns the memory of a start, but not in a run; a V8 whose own collections it cannot count keeps it', () => {
    const left = shareLeft('limits.settleMemory();');
    if (isCounting) expect(left).toBeLessThan(0.5);
    else expect(left).toBeGreaterThan(0.8);
    expect(shareLeft(`${beginRun} limits.settleMemory();`)).toBeGreaterThan(0.8);
  });
});

describe('limitHeapAfter', () => {
  /** How often V8 is told to prefer memory, by steps in a process of their own. */
  const savedAfter = (steps: string) =>
    figureOfChild(
      new URL('./limit-heap.ts', import.meta.url),
      `const saves = () =>
        [...globalThis[Symbol.for('robota.changed-v8-flags')].values()].filter(
          ({ now }) => now === '--optimize-for-size',
        ).length;
      const frames = (count) => new Promise((resolve) => setTimeout(resolve, count * 50));
      limits.saveMemory();
      limits.limitHeapAfter('run-start');
      limits.limitHeapAfter('run-end');
      ${steps}
      console.log(saves());`,
    );

  it('saves memory only once the last line of a run had time to be painted', () => {
    expect(savedAfter('')).toBe(0);
    expect(savedAfter('while (saves() === 0) await frames(1);')).toBe(1);
  });

  it('leaves the next run alone if it begins before that', () => {
    expect(savedAfter("limits.limitHeapAfter('run-start'); await frames(4);")).toBe(0);
  });
});

describe('limitHeapAt', () => {
  it('leaves the heap to V8 in a run, and saves memory in one that begins after memory has grown', () => {
    const grow = 'globalThis.grown = Array.from({ length: 5_000_000 }, (_, index) => index);';
    const usual = meanMegabytes(heap, `${afterRun} ${beginRun}`);
    const grown = meanMegabytes(`${heap} - 8 * 5_000_000`, `${afterRun} ${grow} ${beginRun}`);
    expect(usual).toBeGreaterThan(meanMegabytes(heap) * 0.8);
    expect(grown).toBeLessThan(usual * 0.8);
  });

  it('saves memory again once the run has ended', () => {
    expect(meanMegabytes(heap, afterRun)).toBeLessThan(meanMegabytes(heap) * 0.6);
  });

  it('leaves it to V8 to collect by itself between runs, but not in one', () => {
    const forbiddenAfter = (steps: string) =>
      figureOfChild(
        new URL('./limit-heap.ts', import.meta.url),
        `${steps}
        const flags = [...globalThis[Symbol.for('robota.changed-v8-flags')].values()];
        console.log(flags.filter(({ now }) => now === '--memory-reducer-gc-count=0').length);`,
      );
    const inRun = isCounting ? 1 : 0;
    expect(forbiddenAfter(beginRun)).toBe(inRun);
    expect(forbiddenAfter(afterRun)).toBe(0);
    expect(forbiddenAfter(`${afterRun} ${beginRun}`)).toBe(inRun);
  });

  it('keeps compilers out of the first turn, and leaves them to V8 after it', () => {
    const heldAfter = (steps: string) =>
      figureOfChild(
        new URL('./limit-heap.ts', import.meta.url),
        `${steps}
        const flags = [...globalThis[Symbol.for('robota.changed-v8-flags')].values()];
        console.log(flags.filter(({ now }) => ['--no-turbofan', '--no-maglev'].includes(now)).length);`,
      );
    const turn = "limits.limitHeapAt('turn-end');";
    const compilers = isCounting ? 2 : 1;
    expect(heldAfter('limits.saveMemory();')).toBe(compilers);
    expect(heldAfter(`limits.saveMemory(); ${beginRun}`)).toBe(compilers);
    expect(heldAfter(`limits.saveMemory(); ${beginRun} ${turn}`)).toBe(0);
    expect(heldAfter(`${afterRun} ${turn} limits.saveMemory();`)).toBe(0);
  });

  it('keeps the young generation at about 8 MB, which grows beyond that without it', () => {
    expect(youngMegabytes("limits.limitHeapAt('turn-end');")).toBeLessThan(10);
    expect(youngMegabytes('')).toBeGreaterThan(10);
  });
});
