import { type AgentEvent, given, type Message, object, text, words } from '@robota-sdk/agent-core';
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
  if (event.type === 'notice-show') return event.about === 'answer' ? { warning: event.text } : undefined;
  if (event.type !== 'run-end' || event.outcome.status === 'completed') return undefined;
  const { status, error } = event.outcome;
  const cut = last && cutOf(last);
  return cut && cut.error === error?.message
    ? undefined
    : { ended: status, ...given('error', error?.message) };
}

/** Why an answer ended early; without an error, the user interrupted it. */
export function cutOf(message: Message): { readonly error?: string } | undefined {
  if (message.role !== 'assistant') return undefined;
  const { stopReason, error } = message;
  if (stopReason === 'aborted' || error?.code === 'aborted') return {};
  return error && { error: error.message };
}
