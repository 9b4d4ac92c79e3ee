import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startTimer } from './start-timer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const days = 24 * 60 * 60_000;

it.each([0, 1, 1_000, 2 ** 31 - 1, 2 ** 31, 30 * days, 200 * days])(
  'calls back after %s ms, and not before',
  (ms) => {
    const done = vi.fn();
    startTimer(ms, done);
    if (ms > 0) {
      vi.advanceTimersByTime(ms - 1);
      expect(done).not.toHaveBeenCalled();
    }
    vi.advanceTimersByTime(1);
    expect(done).toHaveBeenCalledOnce();
  },
);

it('can be cancelled at any time, and may be without end', () => {
  const done = vi.fn();
  const timer = startTimer(30 * days, done);
  vi.advanceTimersByTime(29 * days);
  timer.cancel();
  startTimer(Number.POSITIVE_INFINITY, done).cancel();
  vi.advanceTimersByTime(100 * days);
  expect(done).not.toHaveBeenCalled();
});

it.each([1_000, 30 * days])('begins again with %s ms', (ms) => {
  const done = vi.fn();
  const timer = startTimer(ms, done);
  vi.advanceTimersByTime(ms - 1);
  timer.refresh();
  vi.advanceTimersByTime(ms - 1);
  expect(done).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(done).toHaveBeenCalledOnce();
});
