/** A stretch of text inside a block. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'strong' | 'emphasis' | 'strike'; readonly content: readonly Inline[] }
  | { readonly kind: 'link'; readonly address: string; readonly content: readonly Inline[] };

const deepest = 6;
const special = /[\\`*_~[!<\n]|https?:\/\//g;

/** Reads emphasis, code and links. What is not closed is text, and looking for an end costs each mark one search. */
export function parseInline(text: string): readonly Inline[] {
  return new InlineReader(text, 0).read();
}

/** The address of a link, if it is of a kind that only ever opens a page or a letter. */
export function safeAddress(address: string): string | undefined {
  // Browsers drop such characters before they look at the scheme.
  const plain = address.replace(/[\0-\x20\x7f-\x9f]/g, '');
  return /^(?:https?:\/\/|mailto:)[^\s]+$/i.test(plain) ? plain : undefined;
}

class InlineReader {
  readonly #text: string;
  readonly #depth: number;
  readonly #found: Inline[] = [];
  /** Marks that have no end in the rest of the text. */
  readonly #unclosed = new Set<string>();
  #plain = '';

  constructor(text: string, depth: number) {
    this.#text = text;
    this.#depth = depth;
  }

  read(): readonly Inline[] {
    let at = 0;
    while (at < this.#text.length) {
      special.lastIndex = at;
      const start = special.exec(this.#text)?.index ?? this.#text.length;
      this.#plain += this.#text.slice(at, start);
      if (start >= this.#text.length) break;
      at = this.#readSpecial(start);
    }
    this.#endText();
    return this.#found;
  }

  /** Returns the position behind what stands here. */
  #readSpecial(at: number): number {
    const character = this.#text[at] ?? '';
    switch (character) {
      case '\\':
        return this.#readBackslash(at);
      case '\n':
        return this.#readBreak(at);
      case '`':
        return this.#readCode(at);
      case '[':
      case '!':
        return this.#readLink(at);
      case '<':
        return this.#readAngle(at);
      case 'h':
        return this.#readAddress(at);
      default:
        return this.#readEmphasis(at, character);
    }
  }

  #readBackslash(at: number): number {
    const next = this.#text[at + 1] ?? '';
    if (next === '\n') return this.#add({ kind: 'break' }, at + 2);
    const isEscape = /^[!-/:-@[-`{-~]$/.test(next);
    return this.#literal(isEscape ? next : '\\', at + (isEscape ? 2 : 1));
  }

  #readBreak(at: number): number {
    if (!this.#plain.endsWith('  ')) return this.#literal('\n', at + 1);
    this.#plain = this.#plain.trimEnd();
    return this.#add({ kind: 'break' }, at + 1);
  }

  #readCode(at: number): number {
    const ticks = /^`+/.exec(this.#text.slice(at, at + 64))?.[0] ?? '`';
    const end = this.#closing(ticks, at + ticks.length);
    if (end < 0) return this.#literal(ticks, at + ticks.length);
    const inner = this.#text.slice(at + ticks.length, end).replaceAll('\n', ' ');
    const isPadded = inner.length > 2 && inner.startsWith(' ') && inner.endsWith(' ');
    return this.#add({ kind: 'code', text: isPadded ? inner.slice(1, -1) : inner }, end + ticks.length);
  }

  #readEmphasis(at: number, character: string): number {
    const isDouble = this.#text[at + 1] === character;
    if (character === '~' && !isDouble) return this.#literal('~', at + 1);
    const mark = isDouble ? character + character : character;
    const from = at + mark.length;
    const isInsideWord = character === '_' && /\w/.test(this.#text[at - 1] ?? ' ');
    if (this.#depth >= deepest || isInsideWord || /^(\s|$)/.test(this.#text[from] ?? ''))
      return this.#literal(mark, from);
    const end = this.#closing(mark, from);
    if (end <= from || /\s/.test(this.#text[end - 1] ?? '')) return this.#literal(mark, from);
    const kind = character === '~' ? 'strike' : isDouble ? 'strong' : 'emphasis';
    return this.#add({ kind, content: this.#nested(this.#text.slice(from, end)) }, end + mark.length);
  }

  /** Pictures from elsewhere are never loaded: they are links to where they are. */
  #readLink(at: number): number {
    const isImage = this.#text[at] === '!';
    if (isImage && this.#text[at + 1] !== '[') return this.#literal('!', at + 1);
    const pattern =
      /!?\[([^[\]\n]{0,1000})\]\(\s{0,9}<?([^()<>\s]{0,2000})>?(?:\s{1,9}"[^"\n]{0,500}")?\s{0,9}\)/y;
    pattern.lastIndex = at;
    const found = pattern.exec(this.#text);
    const address = safeAddress(found?.[2] ?? '');
    if (!found || this.#depth >= deepest) return this.#literal(this.#text[at] ?? '', at + 1);
    if (address === undefined) return this.#literal(found[0], at + found[0].length);
    const content = this.#nested(found[1] || address);
    return this.#add({ kind: 'link', address, content }, at + found[0].length);
  }

  #readAngle(at: number): number {
    const pattern = /<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/iy;
    pattern.lastIndex = at;
    const found = pattern.exec(this.#text);
    if (!found?.[1]) return this.#literal('<', at + 1);
    return this.#addLink(found[1], at + found[0].length);
  }

  #readAddress(at: number): number {
    const pattern = /https?:\/\/[^\s<>"'`\])}]{1,2000}/iy;
    pattern.lastIndex = at;
    const found = pattern.exec(this.#text)?.[0].replace(/(?<![.,;:!?*_~])[.,;:!?*_~]+$/, '') ?? '';
    if (!/^https?:\/\/./i.test(found)) return this.#literal('h', at + 1);
    return this.#addLink(found, at + found.length);
  }

  #addLink(address: string, next: number): number {
    const safe = safeAddress(address);
    if (safe === undefined) return this.#literal(address, next);
    return this.#add({ kind: 'link', address: safe, content: [{ kind: 'text', text: address }] }, next);
  }

  /** Where a mark stands alone again: not as a part of a longer run of its character. */
  #closing(mark: string, from: number): number {
    if (this.#unclosed.has(mark)) return -1;
    const character = mark[0] ?? '';
    for (let at = this.#text.indexOf(mark, from); at >= 0; at = this.#text.indexOf(mark, at + 1)) {
      let end = at;
      while (this.#text[end] === character) end++;
      if (end - at === mark.length || (mark.length === 2 && end - at > 2)) return at;
      at = end;
    }
    this.#unclosed.add(mark);
    return -1;
  }

  #nested(text: string): readonly Inline[] {
    return new InlineReader(text, this.#depth + 1).read();
  }

  #literal(text: string, next: number): number {
    this.#plain += text;
    return next;
  }

  #add(inline: Inline, next: number): number {
    this.#endText();
    this.#found.push(inline);
    return next;
  }

  #endText(): void {
    if (this.#plain !== '') this.#found.push({ kind: 'text', text: this.#plain });
    this.#plain = '';
  }
}
