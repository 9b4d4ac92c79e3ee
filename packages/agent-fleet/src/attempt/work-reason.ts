import type { RunOutcome } from '@robota-sdk/agent-core';
import type { TaskReason } from '../contract/task.ts';
import type { MeteredModels } from './metered-models.ts';

/** A wait for a vendor that names no time. */
const usualWaitMs = 5 * 60_000;

/** Why a run did not complete, and whether the task waits or fails. */
export function reasonOf(
  { error }: Pick<RunOutcome, 'error'>,
  { refusal, lastWait }: Pick<MeteredModels, 'refusal' | 'lastWait'>,
): TaskReason & { readonly isParked: boolean } {
  // A limit that cannot be enforced does not become enforceable by waiting.
  if (refusal) return { ...refusal, isParked: refusal.code === 'budget' };
  const { code = 'internal', message = 'The run failed.' } = error ?? {};
  if (code === 'budget' || code === 'max-cost') return { code: 'budget', message, isParked: true };
  if (code === 'max-turns') return { code: 'turns', message, isParked: false };
  const until = lastWait?.until;
  if (code === 'rate-limit' || (code === 'quota' && until)) {
    const time = until ?? new Date(Date.now() + usualWaitMs);
    return { code: 'rate-limit', message, until: time.toISOString(), isParked: true };
  }
  const isInternal = code === 'internal' || code === 'session' || code === 'session-in-use';
  return { code: isInternal ? 'internal' : 'model', message, isParked: false };
}
