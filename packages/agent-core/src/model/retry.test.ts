import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelFailure } from '../message/model-event.ts';
import { defaultRetryPolicy, describeSpan, planRetry, waitForRetry } from './retry.ts';

const failure = (extra: Partial<ModelFailure> = {}): ModelFailure => ({
  code: 'rate-limit',
  message: 'slow down.',
  retryable: true,
  ...extra,
});

describe('planRetry', () => {
  it('waits as long as the server asks, and little longer', () => {
    for (let round = 0; round < 50; round++) {
      const decision = planRetry(failure({ retryAfterMs: 2000 }), 1, defaultRetryPolicy);
      expect(decision.kind).toBe('wait');
      if (decision.kind !== 'wait') return;
      expect(decision.delayMs).toBeGreaterThanOrEqual(2000);
      expect(decision.delayMs).toBeLessThanOrEqual(2600);
    }
  });

  it('does not sleep a day: fails at once, and keeps the time of the reset', () => {
    const decision = planRetry(failure({ retryAfterMs: 86_400_000 }), 1, defaultRetryPolicy);
    expect(decision).toMatchObject({
      kind: 'fail',
      failure: { retryable: false, retryAfterMs: 86_400_000 },
    });
  });

  it('names spans of time as options take them', () => {
    const spans = [0, 45_000, 119_000, 121_000, 7_100_000, 7_300_000, 300_000_000].map(describeSpan);
    expect(spans).toEqual(['1 s', '45 s', '119 s', '3 m', '119 m', '3 h', '4 d']);
  });

  it('backs off exponentially with jitter up to a cap, for a bounded number of retries', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), (retry) => {
        const policy = { ...defaultRetryPolicy, maxRetries: 12 };
        const decision = planRetry(failure({ code: 'overloaded' }), retry, policy);
        const nominal = Math.min(30_000, 500 * 2 ** (retry - 1));
        return (
          decision.kind === 'wait' && decision.delayMs >= nominal * 0.74 && decision.delayMs <= nominal * 1.26
        );
      }),
    );
    expect(planRetry(failure(), 6, defaultRetryPolicy).kind).toBe('fail');
  });

  it('never repeats what cannot succeed', () => {
    expect(planRetry(failure({ code: 'auth', retryable: false }), 1, defaultRetryPolicy).kind).toBe('fail');
  });
});

it('waitForRetry returns as soon as the signal aborts', async () => {
  const controller = new AbortController();
  const waiting = waitForRetry(60_000, controller.signal);
  controller.abort();
  await expect(waiting).resolves.toBeUndefined();
});
