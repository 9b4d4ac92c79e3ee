import { cleanPath } from './paths.ts';
import type { RequestToken } from './tokens.ts';

/** The text captured by the slots of a pattern, by name. */
export type Captures = Readonly<Record<string, string>>;

/** A request as the matcher sees it. */
interface Phrase {
  readonly text: string;
  readonly tokens: readonly RequestToken[];
}

type SlotKind = keyof typeof slotKinds;

interface Slot {
  readonly kind: 'slot';
  readonly name: string;
  readonly slot: SlotKind;
}

type PatternNode =
  | Slot
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'choice'; readonly options: readonly (readonly PatternNode[])[] };

/** A compiled pattern: the captures of a phrase it fits, or undefined. */
export type Pattern = (phrase: Phrase) => Captures | undefined;

/** Which single tokens a slot takes; `text` and `thing` take one or more, and `thing` leaves out an article before them. */
const slotKinds = {
  word: () => true,
  name: (token: RequestToken) => !token.quoted && /^[\p{L}_$][\p{L}\p{N}_$.-]*$/u.test(token.text),
  identifier: (token: RequestToken) =>
    token.quoted || /^[\p{L}_$][\p{L}\p{N}_$]*(\.[\p{L}\p{N}_$]+|\(\))*$/u.test(token.text),
  file: (token: RequestToken) => token.quoted || looksLikeFile(token.text),
  filename: (token: RequestToken) => !token.quoted && looksLikeFile(token.text),
  path: (token: RequestToken) => token.quoted || !pronouns.has(token.text.toLowerCase()),
  number: (token: RequestToken) => /^\d{1,7}$/.test(token.text),
  range: (token: RequestToken) => /^\d{1,7}(-|–|\.\.)\d{1,7}$/.test(token.text),
  text: () => true,
  thing: () => true,
} as const;

const fillers = new Set(
  'the a an all please me my our just now of any every some this current whole entire'.split(' '),
);
const endings = new Set(['please', 'now', 'thanks', 'again']);
const pronouns = new Set('it this that them these those here there everything you is are'.split(' '));
const filesWithoutExtension =
  /^(readme|license|licence|makefile|dockerfile|changelog|notice|contributing|procfile)$/i;

/**
 * Compiles a template: `word`, `(one|other)`, `[optional]`, `{name:kind}`. Case is ignored, articles between the
 * words are skipped, and the whole phrase has to fit.
 */
export function compilePattern(template: string): Pattern {
  const nodes = new TemplateParser(template).parse();
  return (phrase) => match(nodes, phrase, { position: 0, captures: {} });
}

/** True if a word names a file rather than a thing. */
function looksLikeFile(word: string): boolean {
  const path = cleanPath(word);
  return /[/\\]/.test(path) || /\.[\p{L}\p{N}_]+$/u.test(path) || filesWithoutExtension.test(path);
}

interface Cursor {
  readonly position: number;
  readonly captures: Captures;
  /** Free text came last, so a "thanks" after it may be part of it. */
  readonly endsInText?: boolean;
}

function match(nodes: readonly PatternNode[], phrase: Phrase, cursor: Cursor): Captures | undefined {
  const [node, ...rest] = nodes;
  if (!node) return atEnd(phrase, cursor) ? cursor.captures : undefined;
  if (node.kind === 'choice')
    return firstOf(node.options, (option) => match([...option, ...rest], phrase, cursor));
  if (node.kind === 'slot' && isMany(node.slot)) return matchText(node, { rest, phrase, cursor });
  const candidates = positionsAfterFillers(phrase, cursor.position);
  return firstOf(candidates, (position) => {
    const token = phrase.tokens[position];
    if (!token) return undefined;
    const next = position + 1;
    if (node.kind === 'slot') {
      if (!slotKinds[node.slot](token)) return undefined;
      return match(rest, phrase, {
        position: next,
        captures: { ...cursor.captures, [node.name]: token.text },
      });
    }
    if (token.quoted || token.text.toLowerCase() !== node.word) return undefined;
    return match(rest, phrase, { position: next, captures: cursor.captures });
  });
}

interface TextMatch {
  readonly rest: readonly PatternNode[];
  readonly phrase: Phrase;
  readonly cursor: Cursor;
}

function matchText(slot: Slot, { rest, phrase, cursor }: TextMatch): Captures | undefined {
  const { tokens } = phrase;
  // Nothing follows: the slot takes all there is, however long.
  const first = rest.length === 0 ? tokens.length : cursor.position + 1;
  const from = slot.slot === 'thing' ? cursor.position + articleAt(tokens, cursor.position) : cursor.position;
  for (let end = Math.max(first, from + 1); end <= tokens.length; end++) {
    const captures = { ...cursor.captures, [slot.name]: textBetween(phrase, from, end) };
    const found = match(rest, phrase, { position: end, captures, endsInText: true });
    if (found) return found;
  }
  return undefined;
}

function articleAt(tokens: readonly RequestToken[], at: number): number {
  const token = tokens[at];
  return at + 1 < tokens.length && token && !token.quoted && /^(the|a|an)$/i.test(token.text) ? 1 : 0;
}

function textBetween({ text, tokens }: Phrase, from: number, end: number): string {
  const first = tokens[from];
  const last = tokens[end - 1];
  if (!first || !last) return '';
  return first === last ? first.text : text.slice(first.start, last.end);
}

function isMany(kind: SlotKind): boolean {
  return kind === 'text' || kind === 'thing';
}

function positionsAfterFillers({ tokens }: Phrase, position: number): readonly number[] {
  const positions = [position];
  for (let at = position; isOneOf(fillers, tokens[at]); at++) positions.push(at + 1);
  return positions;
}

function atEnd({ tokens }: Phrase, { position, endsInText }: Cursor): boolean {
  let at = position;
  while (!endsInText && isOneOf(endings, tokens[at])) at++;
  return at >= tokens.length;
}

function isOneOf(words: ReadonlySet<string>, token: RequestToken | undefined): boolean {
  return token !== undefined && !token.quoted && words.has(token.text.toLowerCase());
}

function firstOf<T, R>(values: readonly T[], attempt: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const result = attempt(value);
    if (result !== undefined) return result;
  }
  return undefined;
}

class TemplateParser {
  readonly #parts: readonly string[];
  #at = 0;

  constructor(template: string) {
    this.#parts = template.match(/\{[a-z]+:[a-z]+\}|[()[\]|]|[^\s()[\]|{}]+/gi) ?? [];
  }

  parse(): readonly PatternNode[] {
    const nodes = this.#sequence();
    if (this.#at < this.#parts.length) throw new Error(`unbalanced pattern: ${this.#parts.join(' ')}`);
    return nodes;
  }

  #sequence(): PatternNode[] {
    const nodes: PatternNode[] = [];
    for (let part = this.#parts[this.#at]; part && !/^[)\]|]$/.test(part); part = this.#parts[this.#at]) {
      this.#at++;
      nodes.push(this.#node(part));
    }
    return nodes;
  }

  #node(part: string): PatternNode {
    if (part === '(') return { kind: 'choice', options: this.#options(')') };
    if (part === '[') return { kind: 'choice', options: [...this.#options(']'), []] };
    const slot = /^\{([a-z]+):([a-z]+)\}$/i.exec(part);
    if (!slot) return { kind: 'word', word: part.toLowerCase() };
    const [, name = '', kind = ''] = slot;
    if (!(kind in slotKinds)) throw new Error(`unknown slot kind: ${part}`);
    return { kind: 'slot', name, slot: kind as SlotKind };
  }

  #options(close: string): PatternNode[][] {
    const options = [this.#sequence()];
    while (this.#parts[this.#at] === '|') {
      this.#at++;
      options.push(this.#sequence());
    }
    if (this.#parts[this.#at] !== close) throw new Error(`missing ${close} in: ${this.#parts.join(' ')}`);
    this.#at++;
    return options;
  }
}
