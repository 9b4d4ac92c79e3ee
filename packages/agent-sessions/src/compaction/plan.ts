import type { Message, UserMessage } from '@robota-sdk/agent-core';
import { isRequest } from '../entry/is-request.ts';
import { estimateTokens } from '../window/context-window.ts';

/** Which part of a conversation is to be summarised. */
export interface CompactionPlan {
  /** All messages that leave the view, in order. */
  readonly summarise: readonly Message[];
  /** The end of `summarise` if the cut is inside a turn: the work on the current request. */
  readonly turn: readonly Message[];
  /** The current request, if it is in the summarized part: it is kept verbatim. */
  readonly request: UserMessage | undefined;
  /** The current request, if it is too large to keep. */
  readonly largeRequest: UserMessage | undefined;
  /** Never empty; does not start with a tool result. */
  readonly keep: readonly [Message, ...Message[]];
}

const alwaysKeptTokens = 2_000;

/** Finds the cut: about `keepTokens` at the end stay, and no call is parted from its results. */
export function planCompaction(messages: readonly Message[], keepTokens: number): CompactionPlan | undefined {
  const cut = cutPoint(messages, keepTokens);
  const [first, ...rest] = messages.slice(cut);
  if (cut <= 0 || !first) return undefined;
  const last = messages.findLast(isRequest);
  const lies = last && messages.indexOf(last) < cut ? last : undefined;
  const fits = lies && estimateTokens(lies) <= Math.max(keepTokens, alwaysKeptTokens);
  const request = fits ? lies : undefined;
  const summarise = messages.slice(0, cut).filter((message) => message !== request);
  if (summarise.length === 0) return undefined;
  const turn = turnBefore(messages, cut).filter((message) => message !== request);
  return { summarise, turn, request, largeRequest: fits ? undefined : lies, keep: [first, ...rest] };
}

/** A message larger than everything that may stay is not kept, unless nothing else would be left. */
function cutPoint(messages: readonly Message[], keepTokens: number): number {
  let tokens = 0;
  let index = messages.length;
  let hasStart = false;
  while (index > 0 && tokens < keepTokens) {
    const message = messages[index - 1];
    const size = message ? estimateTokens(message) : 0;
    if (hasStart && size > keepTokens) break;
    index--;
    tokens += size;
    hasStart ||= message?.role !== 'tool';
  }
  const forward = messages.findIndex((message, at) => at >= index && message.role !== 'tool');
  if (forward >= 0) return forward;
  return messages.findLastIndex((message) => message.role !== 'tool');
}

/** The part of a turn before a cut; undefined if a turn starts at the cut. */
function turnBefore(messages: readonly Message[], cut: number): readonly Message[] {
  const next = messages[cut];
  if (!next || isRequest(next)) return [];
  const start = messages.findLastIndex((message, at) => at < cut && isRequest(message));
  return start < 0 ? [] : messages.slice(start, cut);
}
