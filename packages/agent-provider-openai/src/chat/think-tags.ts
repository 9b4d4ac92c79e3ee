/** A piece of an answer, told apart by tags. */
export interface TaggedPiece {
  readonly kind: 'text' | 'thinking';
  readonly text: string;
}

const opening = '<think>';
const closing = '</think>';

/**
 * Takes the thinking out of a text that begins with `<think>`. Tags anywhere else are the model's own words and
 * stay: it may be writing about them.
 */
export class ThinkTags {
  #state: 'start' | 'thinking' | 'gap' | 'text' = 'start';
  #held = '';

  push(text: string): readonly TaggedPiece[] {
    this.#held += text;
    const pieces: TaggedPiece[] = [];
    if (this.#state === 'start') this.#readStart();
    if (this.#state === 'thinking') this.#readThinking(pieces);
    if (this.#state === 'gap') this.#skipGap();
    if (this.#state === 'text') pieces.push({ kind: 'text', text: this.#take() });
    return pieces.filter((piece) => piece.text !== '');
  }

  /** The text is over: what was held back because it might have become a tag is none. */
  end(): readonly TaggedPiece[] {
    const kind = this.#state === 'thinking' ? 'thinking' : 'text';
    const text = this.#state === 'gap' ? '' : this.#take();
    return text === '' ? [] : [{ kind, text }];
  }

  #readStart(): void {
    const trimmed = this.#held.trimStart();
    if (trimmed.startsWith(opening)) {
      this.#held = trimmed.slice(opening.length);
      this.#state = 'thinking';
    } else if (!opening.startsWith(trimmed)) this.#state = 'text';
  }

  #readThinking(pieces: TaggedPiece[]): void {
    const end = this.#held.indexOf(closing);
    if (end >= 0) {
      pieces.push({ kind: 'thinking', text: this.#held.slice(0, end) });
      this.#held = this.#held.slice(end + closing.length);
      this.#state = 'gap';
      return;
    }
    const safe = this.#held.length - partialLength(this.#held);
    pieces.push({ kind: 'thinking', text: this.#held.slice(0, safe) });
    this.#held = this.#held.slice(safe);
  }

  /** The blank lines after the closing tag belong to neither. */
  #skipGap(): void {
    this.#held = this.#held.trimStart();
    if (this.#held !== '') this.#state = 'text';
  }

  #take(): string {
    const text = this.#held;
    this.#held = '';
    return text;
  }
}

/** How many characters at the end may be the beginning of a closing tag. */
function partialLength(text: string): number {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(closing.slice(0, length))) return length;
  }
  return 0;
}
