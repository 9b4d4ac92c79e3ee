import { deepest } from '../syntax/deepest.ts';

const closing: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['[', ']'],
  ['(', ')'],
]);
const closers: ReadonlySet<string> = new Set(closing.values());

/** Longer markers are never used, and each would be searched for in every piece. */
const longestMarker = 64;

type Mode = 'opening' | 'markup' | 'string' | 'comment' | 'marker' | 'text';

/**
 * Finds the end of an element that comes in pieces: brackets, strings, comments and raw texts are followed, and nothing is
 * read twice. What the element says is not judged here.
 */
export class ElementEnd {
  /** `whole` once the element is over, `broken` once it can't be one. */
  state: 'open' | 'whole' | 'broken' = 'open';
  /** It is a comment, which says nothing. */
  isComment = false;
  /** The missing closing text while it is open. */
  missing = '">"';
  /** The closing text of each open bracket or element. */
  readonly #open: string[] = [];
  #mode: Mode = 'opening';
  #quote = '';
  #isEscaped = false;
  #marker = '';
  #closer = '';
  /** The end of what was read, where a closer may have begun. */
  #tail = '';

  /** Reads on behind the first `<`; returns the offset behind what was read. */
  read(text: string, from: number): number {
    let at = from;
    while (at < text.length && this.state === 'open') {
      if (this.#mode === 'text' || this.#mode === 'comment') at = this.#readRaw(text, at);
      else this.#readCharacter(text.charAt(at++));
    }
    return at;
  }

  #readCharacter(character: string): void {
    switch (this.#mode) {
      case 'opening':
        return this.#begin(character);
      case 'string':
        return this.#string(character);
      case 'marker':
        return this.#readMarker(character);
      default:
        return this.#markup(character);
    }
  }

  #begin(character: string): void {
    const inside = this.#open.at(-1);
    if (character === '!') return this.#raw('comment', '-->');
    if (inside === '>' || inside === '}' || !/[A-Za-z_]/.test(character)) return this.#break();
    this.#mode = 'markup';
    this.#push('>');
  }

  #markup(character: string): void {
    const inside = this.#open.at(-1);
    if (character === '"' || character === "'") {
      this.#mode = 'string';
      this.#quote = character;
    } else if (character === '<') this.#mode = 'opening';
    else if (closing.has(character)) this.#push(closing.get(character) ?? '');
    else if (character === '>' || closers.has(character)) {
      if (inside === character) this.#pop();
      else this.#break();
    } else if (character === '#') {
      if (inside !== '>') return this.#break();
      this.#mode = 'marker';
      this.#marker = '';
    }
  }

  #string(character: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === '\\') this.#isEscaped = true;
    else if (character === this.#quote) this.#mode = 'markup';
  }

  #readMarker(character: string): void {
    if (character === '>') return this.#raw('text', `</#${this.#marker}>`);
    const isPart = this.#marker === '' ? /[A-Za-z_]/ : /[A-Za-z0-9_-]/;
    if (!isPart.test(character) || this.#marker.length === longestMarker) return this.#break();
    this.#marker += character;
  }

  #raw(mode: 'comment' | 'text', closer: string): void {
    this.#mode = mode;
    this.#closer = closer;
    this.#tail = '';
    if (mode === 'text') this.missing = closer;
  }

  #readRaw(text: string, from: number): number {
    const unread = this.#tail + text.slice(from);
    const found = unread.indexOf(this.#closer);
    if (found < 0) {
      this.#tail = unread.slice(1 - this.#closer.length);
      return text.length;
    }
    const end = from + found + this.#closer.length - this.#tail.length;
    this.isComment = this.#open.length === 0;
    if (this.#mode === 'text' || this.isComment) this.#pop();
    this.#mode = 'markup';
    return end;
  }

  #push(end: string): void {
    this.#open.push(end);
    if (this.#open.length > 2 * deepest) this.#break();
  }

  #pop(): void {
    this.#open.pop();
    this.missing = '">"';
    if (this.#open.length === 0) this.state = 'whole';
  }

  #break(): void {
    this.state = 'broken';
  }
}
