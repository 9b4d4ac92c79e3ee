import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelFailure } from '../message/model-event.ts';

/** Settings for retries of a failed model call. */
export interface RetryPolicy {
  /** Attempts after the first one. */
  readonly maxRetries: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** If a server asks for a longer wait, the call fails. */
  readonly maxRetryAfterMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  maxRetries: 5,
  baseDelayMs: 500,
  maxDelayMs: 30_000,
  maxRetryAfterMs: 120_000,
};

/** `wait`: retry after a delay; `fail`: give up, with the failure to show. */
export type RetryDecision =
  | { readonly kind: 'wait'; readonly delayMs: number }
  | { readonly kind: 'fail'; readonly failure: ModelFailure };

/** Decides what follows a failure; `retry` counts from 1. */
export function planRetry(failure: ModelFailure, retry: number, policy: RetryPolicy): RetryDecision {
  if (!failure.retryable || retry > policy.maxRetries) return { kind: 'fail', failure };
  const wished = failure.retryAfterMs;
  if (wished === undefined) return { kind: 'wait', delayMs: backoff(retry, policy) };
  if (wished > policy.maxRetryAfterMs) return { kind: 'fail', failure: { ...failure, retryable: false } };
  const jitter = Math.random() * Math.min(500, policy.baseDelayMs);
  // The server's delay was wrong once, so it is no longer trusted.
  const least = retry === 1 ? 0 : backoff(retry, policy);
  return { kind: 'wait', delayMs: Math.round(Math.max(wished + jitter, least)) };
}

/** Waits, or returns early when the signal aborts. */
export async function waitForRetry(delayMs: number, signal: AbortSignal): Promise<void> {
  await sleep(delayMs, undefined, { signal }).catch(() => {});
}

function backoff(retry: number, policy: RetryPolicy): number {
  const full = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (retry - 1));
  return Math.round(full * (0.75 + Math.random() * 0.5));
}

/** Formats a time such as `45 s`, `3 m`, `5 h`, `4 d`; options accept it without the space. */
export function describeSpan(milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1_000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 2 * 3_600) return `${Math.ceil(seconds / 60)} m`;
  return seconds < 72 * 3_600 ? `${Math.ceil(seconds / 3_600)} h` : `${Math.ceil(seconds / 86_400)} d`;
}
