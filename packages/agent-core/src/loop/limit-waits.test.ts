import { recorder, ScriptedProvider, testChoice, testRun } from '@robota-sdk/agent-testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { defaultRetryPolicy } from '../model/retry.ts';
import { runAgent } from './run-agent.ts';

const limited = (retryAfterMs: number) => ({
  failure: { code: 'rate-limit', retryable: true, retryAfterMs, message: 'Slow down.' } as const,
});
/** Every limit is waited for as one that resets late. */
const retry = { ...defaultRetryPolicy, maxRetries: 0 };
const ref = { vendor: 'scripted', id: 'test', api: 'openai' } as const;

function runOf(provider: ScriptedProvider, more: Parameters<typeof testRun>[1] = {}) {
  const { events, emit } = recorder();
  const types = () => events.map(({ type }) => type);
  return { events, types, outcome: runAgent(testRun(provider, { retry, ...more }), emit) };
}

describe('a limit that resets', () => {
  it('is waited for, and the same request is sent again', async () => {
    const provider = new ScriptedProvider([limited(20), limited(5), { text: 'done' }]);
    const { events, types, outcome } = runOf(provider, { maxLimitWaitMs: 60_000 });
    expect(await outcome).toMatchObject({ status: 'completed', text: 'done', turns: 1 });
    expect(types().filter((type) => type.startsWith('limit'))).toEqual([
      'limit-wait',
      'limit-end',
      'limit-wait',
      'limit-end',
    ]);
    const [first, second] = events.flatMap((event) => (event.type === 'limit-wait' ? [event.until] : []));
    // A server whose limit is not over at the time that it named is asked less often.
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(2_000);
  });

  it('is waited for a little longer by some sessions, so that not all ask at once', async () => {
    const now = Date.now();
    onTestFinished(() => void vi.restoreAllMocks());
    vi.spyOn(Date, 'now').mockReturnValue(now);
    const delayOf = async (sessionId: string, waitMs: number) => {
      const leaving = new AbortController();
      const run = testRun(new ScriptedProvider([limited(waitMs)]), {
        retry,
        maxLimitWaitMs: waitMs,
        sessionId,
        signal: leaving.signal,
      });
      const delays: number[] = [];
      await runAgent(run, async (event) => {
        if (event.type !== 'limit-wait') return;
        delays.push(event.until - now - waitMs);
        leaving.abort();
      });
      return delays[0] ?? -1;
    };
    const ids = ['019a-1', '019a-2', '019a-3', '019a-4'];
    const delays = await Promise.all(ids.map((id) => delayOf(id, 3_600_000)));
    expect(new Set(delays).size).toBe(4);
    expect(await delayOf('019a-1', 3_600_000)).toBe(delays[0]);
    expect(delays.every((delay) => delay >= 0 && delay <= 5_000)).toBe(true);
    expect(await delayOf('019a-1', 2_000)).toBeLessThanOrEqual(100);
  });

  it('is waited for no longer where the clock is set back meanwhile', async () => {
    const now = Date.now.bind(Date);
    const { emit } = recorder();
    const run = testRun(new ScriptedProvider([limited(20), { text: 'done' }]), {
      retry,
      maxLimitWaitMs: 60_000,
    });
    const outcome = runAgent(run, (event) => {
      if (event.type === 'limit-wait') vi.spyOn(Date, 'now').mockImplementation(() => now() - 7_200_000);
      return emit(event);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await outcome).toMatchObject({ status: 'completed', text: 'done' });
  });

  it('ends the run with its time where waiting is not allowed, or not for so long', async () => {
    const before = Date.now();
    const { types, outcome } = runOf(new ScriptedProvider([limited(3_600_000)]));
    const { error, status } = await outcome;
    expect(status).toBe('failed');
    expect(error).toMatchObject({
      code: 'rate-limit',
      message: expect.stringMatching(/resets at .*, in 60 m\./),
    });
    expect(Date.parse(error?.resetsAt ?? '')).toBeGreaterThanOrEqual(before + 3_600_000);
    expect(types()).not.toContain('limit-wait');
    const longer = runOf(new ScriptedProvider([limited(3_600_000)]), { maxLimitWaitMs: 1_000 });
    expect((await longer.outcome).error?.message).toContain('longer than a run may wait');
  });

  it('comes after the fallback models, and the model that is free first resumes', async () => {
    const first = new ScriptedProvider([limited(10), { text: 'first again' }]);
    const second = new ScriptedProvider([limited(3_600_000)]);
    const models = [testChoice(first), testChoice(second)] as const;
    const { types, outcome } = runOf(first, { models: [models[0], models[1]], maxLimitWaitMs: 60_000 });
    expect(await outcome).toMatchObject({ status: 'completed', text: 'first again' });
    expect(types().filter((type) => /limit|switch/.test(type))).toEqual([
      'model-switch',
      'limit-wait',
      'limit-end',
      'model-switch',
    ]);
  });

  it('is not waited for where the budget is spent', async () => {
    let asked = 0;
    const checkSpending = async () =>
      asked++ === 0 ? undefined : ({ code: 'max-cost', message: 'Spent.' } as const);
    const { types, outcome } = runOf(new ScriptedProvider([limited(10)]), {
      maxLimitWaitMs: 60_000,
      checkSpending,
    });
    expect(await outcome).toMatchObject({ status: 'limit', error: { code: 'max-cost' } });
    expect(types()).not.toContain('limit-wait');
  });

  it('is no longer waited for after an interruption', async () => {
    const controller = new AbortController();
    const { emit } = recorder();
    const run = testRun(new ScriptedProvider([limited(3_600_000)]), {
      retry,
      maxLimitWaitMs: Number.POSITIVE_INFINITY,
      signal: controller.signal,
    });
    const outcome = runAgent(run, (event) => {
      if (event.type === 'limit-wait') setImmediate(() => controller.abort());
      return emit(event);
    });
    expect(await outcome).toMatchObject({ status: 'aborted' });
  });

  it('of an earlier process is waited for first, if that is allowed', async () => {
    const { failure } = limited(0);
    const parked = { model: ref, failure, until: Date.now() + 20 };
    const provider = new ScriptedProvider([{ text: 'resumed' }]);
    const { types, outcome } = runOf(provider, { parked, maxLimitWaitMs: 60_000 });
    expect(await outcome).toMatchObject({ status: 'completed', text: 'resumed' });
    expect(types().slice(0, 4)).toEqual(['run-start', 'limit-wait', 'limit-end', 'message-append']);
    const late = { ...parked, until: Date.now() + 3_600_000 };
    const refused = runOf(new ScriptedProvider([]), { parked: late });
    expect(await refused.outcome).toMatchObject({
      status: 'failed',
      error: { code: 'rate-limit', resetsAt: new Date(late.until).toISOString() },
    });
  });
});
