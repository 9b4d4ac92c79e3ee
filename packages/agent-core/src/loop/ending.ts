import type { ModelFailure } from '../message/model-event.ts';
import type { RunOutcome } from '../message/run-outcome.ts';
import { givenFields } from '../model/given.ts';
import type { AgentErrorCode } from '../problem/agent-error.ts';
import { pluralize } from '../problem/pluralize.ts';

/** How a run ended, without its usage. */
export type Ending = Pick<RunOutcome, 'status' | 'error'>;

export function ended(status: RunOutcome['status'], code: AgentErrorCode, message: string): Ending {
  return { status, error: { code, message } };
}

/** The end of a run whose model failed, exceeded the spending limit or was interrupted. */
export function endedBy({ code, message, status: http, resetsAt }: ModelFailure): Ending {
  if (code === 'aborted') return { status: 'aborted' };
  const status = code === 'max-cost' || code === 'budget' ? 'limit' : 'failed';
  return { status, error: { code, message, ...givenFields({ status: http, resetsAt }) } };
}

export function tooManyTurns(maxTurns: number): Ending {
  const message = `Stopped after ${pluralize(maxTurns, 'turn')}, the limit. Send another prompt to continue, or raise maxTurns (--max-turns).`;
  return ended('limit', 'max-turns', message);
}

/** The end of a run whose model makes the same calls again and again. */
export function repeatedCalls(names: string): Ending {
  const message = `Stopped: the model kept repeating the same call (${names}) with the same result. Say what to do differently, or try another model.`;
  return ended('limit', 'no-progress', message);
}
