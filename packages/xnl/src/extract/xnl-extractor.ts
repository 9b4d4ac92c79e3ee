import { parseSingle } from '../syntax/parse.ts';
import { XnlParseError } from '../syntax/xnl-error.ts';
import type { XnlElement } from '../syntax/xnl-node.ts';
import { ElementEnd } from './element-end.ts';
import { type FoundMarker, findMarker, type MarkerSearch, markerAt, partialLength } from './find-marker.ts';
import { TextCollector } from './text-collector.ts';

/** The defect of a block. `stray`: text between its elements; `unclosed`: the answer ended inside it. */
export type BlockProblem = 'malformed' | 'stray' | 'empty' | 'unclosed';

/** A part of an answer, in order. */
export type Extracted =
  /** Visible text, without the blocks. */
  | { readonly kind: 'text'; readonly text: string }
  /** Text inside thinking tags at the beginning. */
  | { readonly kind: 'thinking'; readonly text: string }
  /** `raw` is everything since the last text, element or end of a block, markers included, as it was written. */
  | { readonly kind: 'element'; readonly element: XnlElement; readonly raw: string }
  | {
      readonly kind: 'problem';
      readonly problem: BlockProblem;
      readonly message: string;
      readonly raw: string;
    };

const blockStart = '!unquote_start';
const blockEnd = '!unquote_end';
const quoteStart = '!quote_start';
const quoteEnd = '!quote_end';
const starts = [blockStart, quoteStart];

const thinkingTags = ['think', 'thinking'];

/** White space that may turn out to be hidden is held back, but not without end. */
const longestBlank = 64;
/** Line feeds before a block belong to it, so that no gap shows in its place. */
const leadingFeeds = 2;

/** Wrappers that models add around elements and that are ignored: closing tags and code fences. */
const harmless = /^(?:<\/[\w.#-]*>|```\w*|\s)*$/;
const longestHarmless = 200;

type State = 'start' | 'thinking' | 'gap' | 'text' | 'quote' | 'block' | 'element' | 'lost';

/**
 * Takes an answer apart while it comes in: text, and the elements between `!unquote_start` and `!unquote_end`, each at the
 * moment it is complete. However the answer is cut into pieces, the result is the same; nothing is read twice, and no more
 * text is held back than may become a marker.
 */
export class XnlExtractor {
  #state: State = 'start';
  #input = '';
  #at = 0;
  #isOpen = true;
  /** The character before the input. */
  #previous = '';
  #thinkingEnd = '';
  #isAfterBlock = false;
  readonly #hidden = new TextCollector();
  readonly #stray = new TextCollector();
  #end = new ElementEnd();
  #elementStart = 0;
  #isBlockEmpty = true;
  #found: Extracted[] = [];

  /** Returns the parts that the next piece completes. */
  push(piece: string): readonly Extracted[] {
    return this.#read(piece);
  }

  /** The answer is over: what was held back, and what is left open. */
  end(): readonly Extracted[] {
    this.#isOpen = false;
    const last = [...this.#read('')];
    this.#close();
    return [...last, ...this.#taken()];
  }

  #read(piece: string): readonly Extracted[] {
    this.#input = this.#input === '' ? piece : this.#input + piece;
    this.#at = 0;
    while (this.#at < this.#input.length && this.#step());
    if (this.#at > 0) this.#previous = this.#input.charAt(this.#at - 1);
    this.#input = this.#input.slice(this.#at);
    return this.#taken();
  }

  #taken(): readonly Extracted[] {
    const found = this.#found;
    if (found.length > 0) this.#found = [];
    return found;
  }

  /** False where more text is needed. */
  #step(): boolean {
    switch (this.#state) {
      case 'start':
        return this.#readStart();
      case 'thinking':
        return this.#readThinking();
      case 'gap':
        return this.#skipGap();
      case 'text':
        return this.#readText();
      case 'quote':
        return this.#readQuote();
      case 'block':
        return this.#readBlock();
      case 'element':
        return this.#readElement();
      case 'lost':
        return this.#readLost();
    }
  }

  /** Only thinking at the very beginning is meant as such. */
  #readStart(): boolean {
    const blank = blankEnd(this.#input, 0);
    const rest = this.#input.slice(blank);
    const isEarly = blank < longestBlank;
    if (this.#isOpen && isEarly && thinkingTags.some((name) => `<${name}>`.startsWith(rest))) return false;
    const tag = isEarly && thinkingTags.find((name) => rest.startsWith(`<${name}>`));
    if (!tag) {
      this.#state = 'text';
      return true;
    }
    this.#at = blank + tag.length + 2;
    this.#thinkingEnd = `</${tag}>`;
    this.#state = 'thinking';
    return true;
  }

  #readThinking(): boolean {
    const end = this.#input.indexOf(this.#thinkingEnd, this.#at);
    const held = end < 0 && this.#isOpen ? partialLength(this.#input, [this.#thinkingEnd]) : 0;
    const stop = end < 0 ? Math.max(this.#at, this.#input.length - held) : end;
    const text = this.#input.slice(this.#at, stop);
    if (text !== '') this.#found.push({ kind: 'thinking', text });
    this.#at = end < 0 ? stop : end + this.#thinkingEnd.length;
    if (end >= 0) this.#state = 'gap';
    return end >= 0;
  }

  #skipGap(): boolean {
    this.#at = blankEnd(this.#input, this.#at);
    this.#state = this.#at < this.#input.length ? 'text' : 'gap';
    return this.#state === 'text';
  }

  #readText(): boolean {
    const found = this.#nextStart();
    if (found?.marker === quoteStart) return this.#openQuote(found.at);
    const stop = this.#hiddenFrom(found?.at ?? this.#input.length, found !== undefined);
    this.#show(stop);
    if (found?.marker === undefined) return false;
    this.#hide(found.at + blockStart.length);
    this.#state = 'block';
    this.#isBlockEmpty = true;
    return true;
  }

  /** Behind a backtick a marker is only written about. */
  #nextStart(): FoundMarker | undefined {
    for (let from = this.#at; ; ) {
      const found = findMarker(this.#input, starts, { from, isOpen: this.#isOpen, follow: /[\s<]/ });
      if (!found || this.#before(found.at) !== '`') return found;
      from = found.at + 1;
    }
  }

  #before(at: number): string {
    return at > 0 ? this.#input.charAt(at - 1) : this.#previous;
  }

  /** The start of the white space hidden together with a block at `at`, or possibly hidden. */
  #hiddenFrom(at: number, isMarker: boolean): number {
    if (this.#isAfterBlock) {
      const end = blankEnd(this.#input, this.#at);
      if (end >= at && end - this.#at < longestBlank) return this.#skipBlank(at, isMarker);
      this.#isAfterBlock = false;
    }
    if (!isMarker && !this.#isOpen) return at;
    let from = at;
    while (from > this.#at && at - from < leadingFeeds && this.#input.charAt(from - 1) === '\n') from--;
    return from;
  }

  /** White space at the end of an answer, behind a block, is of no use to anybody. */
  #skipBlank(at: number, isMarker: boolean): number {
    if (!isMarker && !this.#isOpen) this.#at = at;
    return this.#at;
  }

  #openQuote(at: number): boolean {
    this.#isAfterBlock = false;
    this.#show(at);
    this.#at = at + quoteStart.length;
    if (/\s/.test(this.#input.charAt(this.#at))) this.#at++;
    this.#state = 'quote';
    return true;
  }

  /** Quoted content is always text. */
  #readQuote(): boolean {
    const found = this.#findEnd(quoteEnd);
    const isHeld = found !== undefined || this.#isOpen;
    let stop = found?.at ?? this.#input.length;
    if (isHeld && stop > this.#at && /\s/.test(this.#input.charAt(stop - 1))) stop--;
    this.#show(stop);
    if (found?.marker === undefined) return false;
    this.#at = found.at + quoteEnd.length;
    this.#state = 'text';
    return true;
  }

  #findEnd(marker: string): FoundMarker | undefined {
    return findMarker(this.#input, [marker], this.#endSearch());
  }

  #endSearch(): MarkerSearch {
    return { from: this.#at, isOpen: this.#isOpen, follow: /\W/ };
  }

  /** Between the elements of a block. */
  #readBlock(): boolean {
    const character = this.#input.charAt(this.#at);
    const next = this.#input.charAt(this.#at + 1);
    if (character === '<' && next === '' && this.#isOpen) return false;
    if (character === '<' && /[A-Za-z_!]/.test(next)) return this.#openElement();
    const end = markerAt(this.#input, blockEnd, this.#endSearch());
    if (end) return end.marker !== undefined && this.#closeBlock();
    const stop = nextMark(this.#input, this.#at + 1);
    this.#stray.add(this.#input.slice(this.#at, stop));
    this.#hide(stop);
    return true;
  }

  #openElement(): boolean {
    this.#reportStray();
    this.#elementStart = this.#hidden.length;
    this.#end = new ElementEnd();
    this.#hide(this.#at + 1);
    this.#state = 'element';
    return true;
  }

  #closeBlock(): boolean {
    this.#reportStray();
    this.#hide(this.#at + blockEnd.length);
    this.#state = 'text';
    this.#isAfterBlock = true;
    if (this.#isBlockEmpty) this.#report('empty', 'A block has no element');
    // The end belongs to the elements before it, which are given already.
    else this.#hidden.take();
    return true;
  }

  #readElement(): boolean {
    this.#hide(this.#end.read(this.#input, this.#at));
    if (this.#end.state === 'open') return false;
    this.#state = this.#end.state === 'whole' ? 'block' : 'lost';
    if (this.#end.state === 'whole' && !this.#end.isComment) this.#takeElement();
    return true;
  }

  #takeElement(): void {
    const raw = this.#hidden.take();
    this.#isBlockEmpty = false;
    try {
      const element = parseSingle(raw.slice(this.#elementStart));
      this.#found.push({ kind: 'element', element, raw });
    } catch (thrown) {
      this.#found.push({ kind: 'problem', problem: 'malformed', message: reasonOf(thrown), raw });
    }
  }

  /** The end of a broken element is unknown, so the rest of its block is dropped. */
  #readLost(): boolean {
    const found = this.#findEnd(blockEnd);
    this.#hide(found?.at ?? this.#input.length);
    if (found?.marker === undefined) return false;
    this.#takeElement();
    this.#state = 'block';
    return true;
  }

  #reportStray(): void {
    const text = this.#stray.take().trim();
    if (text.length < longestHarmless && harmless.test(text)) return;
    this.#report('stray', `There is text outside of any element: ${shortened(text)}`);
  }

  #report(problem: BlockProblem, message: string): void {
    this.#isBlockEmpty = false;
    this.#found.push({ kind: 'problem', problem, message, raw: this.#hidden.take() });
  }

  #close(): void {
    if (this.#state === 'element')
      return this.#report('unclosed', `The answer ended inside an element: ${this.#end.missing} is missing`);
    if (this.#state === 'lost') return this.#takeElement();
    if (this.#state !== 'block') return;
    this.#reportStray();
    if (this.#isBlockEmpty)
      this.#report('unclosed', `The answer ended inside a block: ${blockEnd} is missing`);
  }

  #show(stop: number): void {
    const text = this.#input.slice(this.#at, stop);
    this.#at = Math.max(stop, this.#at);
    if (text !== '') this.#found.push({ kind: 'text', text });
  }

  #hide(stop: number): void {
    if (stop > this.#at) this.#hidden.add(this.#input.slice(this.#at, stop));
    this.#at = stop;
  }
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof XnlParseError) return thrown.message;
  throw thrown;
}

function blankEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at++;
  return at;
}

/** The next character that may begin an element or a marker. */
function nextMark(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at) !== '<' && text.charAt(at) !== '!') at++;
  return at;
}

function shortened(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
