import { dedent } from './dedent.ts';
import { deepest } from './deepest.ts';
import { type Closer, Scanner } from './scanner.ts';
import {
  DataElement,
  TextElement,
  type XnlElement,
  type XnlExtend,
  type XnlMap,
  type XnlNode,
  type XnlValue,
  type XnlWarning,
} from './xnl-node.ts';

/** Extensions of the canonical dialect that a parser accepts. */
export interface ParseOptions {
  /**
   * Older and newer spellings of texts: `hash-closer` ends `<t #m>` with `<#m>` too, `question-mark` takes
   * `<t ?m>…</?m>`, whose marker may begin with a digit.
   */
  readonly accept?: readonly ('hash-closer' | 'question-mark')[];
  /** Told of everything legal that is probably not meant. */
  readonly onWarning?: (warning: XnlWarning) => void;
}

interface Blocks {
  attributes?: XnlMap;
  body?: readonly XnlNode[];
  extend?: XnlExtend;
}

const blockOf: ReadonlyMap<string, keyof Blocks> = new Map([
  ['{', 'attributes'],
  ['[', 'body'],
  ['(', 'extend'],
]);

/** Reads elements by the grammar; what it takes in is passed over once. */
export class Parser {
  readonly #scanner: Scanner;
  readonly #options: ParseOptions;
  #depth = 0;

  constructor(source: string, options: ParseOptions = {}) {
    // A byte order mark is left behind by editors; it is no part of the text.
    this.#scanner = new Scanner(source, source.startsWith('\uFEFF') ? 1 : 0);
    this.#options = options;
  }

  /** The next element of the top level; nothing at the end. */
  next(): XnlElement | undefined {
    this.#scanner.skipBlanks();
    return this.#scanner.isAtEnd ? undefined : this.#element();
  }

  /** Fails unless nothing is left. */
  end(): void {
    this.#scanner.skipBlanks();
    if (!this.#scanner.isAtEnd) this.#scanner.unexpected('the end of the text');
  }

  /** Fails where an element should be. */
  missing(): never {
    return this.#scanner.unexpected('an element');
  }

  /** Elements up to a closing text, or to the end; of two with one tag the later counts. */
  extend(parentName: string, closing?: string): XnlExtend {
    const children = new Map<string, XnlElement>();
    while (!this.#isOver(closing)) {
      const start = this.#scanner.position;
      const child = this.#element();
      if (children.delete(child.tag)) this.#warn(parentName, child.tag, start);
      children.set(child.tag, child);
    }
    return { order: [...children.keys()], children: mapOf(children) };
  }

  #isOver(closing: string | undefined): boolean {
    this.#scanner.skipBlanks();
    return closing === undefined ? this.#scanner.isAtEnd : this.#scanner.take(closing);
  }

  #element(): XnlElement {
    const scanner = this.#scanner;
    const start = scanner.position;
    if (!scanner.take('<')) scanner.unexpected('an element');
    if (scanner.peek() === '/')
      scanner.fail('MISMATCHED_TAG', 'A closing tag has no place here: an element ends with its own ">"');
    const tag = scanner.identifier() ?? scanner.unexpected('the name of a tag');
    this.#deeper();
    const metadata = this.#entries();
    const blocks: Blocks = {};
    for (let sign = scanner.peek(); blockOf.has(sign); sign = scanner.peek()) {
      this.#block(sign, blocks, tag);
      scanner.skipBlanks();
    }
    const element = scanner.take('>')
      ? new DataElement(tag, { metadata, ...blocks })
      : this.#text({ tag, metadata, blocks, start });
    this.#depth--;
    return element;
  }

  #block(sign: string, blocks: Blocks, tag: string): void {
    const scanner = this.#scanner;
    const kind = blockOf.get(sign);
    if (kind === undefined) return;
    if (blocks[kind]) scanner.fail('INVALID_CONTENT', `<${tag}> already has a block "${sign}"`);
    scanner.position++;
    if (kind === 'attributes') blocks.attributes = this.#entries('}');
    if (kind === 'body') blocks.body = this.#sequence(() => this.#node());
    if (kind === 'extend') blocks.extend = this.extend(tag, ')');
  }

  #text({ tag, metadata, blocks, start }: OpenElement): TextElement {
    const scanner = this.#scanner;
    const sign = this.#textSign();
    const { attributes, body, extend } = blocks;
    if (body ?? extend)
      scanner.fail('INVALID_CONTENT', `<${tag}> can't have a text beside a block "[" or "("`);
    scanner.position++;
    const marker = (sign === '?' ? scanner.word() : scanner.identifier()) ?? '';
    scanner.expect('>');
    const text = dedent(scanner.rawText(this.#closer(sign, marker), start));
    return new TextElement(tag, {
      metadata,
      text,
      ...(attributes ? { attributes } : {}),
      ...(marker === '' ? {} : { textMarker: marker }),
    });
  }

  #textSign(): '#' | '?' {
    const sign = this.#scanner.peek();
    if (sign === '#') return sign;
    if (sign === '?' && this.#accepts('question-mark')) return sign;
    return this.#scanner.unexpected('a key, a block, "#" or ">"');
  }

  #closer(sign: string, marker: string): Closer {
    const heads = sign === '#' && this.#accepts('hash-closer') ? ['</', '<'] : ['</'];
    return { heads, tail: `${sign}${marker}>` };
  }

  #accepts(spelling: 'hash-closer' | 'question-mark'): boolean {
    return this.#options.accept?.includes(spelling) ?? false;
  }

  #node(): XnlNode {
    return this.#scanner.peek() === '<' ? this.#element() : this.#value();
  }

  #value(): XnlValue {
    const scanner = this.#scanner;
    const text = scanner.string();
    if (text !== undefined) return text;
    if (scanner.peek() === '<')
      scanner.fail('INVALID_CONTENT', 'An element can\'t be a value; it belongs into a block "[" or "("');
    const opening = scanner.peek();
    if (opening !== '{' && opening !== '[') return scanner.literal();
    scanner.position++;
    this.#deeper();
    const value = opening === '{' ? this.#entries('}') : this.#sequence(() => this.#value());
    this.#depth--;
    return value;
  }

  #sequence<T>(item: () => T): T[] {
    const items: T[] = [];
    while (!this.#isOver(']')) items.push(item());
    return items;
  }

  /** Keys with their values up to a closing text, or to the first thing that is no key. */
  #entries(closing?: string): XnlMap {
    const scanner = this.#scanner;
    const entries: Record<string, XnlValue> = Object.create(null);
    for (;;) {
      scanner.skipBlanks();
      if (closing !== undefined && scanner.take(closing)) return entries;
      const key = scanner.identifier() ?? scanner.string();
      if (key === undefined && closing === undefined) return entries;
      if (key === undefined) return scanner.unexpected(`a key or "${closing}"`);
      scanner.skipBlanks();
      scanner.expect('=');
      scanner.skipBlanks();
      entries[key] = this.#value();
    }
  }

  #deeper(): void {
    this.#depth++;
    if (this.#depth > deepest)
      this.#scanner.fail('TOO_DEEP', `Nothing may be nested more than ${deepest} levels deep`);
  }

  #warn(parentName: string, childName: string, position: number): void {
    const message = `<${parentName}> has several children <${childName}>; the last one counts`;
    const place = this.#scanner.placeOf(position);
    this.#options.onWarning?.({ code: 'DUPLICATE_CHILD', parentName, childName, message, ...place });
  }
}

interface OpenElement {
  readonly tag: string;
  readonly metadata: XnlMap;
  readonly blocks: Blocks;
  readonly start: number;
}

function mapOf<T>(entries: ReadonlyMap<string, T>): { readonly [key: string]: T } {
  const map: Record<string, T> = Object.create(null);
  for (const [key, value] of entries) map[key] = value;
  return map;
}
