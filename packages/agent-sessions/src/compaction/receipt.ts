import { isJsonObject, type JsonObject, type JsonValue, type Message } from '@robota-sdk/agent-core';
import type { Entry } from '../entry/entry.ts';
import { isShownToUser } from '../entry/is-shown-to-user.ts';
import { estimateTokens } from '../window/context-window.ts';
import { itemTitles } from './item-titles.ts';

const fates = ['kept', 'summarised', 'pruned', 'dropped'] as const;

/** The outcome for a message: kept, summarized, without its output, or dropped. */
export type Fate = (typeof fates)[number];

/** One message of the conversation as it was before a compaction. */
export interface ReceiptItem {
  readonly messageId: string;
  readonly fate: Fate;
  readonly title: string;
  /** An estimate. */
  readonly tokens: number;
}

/** The effect of a compaction, item by item. */
export interface CompactionReceipt {
  readonly reason: 'manual' | 'threshold' | 'overflow';
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** The window that had to be fitted into. */
  readonly contextWindow: number;
  /** The model that wrote the summary, `vendor/id`; absent if there is none. */
  readonly model?: string;
  /** US dollars for the summary, failed attempts included. */
  readonly cost: number;
  readonly pins: number;
  readonly notice?: string;
  readonly items: readonly ReceiptItem[];
}

/** The items of a conversation with what became of them; what is not named was kept. What only the model was told is none. */
export function receiptItems(
  messages: readonly Message[],
  changed: ReadonlyMap<string, Fate>,
): readonly ReceiptItem[] {
  const titles = itemTitles(messages);
  return messages.filter(isShownToUser).map((message) => ({
    messageId: message.id,
    fate: changed.get(message.id) ?? 'kept',
    title: titles.get(message.id) ?? '',
    tokens: estimateTokens(message),
  }));
}

/** The receipt as it is stored. */
export function receiptToJson(receipt: CompactionReceipt): JsonObject {
  return { ...receipt, items: receipt.items.map((item) => ({ ...item })) };
}

/** The receipts of a branch, oldest first; compactions of other programs have none. */
export function receiptsOf(path: readonly Entry[]): readonly CompactionReceipt[] {
  return path.flatMap((entry) => {
    const about =
      entry.type === 'compaction' ? entry.details : entry.type === 'custom' ? entry.data : undefined;
    const receipt = isJsonObject(about) && isJsonObject(about.receipt) ? decode(about.receipt) : undefined;
    return receipt ? [receipt] : [];
  });
}

function decode(value: JsonObject): CompactionReceipt | undefined {
  const { reason, tokensBefore, tokensAfter, contextWindow, model, cost, pins, notice, items } = value;
  if (reason !== 'manual' && reason !== 'threshold' && reason !== 'overflow') return undefined;
  if (!Array.isArray(items)) return undefined;
  return {
    reason,
    tokensBefore: amount(tokensBefore),
    tokensAfter: amount(tokensAfter),
    contextWindow: amount(contextWindow),
    cost: amount(cost),
    pins: amount(pins),
    ...(typeof model === 'string' ? { model } : {}),
    ...(typeof notice === 'string' ? { notice } : {}),
    items: items.flatMap(decodeItem),
  };
}

function decodeItem(item: JsonValue): ReceiptItem[] {
  if (!isJsonObject(item)) return [];
  const { messageId, title, tokens } = item;
  const fate = fates.find((known) => known === item.fate);
  if (typeof messageId !== 'string' || typeof title !== 'string' || !fate) return [];
  return [{ messageId, fate, title, tokens: amount(tokens) }];
}

function amount(value: JsonValue | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
