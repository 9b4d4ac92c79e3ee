import {
  type CompactionReceipt,
  describeCost,
  describeTokens,
  errorMessage,
  type Fate,
  fateTexts,
  type InteractiveSession,
  pluralize,
} from '@robota-sdk/agent-sdk/front-end';
import { truncateText } from '@robota-sdk/agent-tui';
import type { Stage } from '../stage/stage.ts';
import { ListPanel } from './list-panel.ts';

export interface ReceiptScreenOptions {
  /** Which compaction, counted from 1; the last one unless told. */
  readonly number?: number | undefined;
  readonly onClose?: (() => void) | undefined;
}

const order: readonly Fate[] = ['dropped', 'pruned', 'summarised', 'kept'];

/**
 * Shows the kept, summarized and dropped messages of a compaction; dropped ones can be recalled. Returns
 * false if there was no compaction.
 */
export function openReceiptScreen(
  stage: Stage,
  session: InteractiveSession,
  { number, onClose }: ReceiptScreenOptions = {},
): boolean {
  const { context } = session;
  const { receipts } = context;
  const wanted = number ?? receipts.length;
  const receipt = receipts[wanted - 1];
  if (!receipt) return false;
  const items = order.flatMap((fate) => receipt.items.filter((item) => item.fate === fate));
  const close = () => {
    open.close();
    onClose?.();
  };
  const panel = new ListPanel<string>({
    stage,
    title: `Compaction ${wanted}: ${compressedText(receipt)}`,
    items: items.map(({ messageId, fate, title, tokens }) => ({
      value: messageId,
      label: title,
      description: `${fateTexts[fate]}, ~${describeTokens(tokens)}`,
      group: fateTexts[fate],
    })),
    search: 'list',
    emptyText: 'No message fits',
    hints: [
      { action: 'tui.select.confirm', text: 'restore' },
      { action: 'tui.select.cancel', text: 'close' },
    ],
    head: (width) => factsOf(receipt).map((text) => truncateText(text, width, stage.look.glyphs.ellipsis)),
    onSelect: (messageId) => {
      void recall(session, messageId).then((told) => panel.lastLine.tell(told));
    },
    onCancel: close,
  });
  const open = stage.openScreen(panel);
  return true;
}

/** As `85% to 32% of the window`. */
export function compressedText({ tokensBefore, tokensAfter, contextWindow }: CompactionReceipt): string {
  const percent = (amount: number) => `${Math.round((amount / Math.max(1, contextWindow)) * 100)}%`;
  return `${percent(tokensBefore)} to ${percent(tokensAfter)} of the window`;
}

function factsOf({ items, pins, model, cost, notice }: CompactionReceipt): readonly string[] {
  const counts = order.toReversed().flatMap((fate) => {
    const count = items.filter((item) => item.fate === fate).length;
    return count === 0 ? [] : [`${count} ${fateTexts[fate]}`];
  });
  const price = cost > 0 ? ` for ${describeCost(cost)}` : '';
  return [
    `${pluralize(items.length, 'message')}: ${counts.join(', ')}${pins > 0 ? `, ${pins} pinned` : ''}`,
    ...(model === undefined ? [] : [`Summary by ${model}${price}`]),
    ...(notice === undefined ? [] : [notice]),
  ];
}

async function recall(session: InteractiveSession, messageId: string): Promise<string> {
  const { context } = session;
  const item = context.recallable.find((each) => each.messageId === messageId);
  if (!item) return 'This message is still in the context.';
  return context.recall(item).then(() => `Restored for the next prompt: ${item.title}`, errorMessage);
}
