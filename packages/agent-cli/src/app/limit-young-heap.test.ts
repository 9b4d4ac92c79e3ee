import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

/** In a process of its own, since the limit holds for a whole process. */
function youngMegabytes(script: string): number {
  const module = JSON.stringify(new URL('./limit-young-heap.ts', import.meta.url).href);
  const program = `
    const { transformSync } = await import('esbuild');
    const { readFileSync } = await import('node:fs');
    const source = transformSync(readFileSync(new URL(${module}), 'utf8'), { loader: 'ts', format: 'esm' }).code;
    const { limitYoungHeap } = await import('data:text/javascript,' + encodeURIComponent(source));
    const { getHeapSpaceStatistics } = await import('node:v8');
    let kept = [];
    for (let turn = 0; turn < 500; turn++) {
      for (let count = 0; count < 5000; count++) kept.push({ count, text: 'x' + count });
      if (kept.length > 20000) kept = [];
      ${script}
    }
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    console.log(young.space_size);
  `;
  const cwd = new URL('../../../..', import.meta.url);
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd });
  return Number(output.toString()) / 1e6;
}

describe('limitYoungHeap', () => {
  it('keeps the young generation at about 8 MB, which grows beyond that without it', () => {
    expect(youngMegabytes('limitYoungHeap();')).toBeLessThan(10);
    expect(youngMegabytes('')).toBeGreaterThan(10);
  });
});
