import type { Component } from '../text/component.ts';
import { expandTabs, textWidth } from '../text/styled-text.ts';
import { truncateText } from '../text/truncate-text.ts';
import { wrapText } from '../text/wrap-text.ts';

/** A text that is drawn once for a width, until it changes. */
abstract class CachedText implements Component {
  #text: string;
  #kept: { readonly width: number; readonly lines: readonly string[] } | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get text(): string {
    return this.#text;
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
    if (this.#kept?.width !== width) this.#kept = { width, lines: this.draw(width) };
    return this.#kept.lines;
  }

  protected abstract draw(width: number): readonly string[];
}

/** The room around a text, and how it looks. */
export interface TextOptions {
  readonly paddingX?: number;
  readonly paddingY?: number;
  /** Colours whole lines, to the full width. */
  readonly background?: (line: string) => string;
}

/** A text that is wrapped to the width. */
export class Text extends CachedText {
  readonly #options: TextOptions;

  constructor(text: string, options: TextOptions = {}) {
    super(text);
    this.#options = options;
  }

  protected override draw(width: number): readonly string[] {
    if (this.text === '') return [];
    const { paddingX = 0, paddingY = 0, background } = this.#options;
    const margin = ' '.repeat(Math.min(paddingX, Math.max(0, Math.floor((width - 1) / 2))));
    const inner = wrapText(this.text, width - 2 * margin.length).map((line) => margin + line);
    const blank = Array.from({ length: paddingY }, () => '');
    const lines = [...blank, ...inner, ...blank];
    if (!background) return lines;
    return lines.map((line) => background(line + ' '.repeat(Math.max(0, width - textWidth(line)))));
  }
}

/** One line of text; what does not fit is cut off and marked. */
export class TruncatedText extends CachedText {
  protected override draw(width: number): readonly string[] {
    const [first = '', ...rest] = this.text.split('\n', 2);
    return [truncateText(expandTabs(rest.length > 0 ? `${first} …` : first), width)];
  }
}

/** Blank lines. */
export class Spacer implements Component {
  readonly #lines: readonly string[];

  constructor(height = 1) {
    this.#lines = Array.from({ length: height }, () => '');
  }

  render(): readonly string[] {
    return this.#lines;
  }
}
