import { type CommandOutcome, describeMoney } from '@robota-sdk/agent-core';
import type { ContextItem, ContextReport, EditPreview, EditState } from '@robota-sdk/agent-sessions';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { describeTokens } from './describe-tokens.ts';

/** Subcommands that change items, and the resulting state. */
const editWords: Readonly<Record<string, EditState>> = {
  fold: 'folded',
  drop: 'dropped',
  restore: 'whole',
};

/** True if a subcommand of `/context` changes items. */
export function isEditWord(word: string): boolean {
  return Object.hasOwn(editWords, word);
}

/** Folds, drops or restores items by number. */
export async function editItems(
  session: InteractiveSession,
  word: string,
  numbers: readonly string[],
): Promise<CommandOutcome> {
  const { context, model } = session.getSession();
  const state = editWords[word] ?? 'whole';
  const items = context.items();
  const chosen = numbers.map((number) => items.find((item) => String(item.number) === number));
  const unknown = numbers.find((_, index) => chosen[index]?.messageId === undefined);
  if (numbers.length === 0 || unknown !== undefined) {
    const which = unknown === undefined ? `Missing number: /context ${word} N.` : `No item ${unknown}.`;
    return { kind: 'error', text: `${which} /context lists them.` };
  }
  const states = new Map(
    chosen.flatMap((item) => (item?.messageId ? [[item.messageId, state] as const] : [])),
  );
  const preview = await context.edit(states);
  session.publish({ type: 'context-change', context: session.getContextState() });
  const text = editReceipt({ preview, states: [...states.values()], window: model.contextWindow });
  return { kind: 'notice', text, data: { ...preview, items: context.items() } };
}

/** The rows of `/context` as text: number, tokens, share, description and state. */
export function itemLines(items: readonly ContextItem[], { maxTokens }: ContextReport): readonly string[] {
  const width = String(items.reduce((most, { number }) => Math.max(most, number), 0)).length + 1;
  return items.map((item) => {
    const number = (item.number > 0 ? `${item.number}.` : '').padStart(width);
    const share = `${Math.round((item.tokens / Math.max(1, maxTokens)) * 100)}%`.padStart(4);
    const notes = [item.turn === undefined ? '' : `turn ${item.turn}`, itemState(item)];
    const note = notes.filter((part) => part !== '').join(', ');
    return `${number}${`~${item.tokens}`.padStart(9)} ${share}  ${item.title}${note === '' ? '' : ` (${note})`}`;
  });
}

/** Describes the state of an item; empty if it is unchanged. */
export function itemState({ state, wholeTokens, isPinned }: ContextItem): string {
  const was = `was ${describeTokens(wholeTokens)}`;
  const hidden = state === 'whole' ? '' : `${state === 'pruned' ? 'left out' : state}, ${was}`;
  return [hidden, isPinned ? 'pinned' : ''].filter((part) => part !== '').join(', ');
}

/** The tokens that must be cached again and their price, as `re-caches 55K ($0.14)`; empty if none. */
export function recacheText({ recachedTokens, recacheCost }: EditPreview): string {
  if (recachedTokens === 0) return '';
  const price = recacheCost === undefined ? '' : ` (${describeMoney(recacheCost)})`;
  return `re-caches ${describeTokens(recachedTokens)}${price}`;
}

interface AppliedEdit {
  readonly preview: EditPreview;
  readonly states: readonly EditState[];
  readonly window: number;
  /** Other changes made with it, such as `pinned 1`. */
  readonly others?: readonly string[];
}

/** One line about edits that were made. */
export function editReceipt({ preview, states, window, others = [] }: AppliedEdit): string {
  const percent = (tokens: number) => `${Math.round((tokens / Math.max(1, window)) * 100)}%`;
  const counts = (['folded', 'dropped', 'whole'] as const).flatMap((state) => {
    const count = states.filter((each) => each === state).length;
    return count === 0 ? [] : [`${state === 'whole' ? 'restored' : state} ${count}`];
  });
  const change = `${percent(preview.tokensBefore)} → ${percent(preview.tokensAfter)}`;
  const facts = [`Context edited: ${change}`, [...counts, ...others].join(', '), recacheText(preview)];
  return facts.filter((fact) => fact !== '').join(' · ');
}
