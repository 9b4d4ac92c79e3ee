import type { RunOutcome } from '@robota-sdk/agent-core';
import type { TaskReason } from '../contract/task.ts';
import type { MeteredModels } from './metered-models.ts';

/** A wait for a vendor that names no time. */
const usualWaitMs = 5 * 60_000;

/** Why a run did not complete, and whether the task waits or fails. */
export function workReason(
  { error }: Pick<RunOutcome, 'error'>,
  { refusal }: Pick<MeteredModels, 'refusal'>,
): TaskReason & { readonly isParked: boolean } {
  // A limit that cannot be enforced does not become enforceable by waiting.
  if (refusal) return { ...refusal, isParked: refusal.code === 'budget' };
  const { code = 'internal', message = 'The run failed.', resetsAt } = error ?? {};
  if (code === 'budget' || code === 'max-cost') return { code: 'budget', message, isParked: true };
  if (code === 'max-turns') return { code: 'turns', message, isParked: false };
  if (code === 'rate-limit' || resetsAt !== undefined) {
    const until = resetsAt ?? new Date(Date.now() + usualWaitMs).toISOString();
    return { code: 'rate-limit', message, until, isParked: true };
  }
  const isInternal = code === 'internal' || code === 'session' || code === 'session-in-use';
  return { code: isInternal ? 'internal' : 'model', message, isParked: false };
}
