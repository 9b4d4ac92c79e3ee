import type { ToolCallContent } from './content.ts';
import {
  type AssistantMessage,
  type Message,
  type ToolMessage,
  toolCallsOf,
  type UserMessage,
} from './message.ts';

/** A call and its result; undefined if the result is missing. */
export interface AnsweredCall {
  readonly call: ToolCallContent;
  readonly result: ToolMessage | undefined;
}

/** A step of a conversation in which every call is paired with its result, as vendors require. */
export type Exchange =
  | { readonly kind: 'user'; readonly message: UserMessage }
  | {
      readonly kind: 'assistant';
      readonly message: AssistantMessage;
      readonly calls: readonly AnsweredCall[];
    }
  /** A result whose call is gone. */
  | { readonly kind: 'stray-result'; readonly message: ToolMessage };

/** Sent to the model instead of a result that was never recorded. */
export const missingResult = 'No result was recorded for this call: it was interrupted.';

/** Pairs calls and results, whatever order or gaps the messages have. */
export function exchangesOf(messages: readonly Message[]): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  const used = new Set<ToolMessage>();
  for (const [position, message] of messages.entries()) {
    if (message.role === 'user') exchanges.push({ kind: 'user', message });
    else if (message.role === 'assistant') {
      const results = resultsAfter(messages, position);
      const calls = toolCallsOf(message).map((call) => ({ call, result: results.get(call.id) }));
      for (const { result } of calls) if (result) used.add(result);
      exchanges.push({ kind: 'assistant', message, calls });
    } else if (!used.has(message)) exchanges.push({ kind: 'stray-result', message });
  }
  return exchanges;
}

/** The results up to the next assistant message; later ones answer later calls. */
function resultsAfter(messages: readonly Message[], position: number): Map<string, ToolMessage> {
  const results = new Map<string, ToolMessage>();
  for (let next = position + 1; next < messages.length; next++) {
    const message = messages[next];
    if (message?.role === 'assistant') break;
    if (message?.role === 'tool' && !results.has(message.toolCallId))
      results.set(message.toolCallId, message);
  }
  return results;
}
