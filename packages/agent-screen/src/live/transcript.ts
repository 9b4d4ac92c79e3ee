import type { Item, ToolItem } from '@robota-sdk/agent-sessions';
import type { Finished } from '@robota-sdk/agent-tui';
import { isRead, readsOf, type ShownItem } from '../items/fold-reads.ts';
import type { ImageView, ItemFormat, ItemKind, ItemView } from '../items/item-view.ts';
import { redacted } from '../items/redacted.ts';
import { leadOf, renderItem } from '../items/render-item.ts';
import type { AppStyle } from '../theme/app-tokens.ts';

export interface TranscriptOptions {
  readonly look: AppStyle;
  /** Puts lines into the scrollback. */
  commit(finished: Finished): void;
  isThinkingHidden(): boolean;
  /** Compact by default. */
  format?(): ItemFormat;
  /** How the terminal shows images, if it does. */
  images?(): ImageView | undefined;
  /** Takes secrets out of what is shown. */
  redact?(text: string): string;
}

/**
 * Finished items, in order: each goes into the scrollback once and is not kept. In the compact view reads and searches are
 * held until something else comes, since they are told in one line.
 */
export class Transcript {
  readonly #options: TranscriptOptions;
  /** Above everything there is the header. */
  #previous: ItemKind | undefined = { kind: 'run-end' };
  #reads: ToolItem[] = [];
  /** Notices that wait for their calls, by the ids of these. */
  readonly #notes = new Map<string, readonly Item[]>();
  /** The drawn reads: their outputs are counted once, not for every frame. */
  #held: { readonly columns: number; readonly lines: readonly string[] } | undefined;

  constructor(options: TranscriptOptions) {
    this.#options = options;
  }

  /** The item that was printed or begun last. */
  get previous(): ItemKind | undefined {
    return this.#previous;
  }

  /** How items are shown now. */
  get format(): ItemFormat {
    return this.#options.format?.() ?? { view: 'compact' };
  }

  /** The lines of reads and searches that others may still join. */
  renderHeld(columns: number): readonly string[] {
    if (this.#reads.length === 0) return [];
    if (this.#held?.columns !== columns)
      this.#held = { columns, lines: renderItem(readsOf(this.#reads), this.#view(columns)) };
    return this.#held.lines;
  }

  print(given: Item): void {
    if (given.kind === 'notice' && given.after !== undefined) {
      const { after, ...note } = given;
      this.#notes.set(after, [...(this.#notes.get(after) ?? []), note]);
      return;
    }
    this.#take(this.redacted(given));
    const notes = given.kind === 'tool' ? this.#notes.get(given.callId) : undefined;
    if (notes === undefined || given.kind !== 'tool') return;
    this.#notes.delete(given.callId);
    for (const note of notes) this.print(note);
  }

  #take(item: Item): void {
    const view = this.#view(80);
    const isCompact = view.format?.view === 'compact';
    if (isCompact && isRead(item)) return this.#hold(item);
    // Thinking that leaves no line does not part what is around it.
    if (isCompact && item.kind === 'thinking' && renderItem(item, view).length === 0) return;
    this.flush();
    this.#print(item);
  }

  /** Puts what is held into the scrollback. */
  flush(): void {
    this.#held = undefined;
    if (this.#reads.length > 0) this.#print(readsOf(this.#reads.splice(0)));
  }

  /** An item as it may be shown. */
  redacted<T extends Item>(item: T): T {
    const { redact } = this.#options;
    return redact ? redacted(item, (text) => redact(text)) : item;
  }

  /** Begins an item that is written bit by bit; returns what stands above it. */
  begin(kind: Item['kind']): (columns: number) => readonly string[] {
    this.flush();
    const view = this.#view(80);
    this.#previous = { kind };
    return (columns) => leadOf({ kind }, { ...view, columns });
  }

  /** Puts lines of an item that was begun into the scrollback. */
  commit(finished: Finished): void {
    this.#options.commit(finished);
  }

  #hold(item: ToolItem): void {
    this.#reads.push(item);
    this.#held = undefined;
  }

  #print(item: ShownItem): void {
    const view = this.#view(80);
    this.#previous = { kind: item.kind };
    this.#options.commit((columns) => renderItem(item, { ...view, columns }));
  }

  #view(columns: number): ItemView {
    const { look } = this.#options;
    const isThinkingHidden = this.#options.isThinkingHidden();
    const images = this.#options.images?.();
    const { format, previous } = this;
    return { look, columns, previous, isThinkingHidden, images, format, isFlowing: true };
  }
}
