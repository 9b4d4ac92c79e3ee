import type { Look } from '@robota-sdk/agent-tui';
import type { Item } from './item.ts';

/** How items are drawn. */
export interface ItemView {
  readonly look: Look;
  readonly columns: number;
  /** The item before, which decides over labels and blank lines. */
  readonly previous?: Item | undefined;
  /** Everything of it, as the pager shows it; else outputs are cut. */
  readonly isWhole?: boolean;
  /** Thinking is shown by its first words only. */
  readonly isThinkingHidden?: boolean;
}

/** The lines of an item, the same in the live region, in the scrollback and in the pager. */
export async function renderItem(_item: Item, _view: ItemView): Promise<readonly string[]> {
  return [];
}
