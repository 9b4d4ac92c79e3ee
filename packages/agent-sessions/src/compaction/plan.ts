import type { Message, UserMessage } from '@robota-sdk/agent-core';
import { estimateTokens } from '../context-window.ts';

/** Which part of a conversation is to be summarised. */
export interface CompactionPlan {
  readonly summarise: readonly Message[];
  /** The request being worked on, where it lies in the summarised part: it stays word for word. */
  readonly request: UserMessage | undefined;
  /** Never empty; begins with a message that is no tool result. */
  readonly keep: readonly [Message, ...Message[]];
}

/** Finds the cut: about `keepTokens` at the end stay, and no call is parted from its results. */
export function planCompaction(messages: readonly Message[], keepTokens: number): CompactionPlan | undefined {
  const cut = cutPoint(messages, keepTokens);
  const [first, ...rest] = messages.slice(cut);
  if (cut <= 0 || !first) return undefined;
  const request = lastRequest(messages, keepTokens);
  const keptRequest = request && messages.indexOf(request) < cut ? request : undefined;
  const summarise = messages.slice(0, cut).filter((message) => message !== keptRequest);
  if (summarise.length === 0) return undefined;
  return { summarise, request: keptRequest, keep: [first, ...rest] };
}

function cutPoint(messages: readonly Message[], keepTokens: number): number {
  let tokens = 0;
  let index = messages.length;
  while (index > 0 && tokens < keepTokens) {
    index--;
    const message = messages[index];
    if (message) tokens += estimateTokens(message);
  }
  const forward = messages.findIndex((message, at) => at >= index && message.role !== 'tool');
  if (forward >= 0) return forward;
  return messages.findLastIndex((message) => message.role !== 'tool');
}

/** A request too large for what is kept anyway is summarised like everything else. */
function lastRequest(messages: readonly Message[], keepTokens: number): UserMessage | undefined {
  const request = messages.findLast(isRequest);
  return request && estimateTokens(request) <= Math.max(keepTokens, 2_000) ? request : undefined;
}

/** Whether a person, and not the program, wrote a message. */
function isRequest(message: Message): message is UserMessage {
  return message.role === 'user' && message.origin !== 'summary' && message.origin !== 'reminder';
}
