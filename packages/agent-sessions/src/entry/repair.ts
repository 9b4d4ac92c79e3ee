import {
  type AssistantMessage,
  type Message,
  type ToolCallContent,
  type ToolMessage,
  toolCallsOf,
  toolEnd,
} from '@robota-sdk/agent-core';
import { stableUuid } from './stable-uuid.ts';

const noResult =
  'No result was recorded: the session was interrupted while this call ran. It may have taken effect in part, so check the state before repeating it.';

/** Calls at the end that may stay without results: all, or those of some ids. */
export interface PendingChoice {
  readonly keepsPending?: boolean | ReadonlySet<string>;
}

/**
 * Turns a history into one that every vendor accepts: each call is followed by exactly its results in order; results
 * without a call and empty answers are removed. A call without a result never runs again, unless calls at the end are
 * kept pending for a decision.
 */
export function repairMessages(
  messages: readonly Message[],
  { keepsPending = false }: PendingChoice = {},
): Message[] {
  const lastSpoken = keepsPending ? messages.findLastIndex(({ role }) => role !== 'tool') : -1;
  const repaired: Message[] = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (!message || message.role === 'tool') continue;
    if (message.role === 'user') {
      repaired.push(message);
      continue;
    }
    if (message.content.length === 0) continue;
    repaired.push(message);
    const calls = toolCallsOf(message);
    if (calls.length === 0) continue;
    const results = resultsAfter(messages, index);
    const pending = index === lastSpoken ? keepsPending : false;
    for (const call of calls) {
      const result = results.get(call.id);
      if (result) repaired.push(result);
      else if (!isPending(pending, call.id)) repaired.push(synthetic(message, call));
    }
  }
  return repaired;
}

function isPending(choice: boolean | ReadonlySet<string>, id: string): boolean {
  return typeof choice === 'boolean' ? choice : choice.has(id);
}

/** The results up to the next answer of the model; some vendors use the same call ids again in later turns. */
function resultsAfter(messages: readonly Message[], index: number): ReadonlyMap<string, ToolMessage> {
  const results = new Map<string, ToolMessage>();
  for (let next = index + 1; next < messages.length; next++) {
    const message = messages[next];
    if (message?.role === 'assistant' && message.content.length > 0) break;
    if (message?.role === 'tool') results.set(message.toolCallId, message);
  }
  return results;
}

function synthetic(message: AssistantMessage, call: ToolCallContent): ToolMessage {
  return {
    id: stableUuid(message.id, call.id),
    parentId: message.id,
    timestamp: message.timestamp,
    role: 'tool',
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: 'text', text: noResult }],
    ...toolEnd('aborted'),
  };
}
