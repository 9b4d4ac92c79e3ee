import { survivesDedent } from './dedent.ts';
import { deepest } from './deepest.ts';
import { XnlStringifyError } from './xnl-error.ts';
import {
  Comment,
  DataElement,
  TextElement,
  XnlDocument,
  type XnlElement,
  type XnlExtend,
  type XnlMap,
  type XnlNode,
  type XnlValue,
} from './xnl-node.ts';

export interface StringifyOptions {
  /** Puts every entry of a block on a separate line. */
  readonly pretty?: boolean;
  /** Blanks per level when pretty; 2 unless said otherwise. */
  readonly indent?: number;
}

/** Writes a tree so that reading it gives the same tree; throws an `XnlStringifyError` for what has no XNL. */
export function stringify(node: XnlNode | XnlDocument, options: StringifyOptions = {}): string {
  const writer = new Writer(options);
  if (node instanceof XnlDocument) writer.document(node);
  else writer.node(node);
  return writer.text;
}

interface Brackets {
  readonly opening: string;
  readonly closing: string;
  /** White space inside the brackets of a single line. */
  readonly padding: string;
}

const braces: Brackets = { opening: '{', closing: '}', padding: ' ' };
const block: Brackets = { opening: '[', closing: ']', padding: ' ' };
const array: Brackets = { opening: '[', closing: ']', padding: '' };
const parentheses: Brackets = { opening: '(', closing: ')', padding: ' ' };
const identifier = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Appends part after part, so that the work grows with the text and not with its depth. */
class Writer {
  text = '';
  readonly #pretty: boolean;
  readonly #indent: number;
  /** How many lists are open. */
  #level = 0;
  #isInline = false;

  constructor({ pretty = false, indent = 2 }: StringifyOptions) {
    this.#pretty = pretty;
    this.#indent = indent;
  }

  document({ nodes }: XnlDocument): void {
    nodes.forEach((node, index) => {
      if (index > 0 && this.#pretty) this.text += '\n';
      this.node(node);
    });
  }

  node(node: XnlNode): void {
    if (node instanceof DataElement) this.#data(node);
    else if (node instanceof TextElement) this.#raw(node);
    else if (node instanceof Comment) this.text += commentText(node);
    else this.#value(node);
  }

  #data(element: DataElement): void {
    const { body, extend } = element;
    this.#opening(element);
    if (body) this.#block(block, body, (node) => this.node(node));
    if (extend) this.#block(parentheses, childrenOf(extend), (child) => this.node(child));
    this.text += '>';
  }

  #raw(element: TextElement): void {
    if (!survivesDedent(element.text))
      throw new XnlStringifyError(
        'INVALID_TEXT',
        `The text of <${element.tag}> ends in a line of blanks, which readers take for indentation. Keep it in an attribute.`,
      );
    const marker = markerFor(element);
    this.#opening(element);
    this.text += ` #${marker}>${element.text}</#${marker}>`;
  }

  #opening({ tag, metadata, attributes }: XnlElement): void {
    this.#checkDepth();
    if (!identifier.test(tag))
      throw new XnlStringifyError('INVALID_NAME', `${JSON.stringify(tag)} can't be the name of a tag.`);
    this.text += `<${tag}`;
    this.#metadata(metadata);
    if (attributes) this.#block(braces, presentEntries(attributes), (entry) => this.#entry(entry));
  }

  /** Metadata stands on the line of its tag. */
  #metadata(metadata: XnlMap): void {
    this.#isInline = true;
    this.#level++;
    for (const [key, value] of presentEntries(metadata)) {
      this.text += ` ${keyText(key)}=`;
      this.#value(value);
    }
    this.#level--;
    this.#isInline = false;
  }

  #block<T>(brackets: Brackets, items: readonly T[], write: (item: T) => void): void {
    this.text += ' ';
    this.#list(brackets, items, write);
  }

  #value(value: XnlValue): void {
    const text = scalarText(value);
    if (text !== undefined) {
      this.text += text;
      return;
    }
    if (value instanceof DataElement || value instanceof TextElement || value instanceof Comment)
      throw new XnlStringifyError(
        'INVALID_VALUE',
        `A ${value.kind} can't be a value; it belongs into a body.`,
      );
    this.#checkDepth();
    const object: object = Object(value);
    if (!isArray(value) && !isPlain(object))
      throw new XnlStringifyError(
        'INVALID_VALUE',
        `A ${object.constructor.name || 'class instance'} has no XNL. Make a text, a list or a plain object of it.`,
      );
    if (isArray(value)) this.#list(array, value, (item) => this.#value(item));
    else this.#list(braces, presentEntries(value as XnlMap), (entry) => this.#entry(entry));
  }

  #entry([key, value]: readonly [string, XnlValue]): void {
    this.text += `${keyText(key)} = `;
    this.#value(value);
  }

  #list<T>({ opening, closing, padding }: Brackets, items: readonly T[], write: (item: T) => void): void {
    this.text += opening;
    this.#level++;
    const separator = this.#lineBreak() ?? ' ';
    items.forEach((item, index) => {
      this.text += index > 0 ? separator : (this.#lineBreak() ?? padding);
      write(item);
    });
    this.#level--;
    if (items.length > 0) this.text += this.#lineBreak() ?? padding;
    this.text += closing;
  }

  #lineBreak(): string | undefined {
    if (!this.#pretty || this.#isInline) return undefined;
    return `\n${' '.repeat(this.#level * this.#indent)}`;
  }

  #checkDepth(): void {
    if (this.#level < deepest) return;
    throw new XnlStringifyError(
      'TOO_DEEP',
      `Nothing may be nested more than ${deepest} levels deep, or within itself.`,
    );
  }
}

function commentText({ value }: Comment): string {
  if (!value.includes('-->')) return `<!-- ${value} -->`;
  throw new XnlStringifyError('INVALID_TEXT', 'A comment can\'t contain "-->".');
}

function childrenOf({ order, children }: XnlExtend): readonly XnlElement[] {
  const listed = new Map(order.map((tag) => [tag, Object.hasOwn(children, tag) ? children[tag] : undefined]));
  const elements = [...listed].flatMap(([tag, child]) => (child?.tag === tag ? [child] : []));
  if (elements.length === order.length && order.length === Object.keys(children).length) return elements;
  throw new XnlStringifyError('INVALID_VALUE', 'The order of named children should list each of them once.');
}

/** The marker of the element, unless the text holds its closer: then one that the text does not hold. */
function markerFor({ text, textMarker = '' }: TextElement): string {
  const isUsable = textMarker === '' || identifier.test(textMarker);
  if (isUsable && !text.includes(`</#${textMarker}>`)) return textMarker;
  const taken = new Set(Array.from(text.matchAll(/<\/#([A-Za-z_][A-Za-z0-9_-]*)>/g), ([, name]) => name));
  let marker = 'text';
  for (let count = 2; taken.has(marker); count++) marker = `text${count}`;
  return marker;
}

/** The text of a value without parts; nothing for an array or a map. */
function scalarText(value: XnlValue): string | undefined {
  if (typeof value === 'string') return stringText(value);
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean' || value === null) return String(value);
  if (typeof value === 'object') return undefined;
  throw new XnlStringifyError('INVALID_VALUE', `A value of type ${typeof value} has no XNL.`);
}

function isArray(value: XnlValue): value is readonly XnlValue[] {
  return Array.isArray(value);
}

/** Dates, maps, sets and the like have parts that are no properties, and would be read as something else. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // That of another realm is another object, with nothing above it either.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function presentEntries(map: XnlMap): [string, XnlValue][] {
  return Object.entries(map).filter(([, value]) => value !== undefined);
}

function keyText(key: string): string {
  return identifier.test(key) ? key : stringText(key);
}

function numberText(value: number): string {
  if (!Number.isFinite(value))
    throw new XnlStringifyError('INVALID_VALUE', `The number ${value} has no XNL.`);
  return Object.is(value, -0) ? '-0' : String(value);
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['"', '\\"'],
  ['\n', '\\n'],
  ['\t', '\\t'],
  ['\r', '\\r'],
]);

/** Control characters are escaped so that a file can be shown, halves of pairs so that it can be stored. */
function stringText(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be found
  const escaped = value.replace(/["\\\u0000-\u001f\u007f-\u009f]|\p{Surrogate}/gu, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return shortEscapes.get(character) ?? `\\u${code}`;
  });
  return `"${escaped}"`;
}
