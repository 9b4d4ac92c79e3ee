/** A piece of an answer, told apart by tags. */
export interface TaggedPiece {
  readonly kind: 'text' | 'thinking';
  readonly text: string;
}

/** Whether the template of a model has opened its thinking, so that the text begins in it and only `</think>` comes. */
export type BeginsInside = 'yes' | 'no' | 'unsure';

const opening = '<think>';
const closing = '</think>';
/** So many characters are held back of a text that may begin in thinking. */
const mostHeld = 16_384;

/**
 * Takes the thinking out of a text that begins with `<think>`, or that began before it. Tags anywhere else are the
 * model's own words and stay: it may be writing about them. Where it is not known how texts begin, the first one is held
 * back until that is clear.
 */
export class ThinkTags {
  #state: 'start' | 'held' | 'thinking' | 'gap' | 'text' = 'start';
  #held = '';
  /** The position from which a closing tag is looked for. */
  #searched = 0;
  /** Text that was passed on as thinking only because earlier texts began in it. */
  #assumed = '';
  #begins: BeginsInside;

  constructor(begins: BeginsInside = 'no') {
    this.#begins = begins;
  }

  /** How the next text begins, as this one showed. */
  get begins(): BeginsInside {
    return this.#begins;
  }

  push(text: string): readonly TaggedPiece[] {
    this.#held += text;
    const pieces: TaggedPiece[] = [];
    if (this.#state === 'start') this.#readStart();
    if (this.#state === 'held') this.#readHeld(pieces);
    if (this.#state === 'thinking') this.#readThinking(pieces);
    if (this.#state === 'gap') this.#skipGap();
    if (this.#state === 'text') pieces.push({ kind: 'text', text: this.#take() });
    return pieces.filter((piece) => piece.text !== '');
  }

  /** The model calls a tool: a text that was held back before it is one. */
  settle(): readonly TaggedPiece[] {
    return this.#state === 'held' ? this.plain() : [];
  }

  /** The server tells thinking apart itself. */
  plain(): readonly TaggedPiece[] {
    if (this.#state !== 'start' && this.#state !== 'held') return [];
    this.#begins = 'no';
    this.#state = 'text';
    return this.push('');
  }

  /** The text is over: what was held back because it might have become a tag is none. */
  end(): readonly TaggedPiece[] {
    const at = this.#state === 'held' ? this.#held.indexOf(closing, this.#searched) : -1;
    if (at >= 0 && endsThinking(this.#held, at)) {
      this.#begins = 'yes';
      this.#state = 'gap';
      return [{ kind: 'thinking', text: this.#held.slice(0, at) }];
    }
    const isThinking = this.#state === 'thinking';
    const text = this.#state === 'gap' ? '' : this.#take();
    if (isThinking && this.#assumed !== '') {
      // It was no thinking: an answer must not be lost in it.
      this.#begins = 'unsure';
      return [{ kind: 'text', text: this.#assumed + text }];
    }
    if (this.#begins === 'unsure' && text !== '' && !isThinking) this.#begins = 'no';
    return text === '' ? [] : [{ kind: isThinking ? 'thinking' : 'text', text }];
  }

  #readStart(): void {
    const trimmed = this.#held.trimStart();
    if (trimmed.startsWith(opening)) {
      this.#held = trimmed.slice(opening.length);
      this.#state = 'thinking';
      this.#begins = 'no';
    } else if (!opening.startsWith(trimmed)) {
      const next = { yes: 'thinking', no: 'text', unsure: 'held' } as const;
      this.#state = next[this.#begins];
    }
  }

  #readHeld(pieces: TaggedPiece[]): void {
    for (;;) {
      const at = this.#held.indexOf(closing, this.#searched);
      const after = at + closing.length;
      // The characters on both sides of the tag decide.
      if (at < 0) this.#searched = Math.max(0, this.#held.length - closing.length + 1);
      if (at < 0 || after === this.#held.length) break;
      if (endsThinking(this.#held, at)) {
        this.#begins = 'yes';
        pieces.push({ kind: 'thinking', text: this.#held.slice(0, at) });
        this.#held = this.#held.slice(after);
        this.#state = 'gap';
        return;
      }
      this.#searched = after;
    }
    if (this.#held.length <= mostHeld) return;
    this.#begins = 'no';
    this.#state = 'text';
  }

  #readThinking(pieces: TaggedPiece[]): void {
    const end = this.#held.indexOf(closing);
    if (end >= 0) {
      pieces.push({ kind: 'thinking', text: this.#held.slice(0, end) });
      this.#held = this.#held.slice(end + closing.length);
      this.#assumed = '';
      this.#state = 'gap';
      return;
    }
    const safe = this.#held.length - partialLength(this.#held);
    const text = this.#held.slice(0, safe);
    if (this.#begins === 'yes') this.#assumed += text;
    pieces.push({ kind: 'thinking', text });
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

/**
 * True if a closing tag ends thinking that was opened before the text; false if the text is about such tags: names the
 * opening one, quotes it, or has it within a sentence or a block of code.
 */
function endsThinking(text: string, at: number): boolean {
  const before = text.slice(0, at);
  const isInCode = before.split('```').length % 2 === 0;
  if (isInCode || before.includes(opening)) return false;
  const after = text[at + closing.length] ?? '';
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (line.trim() === '') return /\s/.test(after) || !/[`'".,;:)]/.test(after);
  return !/[\s`'"“‘(]$/.test(before) && !/[ \t`'".,;:)”’]/.test(after);
}

/** How many characters at the end may be the beginning of a closing tag. */
function partialLength(text: string): number {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(closing.slice(0, length))) return length;
  }
  return 0;
}
