import type { JsonObject, JsonValue } from '@robota-sdk/agent-core';

/** Says what can't be read in a call, and where. */
export class CallSyntaxError extends Error {}

/** Deeper values are never meant, and would exhaust the stack. */
const deepest = 100;

const blank = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const identifier = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const number = /[+-]?(?:0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)/y;
const plain = { '"': /[^"\\]+/y, "'": /[^'\\]+/y, '`': /[^`\\$]+/y } as const;
const words: ReadonlyMap<string, JsonValue | undefined> = new Map<string, JsonValue | undefined>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
]);
const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['0', '\0'],
]);

/** Reads JavaScript literals: any quotes, bare keys, comments, trailing commas. Evaluates nothing. */
export class LiteralReader {
  readonly #source: string;
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  peek(): string {
    return this.#source.charAt(this.#at);
  }

  /** Passes over white space and comments. */
  skipBlanks(): void {
    // One by one: a pattern that repeats them would exhaust its stack with very many.
    while (this.match(blank) !== '');
    if (this.#source.startsWith('/*', this.#at)) this.fail('a comment has no closing */');
  }

  /** Passes over a text if it comes next. */
  take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** The match of a pattern at the current position. */
  match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  object(): JsonObject {
    this.#deeper();
    const entries: [string, JsonValue][] = [];
    this.#list('{', '}', () => {
      const key = this.#key();
      this.skipBlanks();
      if (!this.take(':')) this.unexpected(`":" behind the key ${JSON.stringify(key)}`);
      const value = this.#value();
      if (value !== undefined) entries.push([key, value]);
    });
    this.#depth--;
    return Object.fromEntries(entries);
  }

  /** Says what should have come instead. */
  unexpected(expected: string): never {
    if (this.isAtEnd) return this.fail(`it ends where ${expected} should follow`);
    const found = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    return this.fail(`found ${JSON.stringify(found)} where ${expected} should be`);
  }

  fail(message: string): never {
    const before = this.#source.slice(0, this.#at).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    throw new CallSyntaxError(`line ${before.length}, column ${column}: ${message}`);
  }

  #value(): JsonValue | undefined {
    this.skipBlanks();
    const first = this.peek();
    if (first === '{') return this.object();
    if (first === '[') return this.#array();
    if (first === '"' || first === "'" || first === '`') return this.#text(first);
    if (/[\d.+-]/.test(first)) return this.#number();
    const start = this.#at;
    const word = this.match(identifier);
    if (words.has(word)) return words.get(word);
    this.#at = start;
    if (word === '') return this.unexpected('a value');
    return this.fail(`"${word}" is no value: write values out, nothing is computed; a text needs quotes`);
  }

  #array(): JsonValue[] {
    this.#deeper();
    const items: JsonValue[] = [];
    this.#list('[', ']', () => void items.push(this.#value() ?? null));
    this.#depth--;
    return items;
  }

  #list(opening: string, closing: string, item: () => void): void {
    this.take(opening);
    for (;;) {
      this.skipBlanks();
      if (this.take(closing)) return;
      item();
      this.skipBlanks();
      if (this.take(closing)) return;
      if (this.peek() === '+') this.fail('texts cannot be joined with +; write one text');
      if (!this.take(',')) this.unexpected(`"," or "${closing}"`);
    }
  }

  #key(): string {
    const first = this.peek();
    if (first === '"' || first === "'") return this.#text(first);
    const name = this.match(identifier) || this.match(/\d+/y);
    return name === '' ? this.unexpected('a key') : name;
  }

  #text(quote: '"' | "'" | '`'): string {
    const start = this.#at++;
    let text = '';
    for (;;) {
      text += this.match(plain[quote]);
      if (this.take(quote)) return text;
      if (this.isAtEnd) {
        this.#at = start;
        this.fail(`the text that begins here has no closing ${quote}`);
      }
      if (this.take('$')) {
        if (this.peek() === '{') this.fail('nothing is computed in a text; write \\${ where ${ is meant');
        text += '$';
      } else text += this.#escape();
    }
  }

  #escape(): string {
    this.#at++;
    const code = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\})/.exec(
      this.#source.slice(this.#at, this.#at + 10),
    );
    if (code)
      return this.#codePoint(code[0].length, Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16));
    if (this.take('\r\n') || this.take('\n')) return '';
    const letter = this.peek();
    this.#at++;
    return escapes.get(letter) ?? letter;
  }

  #codePoint(length: number, code: number): string {
    if (code > 0x10ffff) this.fail('no such character');
    this.#at += length;
    return String.fromCodePoint(code);
  }

  #number(): number {
    const digits = this.match(number);
    const sign = digits.startsWith('-') ? -1 : 1;
    const value = sign * Number(digits.replace(/^[+-]/, ''));
    if (digits === '' || !Number.isFinite(value)) return this.unexpected('a number');
    return value;
  }

  #deeper(): void {
    if (++this.#depth > deepest) this.fail(`nothing may be nested more than ${deepest} levels deep`);
  }
}
