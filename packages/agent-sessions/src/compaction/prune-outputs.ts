import type { Message, ToolMessage } from '@robota-sdk/agent-core';
import { estimateTokens } from '../context-window.ts';
import { type Pruning, pruned } from '../entry/prune.ts';
import { timeAfter } from './time-after.ts';

export interface PruneOptions {
  /** The newest results stay whole, this many of them. */
  readonly keepResults: number;
  /** Smaller results are not worth it. */
  readonly minimumTokens: number;
  /** Messages that stay whole whatever their size. */
  readonly pinned?: ReadonlySet<string>;
}

/** A conversation whose old, large tool outputs are replaced by a note. */
export interface PrunedConversation {
  readonly messages: readonly Message[];
  readonly pruning: Pruning;
}

/** Leaves out old, large tool outputs; nothing if there are none. */
export function pruneOutputs(
  messages: readonly Message[],
  { keepResults, minimumTokens, pinned = new Set() }: PruneOptions,
): PrunedConversation | undefined {
  const results = messages.filter((message): message is ToolMessage => message.role === 'tool');
  const old = results.slice(0, Math.max(0, results.length - keepResults));
  const large = new Set(
    old
      .filter((message) => estimateTokens(message) >= minimumTokens && !pinned.has(message.id))
      .map(({ id }) => id),
  );
  if (large.size === 0) return undefined;
  const at = timeAfter(messages);
  return {
    messages: messages.map((message) =>
      message.role === 'tool' && large.has(message.id) ? pruned(message, at) : message,
    ),
    pruning: { messageIds: [...large], at },
  };
}
