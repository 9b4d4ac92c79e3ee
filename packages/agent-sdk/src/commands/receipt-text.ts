import { describeCost } from '@robota-sdk/agent-core';
import type { CompactionReceipt, Fate } from '@robota-sdk/agent-sessions';
import { describeTokens } from './describe-tokens.ts';

/** Labels of outcomes. */
export const fateTexts: Readonly<Record<Fate, string>> = {
  kept: 'kept',
  summarised: 'summarized',
  pruned: 'shortened',
  dropped: 'left out',
};

/** Summarizes a compaction in two lines. */
export function receiptSummary(receipt: CompactionReceipt): string {
  const parts = (Object.keys(fateTexts) as Fate[]).flatMap((fate) => {
    const items = receipt.items.filter((item) => item.fate === fate);
    const tokens = items.reduce((sum, item) => sum + item.tokens, 0);
    return items.length === 0
      ? []
      : [`${items.length} ${fateTexts[fate]} (~${describeTokens(tokens)} tokens)`];
  });
  const pins = receipt.pins === 0 ? [] : [`${receipt.pins} pinned`];
  const messages = `Messages: ${[...parts, ...pins].join(', ')}.${summaryBy(receipt)}`;
  return `${messages}\n/context receipt lists them; /recall brings one back.`;
}

/** Every item of a receipt. */
export function receiptText(receipt: CompactionReceipt, number: number): string {
  const { reason, tokensBefore, tokensAfter, items, notice } = receipt;
  const reasons = {
    manual: 'asked for',
    threshold: 'the window was nearly full',
    overflow: 'too long for the model',
  };
  const width = Math.max(...items.map(({ tokens }) => String(tokens).length), 1);
  return [
    `Compaction ${number}: ${reasons[reason]}, ${tokensBefore} → ${tokensAfter} tokens.${summaryBy(receipt)}`,
    ...(notice === undefined ? [] : [notice]),
    ...items.map(({ fate, tokens, title }) => {
      return `  ${fateTexts[fate].padEnd(14)} ${`~${tokens}`.padStart(width + 1)}  ${title}`;
    }),
  ].join('\n');
}

function summaryBy({ model, cost }: CompactionReceipt): string {
  const price = cost > 0 ? ` for ${describeCost(cost)}` : '';
  return model === undefined ? '' : ` Summary by ${model}${price}.`;
}
