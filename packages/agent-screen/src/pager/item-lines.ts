import { promptMarks } from '@robota-sdk/agent-tui';
import type { ShownItem } from '../items/fold-reads.ts';
import type { ItemFormat } from '../items/item-view.ts';
import { renderItem } from '../items/render-item.ts';
import type { AppStyle } from '../theme/app-tokens.ts';

/** Lines of items that are drawn are kept for those in sight and a few around them. */
const mostKept = 64;

export interface ItemLinesOptions {
  readonly items: readonly ShownItem[];
  readonly look: AppStyle;
  readonly format?: ItemFormat | undefined;
  readonly render?: typeof renderItem;
}

/** The lines of items at a width, drawn when they are asked for and soon forgotten. */
export class ItemLines {
  readonly #options: ItemLinesOptions;
  readonly #kept = new Map<number, readonly string[]>();
  /** Items that are shown in another way than the others: unfolded where they are folded, and the other way round. */
  readonly #turned = new Set<number>();
  #columns = 80;
  #isAllWhole = false;
  isThinkingHidden = false;

  constructor(options: ItemLinesOptions) {
    this.#options = options;
  }

  /** How many items are drawn at present. */
  get kept(): number {
    return this.#kept.size;
  }

  get columns(): number {
    return this.#columns;
  }

  set columns(columns: number) {
    if (columns === this.#columns) return;
    this.#columns = columns;
    this.#kept.clear();
  }

  at(index: number): readonly string[] {
    const known = this.#kept.get(index);
    if (known) {
      this.#kept.delete(index);
      this.#kept.set(index, known);
      return known;
    }
    const lines = this.#draw(index);
    this.#kept.set(index, lines);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
    }
    return lines;
  }

  /** True if all of an item is shown. */
  isWhole(index: number): boolean {
    return this.#isAllWhole !== this.#turned.has(index);
  }

  /** Shows all of an item, or only the beginning of it again. */
  turn(index: number): void {
    if (!this.#turned.delete(index)) this.#turned.add(index);
    this.#kept.delete(index);
  }

  /** Unfolds everything, or folds it again. */
  turnAll(): void {
    this.#isAllWhole = !this.#isAllWhole;
    this.#turned.clear();
    this.#kept.clear();
  }

  /** Forgets what was drawn: colours or what is shown have changed. */
  clear(): void {
    this.#kept.clear();
  }

  #draw(index: number): readonly string[] {
    const { items, look, format, render = renderItem } = this.#options;
    const item = items[index];
    if (!item) return [];
    const previous = items[index - 1];
    const { isThinkingHidden } = this;
    const lines = render(item, {
      look,
      columns: this.#columns,
      previous,
      isThinkingHidden,
      isWhole: this.isWhole(index),
      isHistory: true,
      format,
    });
    return lines.map(withoutMarks);
  }
}

/** Marks of prompts are for the scrollback, where terminals jump between them. */
function withoutMarks(line: string): string {
  if (!line.includes('\x1b]133;')) return line;
  return Object.values(promptMarks).reduce((text, mark) => text.replaceAll(mark, ''), line);
}
