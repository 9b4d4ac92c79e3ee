import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchPath } from './watch-path.ts';

let folder = '';
let stop = () => {};
let told = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watch-path-'));
  told = 0;
});
afterEach(() => {
  stop();
  rmSync(folder, { recursive: true });
});

const watchTold = (path: string) => {
  stop = watchPath(path, () => {
    told += 1;
  });
};

/** Something is told after a change, which is made once more until it is: watches begin a little later. */
async function tells(change: () => void) {
  const before = told;
  await expect
    .poll(
      () => {
        change();
        return told;
      },
      { interval: 100 },
    )
    .toBeGreaterThan(before);
}

describe('watchPath', () => {
  it('tells of changes of a file, also after others took its place, and of none once it is stopped', async () => {
    const file = join(folder, 'session.jsonl');
    writeFileSync(file, 'a\n');
    watchTold(file);
    await tells(() => appendFileSync(file, 'b\n'));
    for (const round of [1, 2]) {
      writeFileSync(`${file}.new`, `${round}\n`);
      await tells(() => {
        writeFileSync(`${file}.new`, `${round}\n`);
        renameSync(`${file}.new`, file);
      });
      await tells(() => appendFileSync(file, 'c\n'));
    }
    rmSync(file);
    await tells(() => {});
    await tells(() => writeFileSync(file, 'again\n'));
    await tells(() => appendFileSync(file, 'd\n'));
    stop();
    const after = told;
    appendFileSync(file, 'e\n');
    rmSync(file);
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toBe(after);
  });

  it('tells of changes in a folder that is deleted and made again', async () => {
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    watchTold(inner);
    await tells(() => writeFileSync(join(inner, 'a'), String(told)));
    rmSync(inner, { recursive: true });
    await tells(() => {});
    mkdirSync(inner);
    await tells(() => writeFileSync(join(inner, 'b'), String(told)));
  });
});
