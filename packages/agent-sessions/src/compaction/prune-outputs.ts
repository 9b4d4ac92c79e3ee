import type { Message, ToolMessage } from '@robota-sdk/agent-core';
import { isRequest } from '../entry/is-request.ts';
import { type Pruning, pruned } from '../entry/prune.ts';
import { summaryOf } from '../entry/summary-message.ts';
import { estimateTokens } from '../window/context-window.ts';
import { timeAfter } from './time-after.ts';

export interface PruneOptions {
  /** The newest results stay whole, this many of them. */
  readonly keepResults: number;
  /** Smaller results are not worth it. */
  readonly minimumTokens: number;
  /** Messages that are never shortened. */
  readonly pinned?: ReadonlySet<string>;
}

/** A conversation whose old, large tool outputs are replaced by a note. */
export interface PrunedConversation {
  readonly messages: readonly Message[];
  readonly pruning: Pruning;
}

/** Drops old, large tool outputs; undefined if there are none. */
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
  const pruning = { messageIds: [...large], at: timeAfter(messages) };
  return {
    messages: messages.map((message) => (large.has(message.id) ? pruned(message, pruning) : message)),
    pruning,
  };
}

export interface ShortenOptions {
  /** Messages up to this size stay as they are. */
  readonly largerThan: number;
  /** The kept length of each text. */
  readonly characters: number;
  readonly pinned?: ReadonlySet<string>;
  /** The messages to shorten. Default: all. */
  readonly among?: readonly Message[] | undefined;
  /** Saves the full text of a request in a file and returns its location. */
  readonly saveText?: ((message: Message) => string | undefined) | undefined;
}

/** Removes the middle of every message that is too large; undefined if none gets shorter. */
export function shortenMessages(
  messages: readonly Message[],
  { largerThan, characters, pinned = new Set(), among = messages, saveText }: ShortenOptions,
): PrunedConversation | undefined {
  const at = timeAfter(messages);
  const shorter = new Map<string, Message>();
  const files: Record<string, string> = {};
  for (const message of among) {
    const size = estimateTokens(message);
    if (size <= largerThan || pinned.has(message.id) || summaryOf(message) !== undefined) continue;
    const cut = pruned(message, { messageIds: [], at, characters });
    if (estimateTokens(cut) > size * leastGain) continue;
    const file = isRequest(message) ? saveText?.(message) : undefined;
    if (file !== undefined) files[message.id] = file;
    shorter.set(message.id, pruned(message, { messageIds: [], at, characters, files }));
  }
  if (shorter.size === 0) return undefined;
  const saved = Object.keys(files).length > 0 ? { files } : {};
  return {
    messages: messages.map((message) => shorter.get(message.id) ?? message),
    pruning: { messageIds: [...shorter.keys()], at, characters, ...saved },
  };
}

/** The kept part of a message must be smaller than this share. */
const leastGain = 0.9;
