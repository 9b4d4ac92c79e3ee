import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IdleTimer } from './idle-timer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const days = 24 * 60 * 60_000;

it.each([0, 1e12, Number.POSITIVE_INFINITY])(
  'never ends a stream with a limit of %s ms within a month',
  (limit) => {
    const timer = new IdleTimer(limit);
    vi.advanceTimersByTime(30 * days);
    expect(timer.expired).toBe(false);
    timer.stop();
  },
);

it('ends a silent stream after its limit', () => {
  const timer = new IdleTimer(1_000);
  vi.advanceTimersByTime(900);
  expect(timer.expired).toBe(false);
  vi.advanceTimersByTime(400);
  expect(timer.expired).toBe(true);
});
