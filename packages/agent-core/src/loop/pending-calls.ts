import type { ToolCallContent } from '../message/content.ts';
import { type Message, toolCallsOf } from '../message/message.ts';

/** The calls of the last answer that have no result. */
interface PendingCalls {
  readonly calls: readonly ToolCallContent[];
  /** The message that made them. */
  readonly parentId: string;
  /** True if the answer was cut off, so that none of them has run. */
  readonly isTruncated: boolean;
}

/** Finds calls at the end of a history that lost their results; undefined if there are none. */
export function pendingCalls(history: readonly Message[]): PendingCalls | undefined {
  const at = history.findLastIndex(({ role }) => role !== 'tool');
  const answer = history[at];
  if (answer?.role !== 'assistant') return undefined;
  const answered = new Set(
    history.slice(at + 1).map((each) => (each.role === 'tool' ? each.toolCallId : '')),
  );
  const calls = toolCallsOf(answer).filter(({ id }) => !answered.has(id));
  if (calls.length === 0) return undefined;
  return { calls, parentId: answer.id, isTruncated: answer.stopReason === 'length' };
}
