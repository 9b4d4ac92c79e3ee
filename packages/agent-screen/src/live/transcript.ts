import type { Item } from '@robota-sdk/agent-sessions';
import type { Finished } from '@robota-sdk/agent-tui';
import { redacted } from '../items/redacted.ts';
import { type ImageView, leadOf, renderItem } from '../items/render-item.ts';
import type { AppStyle } from '../theme/app-tokens.ts';

export interface TranscriptOptions {
  readonly look: AppStyle;
  /** Puts lines into the scrollback. */
  commit(finished: Finished): void;
  isThinkingHidden(): boolean;
  /** How the terminal shows images, if it does. */
  images?(): ImageView | undefined;
  /** Takes secrets out of what is shown. */
  redact?(text: string): string;
}

/** Finished items, in order: each goes into the scrollback once and is not kept. */
export class Transcript {
  readonly #options: TranscriptOptions;
  /** Above everything there is the header. */
  #previous: Pick<Item, 'kind'> | undefined = { kind: 'run-end' };

  constructor(options: TranscriptOptions) {
    this.#options = options;
  }

  /** The item that was printed or begun last. */
  get previous(): Pick<Item, 'kind'> | undefined {
    return this.#previous;
  }

  print(given: Item): void {
    const { look, commit } = this.#options;
    const item = this.redacted(given);
    const previous = this.#previous;
    this.#previous = { kind: item.kind };
    const isThinkingHidden = this.#options.isThinkingHidden();
    const images = this.#options.images?.();
    commit((columns) => renderItem(item, { look, columns, previous, isThinkingHidden, images }));
  }

  /** An item as it may be shown. */
  redacted<T extends Item>(item: T): T {
    const { redact } = this.#options;
    return redact ? redacted(item, (text) => redact(text)) : item;
  }

  /** Begins an item that is written bit by bit; returns what stands above it. */
  begin(kind: Item['kind']): (columns: number) => readonly string[] {
    const { look } = this.#options;
    const previous = this.#previous;
    this.#previous = { kind };
    return (columns) => leadOf({ kind }, { look, columns, previous });
  }

  /** Puts lines of an item that was begun into the scrollback. */
  commit(finished: Finished): void {
    this.#options.commit(finished);
  }
}
