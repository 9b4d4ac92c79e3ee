import { textWidth } from '../text/styled-text.ts';
import { wrapText } from '../text/wrap-text.ts';
import { CachedText } from './cached-text.ts';

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
