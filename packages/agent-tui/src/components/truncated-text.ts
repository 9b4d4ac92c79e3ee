import type { Component } from '../component.ts';
import { expandTabs } from '../text/styled-text.ts';
import { truncateText } from '../text/truncate-text.ts';

/** One line of text; what does not fit is cut off and marked. */
export class TruncatedText implements Component {
  #text: string;
  #kept: { readonly width: number; readonly lines: readonly string[] } | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  set text(text: string) {
    if (text === this.#text) return;
    this.#text = text;
    this.#kept = undefined;
  }

  invalidate(): void {
    this.#kept = undefined;
  }

  render(width: number): readonly string[] {
    if (this.#kept?.width !== width) {
      const [first = '', ...rest] = this.#text.split('\n', 2);
      const line = truncateText(expandTabs(rest.length > 0 ? `${first} …` : first), width);
      this.#kept = { width, lines: [line] };
    }
    return this.#kept.lines;
  }
}
