import {
  type CompactionReason,
  type JsonObject,
  lazy,
  list,
  type Message,
  number,
  object,
  text,
  words,
} from '@robota-sdk/agent-core';
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
  readonly reason: CompactionReason;
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

/** The items of a conversation with their outcome. Default: kept. Messages for the model only are omitted. */
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
    const kept = aboutShape.parse(about)?.receipt;
    if (!kept) return [];
    const { tokensBefore = 0, tokensAfter = 0, contextWindow = 0, cost = 0, pins = 0, ...rest } = kept;
    const items = kept.items.map(({ tokens = 0, ...item }) => ({ ...item, tokens }));
    return [{ ...rest, tokensBefore, tokensAfter, contextWindow, cost, pins, items }];
  });
}

/** The data of an entry with a receipt; a damaged item costs only itself. */
const aboutShape = lazy(() => {
  const item = object({ messageId: text, fate: words(...fates), title: text }, { tokens: number });
  const amounts = {
    tokensBefore: number,
    tokensAfter: number,
    contextWindow: number,
    cost: number,
    pins: number,
  };
  const required = { reason: words('manual', 'threshold', 'overflow'), items: list(item) };
  return object({ receipt: object(required, { ...amounts, model: text, notice: text }) });
});
