import { resolveSettings, type WatchdogLimits } from '@robota-sdk/agent-config';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TaskWatchdog, type WatchdogStop } from './task-watchdog.ts';

const { tasks } = resolveSettings({}, { permissions: { allow: [], ask: [], deny: [] }, budget: {} });

function watch(limits: Partial<WatchdogLimits>) {
  const stops: WatchdogStop[] = [];
  const watchdog = new TaskWatchdog({ ...tasks, ...limits }, (stop) => void stops.push(stop));
  const say = (text: string) => watchdog.observe({ type: 'text-delta', text });
  return { watchdog, say, stops, reasons: () => stops.map(({ reason }) => reason) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('TaskWatchdog', () => {
  it('stops what is silent for too long, but not while someone else has to act', () => {
    const { watchdog, say, stops, reasons } = watch({ idleTimeoutMs: 1000 });
    vi.advanceTimersByTime(900);
    say('still here');
    vi.advanceTimersByTime(900);
    watchdog.pause();
    vi.advanceTimersByTime(5000);
    expect(stops).toEqual([]);
    watchdog.resume();
    vi.advanceTimersByTime(2000);
    expect(reasons()).toEqual(['idle']);
    expect(stops[0]?.message).toBe('Nothing came from it for 1 s (tasks.idleTimeoutMs).');
  });

  it('does not count the wait for a rate limit', () => {
    const { watchdog, reasons } = watch({ idleTimeoutMs: 1000, maxRuntimeMs: 3000 });
    const model = { vendor: 'test', id: 'model', api: 'openai' } as const;
    const failure = { code: 'rate-limit', message: 'Slow down.', retryable: true } as const;
    watchdog.observe({ type: 'limit-wait', model, failure, until: Date.now() + 20_000 });
    vi.advanceTimersByTime(20_000);
    expect(reasons()).toEqual([]);
    watchdog.observe({ type: 'limit-end', model });
    vi.advanceTimersByTime(2000);
    expect(reasons()).toEqual(['idle']);
  });

  it('stops what runs for too long, however much it says', () => {
    const { say, reasons } = watch({ maxRuntimeMs: 1000 });
    for (let time = 0; time < 12; time++) {
      say(`word ${time}`);
      vi.advanceTimersByTime(100);
    }
    expect(reasons()).toEqual(['runtime']);
  });

  it('stops what writes too much, in bytes or in pieces, and says so once', () => {
    const bytes = watch({ outputLimitBytes: 10 });
    for (let time = 0; time < 5; time++) bytes.say('äöü€');
    expect(bytes.reasons()).toEqual(['output']);
    const pieces = watch({ maxTextDeltas: 3 });
    for (let time = 0; time < 5; time++) pieces.say('x');
    expect(pieces.reasons()).toEqual(['text_deltas']);
  });

  it('stops what says the same over and over, and lets a long table be', () => {
    const limits = { repetitionWindow: 400, repetitionThreshold: 10 };
    const stuck = watch(limits);
    for (let time = 0; time < 100; time++) stuck.say('I will look again. ');
    expect(stuck.reasons()).toEqual(['repetition']);
    const table = watch(limits);
    for (let row = 0; row < 200; row++) table.say(`| row ${row} | value |\n`);
    expect(table.reasons()).toEqual([]);
  });

  it('0 switches a limit off', () => {
    const off = { idleTimeoutMs: 0, maxRuntimeMs: 0, outputLimitBytes: 0, maxTextDeltas: 0 };
    const { say, reasons } = watch({ ...off, repetitionWindow: 0 });
    for (let time = 0; time < 10_000; time++) say('again ');
    vi.advanceTimersByTime(1e9);
    expect(reasons()).toEqual([]);
  });
});
