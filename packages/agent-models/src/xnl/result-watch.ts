/** Only at the beginning of a line: elsewhere it is mentioned, not used. */
const opening = /(?:^|\n)(?<!\s\n)\s*<tool_resp(?=[\s>#{])/;
const tag = '<tool_resp';
/** A possible opening: white space at the beginning of a line, and the text after it. */
const unfinished = /(?:^|\n)(?<!\s\n)\s*(<\w*)?$/;
const longestHeld = 80;

/** Looks in a text that comes in pieces for a result that its writer made up, and lets through what stands before it. */
export class ResultWatch {
  #held = '';
  #isLineStart = true;
  #isFound = false;

  get isFound(): boolean {
    return this.#isFound;
  }

  /** As much of the text as is surely no such result. */
  push(piece: string): string {
    if (this.#isFound) return '';
    const text = this.#held + piece;
    const found = this.#search(opening, text);
    this.#isFound = found !== null;
    const stop = found?.index ?? this.#endOfSure(text);
    this.#held = this.#isFound ? '' : text.slice(stop);
    if (stop > 0) this.#isLineStart = false;
    return text.slice(0, stop);
  }

  /** Ends the text and returns the held-back part. */
  end(): string {
    const held = this.#held;
    this.#held = '';
    this.#isLineStart = true;
    return held;
  }

  #endOfSure(text: string): number {
    const found = this.#search(unfinished, text);
    const isPossible = found !== null && tag.startsWith(found[1] ?? '');
    return isPossible && text.length - found.index <= longestHeld ? found.index : text.length;
  }

  /** The first match; one at the very beginning counts only where a line begins. */
  #search(pattern: RegExp, text: string): RegExpExecArray | null {
    const found = pattern.exec(text);
    if (found?.index !== 0 || this.#isLineStart || text.startsWith('\n')) return found;
    const rest = text.indexOf('\n');
    const later = rest < 0 ? null : pattern.exec(text.slice(rest));
    if (later) later.index += rest;
    return later;
  }
}
