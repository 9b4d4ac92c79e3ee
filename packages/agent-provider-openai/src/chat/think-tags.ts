/** A piece of an answer, told apart by tags. After `was-thinking`, the text so far turned out to be thinking. */
export type TaggedPiece =
  | { readonly kind: 'text' | 'thinking'; readonly text: string }
  | { readonly kind: 'was-thinking' };

/** Whether the template of a model has opened its thinking, so that the text begins in it and only `</think>` comes. */
export type BeginsInside = 'yes' | 'no' | 'unsure';

const opening = '<think>';
const closing = '</think>';
/** A closing tag is looked for in so many characters of a text that may have begun in thinking. */
const mostSearched = 16_384;

/**
 * Takes the thinking out of a text that begins with `<think>`, or that began before it. Tags anywhere else are the
 * model's own words and stay: it may be writing about them. Where it is not known how texts begin, the first one is text
 * until its closing tag shows that it was thinking.
 */
export class ThinkTags {
  #state: 'start' | 'unsure' | 'thinking' | 'gap' | 'text' = 'start';
  #held = '';
  /** The text while it is not known what it is, and how much of it was passed on and searched. */
  #seen = '';
  #passed = 0;
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
    if (this.#state === 'unsure') this.#readUnsure(pieces);
    if (this.#state === 'thinking') this.#readThinking(pieces);
    if (this.#state === 'gap') this.#skipGap();
    if (this.#state === 'text') pieces.push({ kind: 'text', text: this.#take() });
    return pieces.filter((piece) => piece.kind === 'was-thinking' || piece.text !== '');
  }

  /** The server tells thinking apart itself, or a call follows: a text before it is one. */
  plain(): readonly TaggedPiece[] {
    if (this.#state !== 'start' && this.#state !== 'unsure') return [];
    this.#begins = 'no';
    this.#continueAsText(this.#passed);
    return this.push('');
  }

  /** The text is over: what was held back because it might have become a tag is none. */
  end(): readonly TaggedPiece[] {
    const at = this.#state === 'unsure' ? this.#seen.indexOf(closing, this.#searched) : -1;
    if (at >= 0 && endsThinking(this.#seen, at)) return this.#endThinking(at);
    const isThinking = this.#state === 'thinking';
    const text = this.#state === 'gap' ? '' : this.#seen.slice(this.#passed) + this.#take();
    if (isThinking && this.#assumed !== '') {
      // It was no thinking: an answer must not be lost in it.
      this.#begins = 'unsure';
      return [{ kind: 'text', text: this.#assumed + text }];
    }
    if (this.#begins === 'unsure' && this.#seen + text !== '' && !isThinking) this.#begins = 'no';
    return text === '' ? [] : [{ kind: isThinking ? 'thinking' : 'text', text }];
  }

  #readStart(): void {
    const trimmed = this.#held.trimStart();
    if (trimmed.startsWith(opening)) {
      this.#held = trimmed.slice(opening.length);
      this.#state = 'thinking';
      this.#begins = 'no';
    } else if (!opening.startsWith(trimmed)) {
      const next = { yes: 'thinking', no: 'text', unsure: 'unsure' } as const;
      this.#state = next[this.#begins];
    }
  }

  /** Passes text on, but for the end that may be a tag, and for the tag whose next character decides what it is. */
  #readUnsure(pieces: TaggedPiece[]): void {
    this.#seen += this.#take();
    let safe = this.#seen.length - partialLength(this.#seen);
    for (;;) {
      const at = this.#seen.indexOf(closing, this.#searched);
      const after = at + closing.length;
      if (at < 0) break;
      if (after === this.#seen.length) {
        safe = at;
        break;
      }
      if (endsThinking(this.#seen, at)) {
        pieces.push(...this.#endThinking(at));
        this.#held = this.#seen.slice(after);
        this.#seen = '';
        this.#passed = 0;
        return;
      }
      this.#searched = after;
    }
    this.#searched = Math.max(this.#searched, safe - closing.length);
    pieces.push({ kind: 'text', text: this.#seen.slice(this.#passed, safe) });
    this.#passed = safe;
    if (this.#seen.length <= mostSearched) return;
    this.#begins = 'no';
    this.#continueAsText(safe);
  }

  #continueAsText(from: number): void {
    this.#held = this.#seen.slice(from) + this.#held;
    this.#seen = '';
    this.#passed = 0;
    this.#state = 'text';
  }

  #endThinking(at: number): readonly TaggedPiece[] {
    this.#begins = 'yes';
    this.#state = 'gap';
    const rest = this.#seen.slice(this.#passed, at);
    return [...(rest === '' ? [] : [{ kind: 'text', text: rest } as const]), { kind: 'was-thinking' }];
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
