import { filterEscapes } from '../text/escape-filter.ts';
import { type DelimiterRun, type Emphasis, flanking, matchEmphasis } from './emphasis.ts';
import { readAutolink, readBareAddress, readLinkTarget } from './link-target.ts';

/** A piece of text with one style. */
export interface Span {
  readonly text: string;
  readonly isStrong: boolean;
  readonly isEmphasis: boolean;
  readonly isStruck: boolean;
  readonly isCode: boolean;
  /** A line break that was marked as such, rather than the end of a source line. */
  readonly isHardBreak: boolean;
  /** The link's target. All spans of one link share the object. */
  readonly link: LinkTarget | undefined;
}

/** The address of a link. */
export interface LinkTarget {
  readonly address: string;
}

/** Options of {@link parseInline}. */
export interface InlineOptions {
  /** More text may follow: open emphasis, code and links are closed at the end. */
  readonly isOpen?: boolean;
}

/** Parses emphasis, code, links and line breaks in linear time. */
export function parseInline(text: string, options: InlineOptions = {}): Span[] {
  return new InlineParser(text, options.isOpen === true).parse();
}

interface Piece {
  text: string;
  isCode?: boolean;
  isHardBreak?: boolean;
  run?: DelimiterRun;
  link?: LinkTarget;
}

interface LinkRange {
  readonly from: number;
  readonly to: number;
  readonly target: LinkTarget;
}

const special = /[\\`*_~[\]!<&\n]|https?:\/\//g;
const lineBreakTag = /<br {0,4}\/?>/iy;
const entity = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]{2,8}));/y;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  larr: '←',
  rarr: '→',
  times: '×',
};

class InlineParser {
  readonly #text: string;
  readonly #isOpen: boolean;
  readonly #pieces: Piece[] = [];
  readonly #runs: DelimiterRun[] = [];
  /** Brackets that may start a link. */
  readonly #brackets: { readonly piece: number; readonly isImage: boolean }[] = [];
  readonly #links: LinkRange[] = [];
  /** Lengths of backtick runs without a closing run. */
  readonly #unclosed = new Set<number>();
  #position = 0;

  constructor(text: string, isOpen: boolean) {
    // Marks at the end of an unfinished text may be the first half of a longer mark.
    this.#text = isOpen ? text.replace(/(?<![*_~`\\])[*_~`]{1,3}$/, '') : text;
    this.#isOpen = isOpen;
  }

  parse(): Span[] {
    while (this.#position < this.#text.length) this.#next();
    const emphases = matchEmphasis(this.#runs, { isOpen: this.#isOpen });
    return spansOf(this.#pieces, emphases, this.#links);
  }

  #next(): void {
    special.lastIndex = this.#position;
    const found = special.exec(this.#text);
    const end = found?.index ?? this.#text.length;
    if (end > this.#position) this.#add(this.#text.slice(this.#position, end));
    this.#position = end;
    if (found) this.#readSpecial(found[0]);
  }

  #readSpecial(mark: string): void {
    switch (mark) {
      case '\\':
        return this.#readBackslash();
      case '`':
        return this.#readCode();
      case '*':
      case '_':
      case '~':
        return this.#readRun(mark);
      case '[':
      case '!':
        return this.#readBracket(mark);
      case ']':
        return this.#readLinkEnd();
      case '<':
        return this.#readTag();
      case '&':
        return this.#readEntity();
      case '\n':
        return this.#readBreak();
      default:
        return this.#readAddress();
    }
  }

  #add(text: string, more: Omit<Piece, 'text'> = {}): void {
    this.#pieces.push({ text, ...more });
  }

  #plain(length: number): void {
    this.#add(this.#text.slice(this.#position, this.#position + length));
    this.#position += length;
  }

  #readBackslash(): void {
    const next = this.#text[this.#position + 1] ?? '';
    if (!/[!-/:-@[-`{-~\n]/.test(next)) return this.#plain(1);
    this.#add(next, { isHardBreak: next === '\n' });
    this.#position += 2;
  }

  #readCode(): void {
    const length = this.#runLength('`');
    const start = this.#position + length;
    const end = this.#unclosed.has(length) ? -1 : this.#findBackticks(start, length);
    if (end < 0) this.#unclosed.add(length);
    if (end < 0 && !this.#isOpen) return this.#plain(length);
    const code = this.#text.slice(start, end < 0 ? undefined : end).replaceAll('\n', ' ');
    const isPadded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
    this.#add(isPadded ? code.slice(1, -1) : code, { isCode: true });
    this.#position = end < 0 ? this.#text.length : end + length;
  }

  #findBackticks(start: number, length: number): number {
    const runs = /`+/g;
    runs.lastIndex = start;
    for (let run = runs.exec(this.#text); run; run = runs.exec(this.#text)) {
      if (run[0].length === length) return run.index;
    }
    return -1;
  }

  #readRun(mark: string): void {
    const length = this.#runLength(mark);
    const before = lastCharacter(this.#text, this.#position);
    const after = firstCharacter(this.#text, this.#position + length);
    const { canOpen, canClose } = flanking(mark, before, after);
    const canMatch = mark !== '~' || length <= 2;
    const piece = this.#pieces.length;
    const run: DelimiterRun = {
      piece,
      mark,
      length,
      canOpen: canOpen && canMatch,
      canClose: canClose && canMatch,
      left: length,
    };
    this.#runs.push(run);
    this.#add('', { run });
    this.#position += length;
  }

  #runLength(mark: string): number {
    let end = this.#position;
    while (this.#text[end] === mark) end++;
    return end - this.#position;
  }

  #readBracket(mark: string): void {
    const isImage = mark === '!';
    if (isImage && this.#text[this.#position + 1] !== '[') return this.#plain(1);
    this.#brackets.push({ piece: this.#pieces.length, isImage });
    this.#plain(isImage ? 2 : 1);
  }

  #readLinkEnd(): void {
    const bracket = this.#brackets.pop();
    const target = bracket && readLinkTarget(this.#text, this.#position + 1);
    const isComplete = target !== undefined && (target.end !== undefined || this.#isOpen);
    if (!bracket || !isComplete) return this.#plain(1);
    const opening = this.#pieces[bracket.piece];
    if (opening) opening.text = '';
    const range = { from: bracket.piece, to: this.#pieces.length, target: { address: target.address } };
    // An image inside a link has the link's target.
    while ((this.#links.at(-1)?.from ?? -1) > bracket.piece) this.#links.pop();
    if (target.end !== undefined) this.#links.push(range);
    // Links do not nest, so earlier brackets start none.
    if (!bracket.isImage) this.#brackets.length = 0;
    this.#position = target.end ?? this.#text.length;
  }

  #readTag(): void {
    lineBreakTag.lastIndex = this.#position;
    const tag = lineBreakTag.exec(this.#text);
    if (tag) {
      this.#add('\n', { isHardBreak: true });
      this.#position += tag[0].length;
      return;
    }
    const address = readAutolink(this.#text, this.#position);
    if (address === undefined) return this.#plain(1);
    this.#add(address, { link: { address } });
    this.#position += address.length + 2;
  }

  #readEntity(): void {
    entity.lastIndex = this.#position;
    const found = entity.exec(this.#text);
    const text = found ? decodeEntity(found) : undefined;
    if (!found || text === undefined) return this.#plain(1);
    this.#add(text);
    this.#position += found[0].length;
  }

  /** Soft line breaks are kept: lines stay below each other, as the writer saw them. */
  #readBreak(): void {
    const last = this.#pieces.at(-1);
    const isHardBreak = last?.isCode !== true && last?.text.endsWith('  ') === true;
    if (last && !last.isCode) last.text = last.text.trimEnd();
    this.#add('\n', { isHardBreak });
    this.#position++;
  }

  #readAddress(): void {
    const isInWord = /\w/.test(this.#text[this.#position - 1] ?? '');
    const address = readBareAddress(this.#text, this.#position);
    if (isInWord || address === undefined) return this.#plain(4);
    this.#add(address, { link: { address } });
    this.#position += address.length;
  }
}

function spansOf(
  pieces: readonly Piece[],
  emphases: readonly Emphasis[],
  links: readonly LinkRange[],
): Span[] {
  const changes = pieces.map(() => ({ strong: 0, emphasis: 0, strike: 0 }));
  for (const { style, from, to } of emphases) {
    const first = changes[from + 1];
    const end = changes[to];
    if (first) first[style]++;
    if (end) end[style]--;
  }
  const targets = new Map<number, LinkTarget | undefined>();
  for (const { from, to, target } of links) targets.set(from, target).set(to, targets.get(to));
  const depth = { strong: 0, emphasis: 0, strike: 0 };
  let link: LinkTarget | undefined;
  return pieces.map((piece, index) => {
    depth.strong += changes[index]?.strong ?? 0;
    depth.emphasis += changes[index]?.emphasis ?? 0;
    depth.strike += changes[index]?.strike ?? 0;
    if (targets.has(index)) link = targets.get(index);
    return {
      text: piece.run ? piece.run.mark.repeat(piece.run.left) : piece.text,
      isStrong: depth.strong > 0,
      isEmphasis: depth.emphasis > 0,
      isStruck: depth.strike > 0,
      isCode: piece.isCode === true,
      isHardBreak: piece.isHardBreak === true,
      link: link ?? piece.link,
    };
  });
}

/** Numeric references may encode control characters, so they are filtered too. */
function decodeEntity([, decimal, hexadecimal, name]: RegExpExecArray): string | undefined {
  if (name !== undefined) return entities[name];
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? filterEscapes(String.fromCodePoint(code)) : undefined;
}

function lastCharacter(text: string, end: number): string {
  const isPair = (text.charCodeAt(end - 1) & 0xfc00) === 0xdc00;
  return text.slice(Math.max(0, end - (isPair ? 2 : 1)), end);
}

function firstCharacter(text: string, start: number): string {
  const code = text.codePointAt(start);
  return code === undefined ? '' : String.fromCodePoint(code);
}
