import { expect, it } from 'vitest';
import { activeTimeout } from './active-timeout.ts';

const stand = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
const pass = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

it('does not count the time for which nothing runs, and calls back in the end', async () => {
  let isOver = false;
  activeTimeout(() => {
    isOver = true;
  }, 1_200);
  await pass(10);
  stand(1_300);
  await pass(50);
  expect(isOver).toBe(false);
  await expect.poll(() => isOver).toBe(true);
});

it('can be cancelled', async () => {
  let isOver = false;
  const cancel = activeTimeout(() => {
    isOver = true;
  }, 20);
  cancel();
  await pass(60);
  expect(isOver).toBe(false);
});
