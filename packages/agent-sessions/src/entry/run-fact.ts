import { type AgentEvent, cutOf, given, type Message, object, text, words } from '@robota-sdk/agent-core';
import { customData } from './custom-data.ts';

/** A fact about a run that no message has: a warning about an answer, or why the run ended early. */
export interface RunFact {
  readonly warning?: string;
  readonly ended?: 'aborted' | 'failed' | 'limit';
  readonly error?: string;
}

/** The entries of these facts. */
export const runFacts = customData<RunFact>('robota.run', () =>
  object({}, { warning: text, ended: words('aborted', 'failed', 'limit'), error: text }),
);

/** The fact in an event, unless the last message has it. */
export function runFactOf(event: AgentEvent, last: Message | undefined): RunFact | undefined {
  const fact = factIn(event);
  return fact && isToldBy(last, fact) ? undefined : fact;
}

function factIn(event: AgentEvent): RunFact | undefined {
  if (event.type === 'notice-show') return event.about === 'answer' ? { warning: event.text } : undefined;
  if (event.type !== 'run-end' || event.outcome.status === 'completed') return undefined;
  const { status, error } = event.outcome;
  return { ended: status, ...given('error', error?.message) };
}

/**
 * True if an answer that was cut off says a fact itself. Older versions stored the fact as well, and why a model refused in
 * the fact alone.
 */
export function isToldBy(last: Message | undefined, { warning, error }: RunFact): boolean {
  const cut = last?.role === 'assistant' ? cutOf(last) : undefined;
  if (!cut || last?.role !== 'assistant') return false;
  if (warning !== undefined) return cut.reason === 'length';
  if (cut.reason === 'aborted') return error === undefined;
  return cut.reason === 'error' && (cut.text === error || last.stopReason === 'refusal');
}
