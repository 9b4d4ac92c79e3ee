import type { Component } from '../component.ts';
import { textWidth } from '../text/styled-text.ts';
import { wrapText } from '../text/wrap-text.ts';

/** The room around a text, and how it looks. */
export interface TextOptions {
  readonly paddingX?: number;
  readonly paddingY?: number;
  /** Colours whole lines, to the full width. */
  readonly background?: (line: string) => string;
}

/** A text that is wrapped to the width. */
export class Text implements Component {
  #text: string;
  readonly #options: TextOptions;
  #kept: { readonly width: number; readonly lines: readonly string[] } | undefined;

  constructor(text: string, options: TextOptions = {}) {
    this.#text = text;
    this.#options = options;
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
    if (this.#kept?.width !== width) this.#kept = { width, lines: this.#draw(width) };
    return this.#kept.lines;
  }

  #draw(width: number): readonly string[] {
    if (this.#text === '') return [];
    const { paddingX = 0, paddingY = 0, background } = this.#options;
    const margin = ' '.repeat(Math.min(paddingX, Math.max(0, Math.floor((width - 1) / 2))));
    const inner = wrapText(this.#text, width - 2 * margin.length).map((line) => margin + line);
    const blank = Array.from({ length: paddingY }, () => '');
    const lines = [...blank, ...inner, ...blank];
    if (!background) return lines;
    return lines.map((line) => background(line + ' '.repeat(Math.max(0, width - textWidth(line)))));
  }
}
