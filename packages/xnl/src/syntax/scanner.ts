import { LineIndex } from './line-index.ts';
import { XnlParseError, type XnlParseErrorCode, type XnlPosition } from './xnl-error.ts';

const blanks = /[ \t\r\n]*/y;
const identifier = /[A-Za-z_][A-Za-z0-9_-]*/y;
const word = /[A-Za-z0-9_-]+/y;
const number = /[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const upToSpecial = { '"': /[^"\\]*/y, "'": /[^'\\]*/y } as const;
const literals: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
]);

/** How a raw text ends: one of the heads, then the tail. */
export interface Closer {
  readonly heads: readonly string[];
  readonly tail: string;
}

/** Reads the smallest parts of XNL one after the other, and tells where something is wrong. */
export class Scanner {
  readonly source: string;
  /** The offset of what is read next. */
  position: number;
  readonly #lines: LineIndex;

  constructor(source: string, position = 0) {
    this.source = source;
    this.position = position;
    this.#lines = new LineIndex(source);
  }

  get isAtEnd(): boolean {
    return this.position >= this.source.length;
  }

  /** The next character; an empty one at the end. */
  peek(): string {
    return this.source.charAt(this.position);
  }

  /** Passes over a text if it comes next. */
  take(text: string): boolean {
    if (!this.source.startsWith(text, this.position)) return false;
    this.position += text.length;
    return true;
  }

  /** Passes over a text that has to come next. */
  expect(text: string): void {
    if (!this.take(text)) this.unexpected(`"${text}"`);
  }

  /** Passes over blanks and comments. */
  skipBlanks(): void {
    this.#match(blanks);
    while (this.source.startsWith('<!', this.position)) {
      this.#comment();
      this.#match(blanks);
    }
  }

  /** A name of tag, key or marker, if one comes next. */
  identifier(): string | undefined {
    return this.#match(identifier) || undefined;
  }

  /** The letters, digits and hyphens that come next. */
  word(): string {
    return this.#match(word);
  }

  /** A string with its quotes, if one comes next. */
  string(): string | undefined {
    const quote = this.peek();
    if (quote !== '"' && quote !== "'") return undefined;
    const start = this.position++;
    let text = '';
    for (;;) {
      text += this.#match(upToSpecial[quote]);
      if (this.take(quote)) return text;
      if (this.isAtEnd) this.fail('UNEXPECTED_EOF', `A string has no closing ${quote}`, { start });
      text += this.#escape();
    }
  }

  /** A number, a truth value or null. */
  literal(): number | boolean | null {
    return /[0-9+-]/.test(this.peek()) ? this.#number() : this.#namedLiteral();
  }

  /** The raw text up to a closer, which is passed over; closers of other markers belong to the text. */
  rawText(closer: Closer, start: number): string {
    const from = this.position;
    for (let at = from; ; at++) {
      at = this.source.indexOf(closer.tail, at);
      if (at < 0) break;
      const head = closer.heads.find((text) => this.source.endsWith(text, at) && at - text.length >= from);
      if (head === undefined) continue;
      this.position = at + closer.tail.length;
      return this.source.slice(from, at - head.length);
    }
    this.position = this.source.length;
    return this.fail('UNEXPECTED_EOF', `A text has no closing ${closer.heads[0]}${closer.tail}`, { start });
  }

  placeOf(position: number): XnlPosition {
    return this.#lines.placeOf(position);
  }

  /** Says what should have come; at the end of the text, that something is missing. */
  unexpected(expected: string): never {
    if (this.isAtEnd)
      this.fail('UNEXPECTED_EOF', `The text ends where ${expected} should follow`, { start: this.position });
    const found = String.fromCodePoint(this.source.codePointAt(this.position) ?? 0);
    this.fail('UNEXPECTED_TOKEN', `Found ${JSON.stringify(found)} where ${expected} should be`);
  }

  /** Unterminated input is reported for its `start`, at the end of the text. */
  fail(code: XnlParseErrorCode, message: string, { start }: { readonly start?: number } = {}): never {
    const position = Math.min(this.position, this.source.length);
    const opened = start === undefined || start === position ? '' : `, opened at ${this.#shown(start)}`;
    throw new XnlParseError(code, `${message}${opened}`, this.placeOf(position));
  }

  #shown(position: number): string {
    const { line, column } = this.placeOf(position);
    return `${line}:${column}`;
  }

  #comment(): void {
    const start = this.position;
    if (!this.take('<!--')) {
      const isCutShort = '<!--'.startsWith(this.source.slice(start));
      this.position = isCutShort ? this.source.length : start + 1;
      this.unexpected('"!--" of a comment or the name of a tag');
    }
    const end = this.source.indexOf('-->', this.position);
    this.position = end < 0 ? this.source.length : end + 3;
    if (end < 0) this.fail('UNEXPECTED_EOF', 'A comment has no closing -->', { start });
  }

  #escape(): string {
    this.position++;
    const letter = this.peek();
    if (letter === '') return '';
    if (letter === 'u') return this.#unicodeEscape();
    const escaped = escapes.get(letter) ?? letter;
    this.position++;
    return escaped;
  }

  #unicodeEscape(): string {
    const digits = this.source.slice(this.position + 1, this.position + 5);
    if (/^[0-9a-fA-F]{4}$/.test(digits)) {
      this.position += 5;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    if (/^[0-9a-fA-F]*$/.test(digits) && this.position + 1 + digits.length === this.source.length) {
      this.position = this.source.length;
      return '';
    }
    return this.fail(
      'INVALID_LITERAL',
      'Four hexadecimal digits should follow \\u; write \\\\u for the text',
    );
  }

  #number(): number {
    const start = this.position;
    const digits = this.#match(number);
    const rest = this.source.slice(this.position, this.position + 3);
    if (this.position + rest.length === this.source.length && isCutNumber(digits, rest)) {
      this.position = this.source.length;
      this.unexpected('a digit');
    }
    if (rest.startsWith('.') && /^[+-]?[0-9]+$/.test(digits)) {
      this.position++;
      this.fail('INVALID_LITERAL', 'A digit should follow the point of a number');
    }
    const value = Number(digits);
    if (digits !== '' && Number.isFinite(value)) return value;
    this.position = start;
    return this.fail(
      'INVALID_LITERAL',
      digits === '' ? 'A sign should be followed by a digit' : 'This number is too large',
    );
  }

  #namedLiteral(): boolean | null {
    const start = this.position;
    const name = this.#match(word);
    if (name === '') this.unexpected('a value');
    const value = literals.get(name);
    if (value !== undefined) return value;
    if (this.isAtEnd && [...literals.keys()].some((literal) => literal.startsWith(name)))
      this.unexpected('the rest of a value');
    this.position = start;
    return this.fail('INVALID_LITERAL', `"${shortened(name)}" is no value; a text needs quotes`);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.source)?.[0] ?? '';
    this.position += found.length;
    return found;
  }
}

/** True if a number at the end of the text is no whole one yet. */
function isCutNumber(digits: string, rest: string): boolean {
  if (digits === '') return /^[+-]$/.test(rest);
  return !/e/i.test(digits) && /^(?:\.|[eE][+-]?)$/.test(rest);
}

function shortened(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}
