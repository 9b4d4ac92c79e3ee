/** A piece of what a terminal sends: keys, or a text that was pasted. */
export type TerminalInputPiece =
  | { readonly kind: 'keys'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string };

const begin = '\u001b[200~';
const end = '\u001b[201~';
const interrupt = '\u0003';

/**
 * Tells pasted text from keys: by the terminal's bracketed-paste marks, otherwise by several lines that
 * arrive at once.
 */
export class PasteSplitter {
  #held = '';
  #isPasting = false;

  /** The pieces that are whole with what arrived now. */
  push(chunk: string): TerminalInputPiece[] {
    // A terminal that never sends the end of a paste must not take the keyboard away.
    if (this.#isPasting && chunk === interrupt) return [this.#endPaste(this.#held, ''), keys(chunk)];
    this.#held += chunk;
    const pieces: TerminalInputPiece[] = [];
    for (let piece = this.#next(); piece; piece = this.#next()) pieces.push(piece);
    return pieces;
  }

  #next(): TerminalInputPiece | undefined {
    const held = this.#held;
    if (this.#isPasting) {
      const at = held.indexOf(end);
      return at < 0 ? undefined : this.#endPaste(held.slice(0, at), held.slice(at + end.length));
    }
    if (held.startsWith(begin)) {
      this.#isPasting = true;
      this.#held = held.slice(begin.length);
      return this.#next();
    }
    const marked = held.indexOf(begin);
    const length = marked < 0 ? held.length - unfinishedMark(held) : marked;
    this.#held = held.slice(length);
    return length === 0 ? undefined : unmarked(held.slice(0, length), (rest) => this.#giveBack(rest));
  }

  #endPaste(text: string, rest: string): TerminalInputPiece {
    this.#isPasting = false;
    this.#held = rest;
    return { kind: 'paste', text: withLineFeeds(text) };
  }

  #giveBack(rest: string): void {
    this.#held = rest + this.#held;
  }
}

function keys(text: string): TerminalInputPiece {
  return { kind: 'keys', text };
}

/** How many characters at the end may be the beginning of a mark; a lone escape is a key. */
function unfinishedMark(text: string): number {
  for (let length = begin.length - 1; length >= 2; length--)
    if (text.endsWith(begin.slice(0, length))) return length;
  return 0;
}

/** Control keys behind the lines, such as Ctrl+C, stay keys. */
function unmarked(text: string, giveBack: (rest: string) => void): TerminalInputPiece {
  const lines = text.replace(/(?<!\p{Cc})\p{Cc}+$/u, '');
  if (!/[\r\n]\P{Cc}/u.test(lines)) return keys(text);
  const controls = text.slice(lines.length).replace(/^[\r\n]+/, '');
  giveBack(controls);
  return { kind: 'paste', text: withLineFeeds(lines) };
}

/** Terminals send a carriage return for each end of a line; breaks at the end send nothing. */
function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/(?<!\n)\n+$/, '');
}
