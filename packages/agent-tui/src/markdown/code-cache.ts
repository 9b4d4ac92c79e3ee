import type { RenderStyle } from '../components/render-style.ts';
import { truncateText } from '../text/truncate-text.ts';
import { wrapText } from '../text/wrap-text.ts';
import type { CodeContent } from './block.ts';
import { findLanguage } from './find-language.ts';
import { paintParts } from './highlight-code.ts';
import { type CodeState, highlightLine } from './highlight-line.ts';
import type { Language } from './language.ts';

interface RenderedCode {
  readonly width: number;
  readonly lines: string[];
  /** For each line of code, how many lines it and those before it take. */
  readonly ends: number[];
  state: CodeState;
}

const indent = '  ';

/**
 * The layout of code: `indented` and broken into rows; `flush`, the same at column 0; `whole`, each line as it was
 * written at column 0, for finished lines, which the terminal breaks, so that a selection copies what was written.
 */
export type CodeForm = 'indented' | 'flush' | 'whole';

/** Renders code and remembers the lines that are whole, so that code that is still being written costs its last line. */
export class CodeCache {
  readonly #look: RenderStyle;
  readonly #form: CodeForm;
  #rendered = new WeakMap<readonly string[], RenderedCode>();

  /** True if code begins at column 0, also inside lists and quotes. */
  get isFlush(): boolean {
    return this.#form !== 'indented';
  }

  constructor(look: RenderStyle, form: CodeForm = 'indented') {
    this.#look = look;
    this.#form = form;
  }

  /** The lines of a code block; without its label if it is shown from a later line of code on. */
  render(code: CodeContent, width: number, from = 0): string[] {
    const language = findLanguage(code.language);
    const rendered = this.#wholeLines(code, width, language);
    let { state } = rendered;
    const tail = code.tail.flatMap((line) => {
      const highlighted = this.#line(line, { state, language, width });
      state = highlighted.state;
      return highlighted.lines;
    });
    if (from > 0) return [...rendered.lines.slice(rendered.ends[from - 1]), ...tail];
    return [...this.#label(code.language, width), ...rendered.lines, ...tail];
  }

  #wholeLines(code: CodeContent, width: number, language: Language | undefined): RenderedCode {
    const known = this.#rendered.get(code.lines);
    const rendered = known?.width === width ? known : { width, lines: [], ends: [], state: undefined };
    while (rendered.ends.length < code.lines.length) {
      const line = code.lines[rendered.ends.length] ?? '';
      const highlighted = this.#line(line, { state: rendered.state, language, width });
      for (const shown of highlighted.lines) rendered.lines.push(shown);
      rendered.ends.push(rendered.lines.length);
      rendered.state = highlighted.state;
    }
    this.#rendered.set(code.lines, rendered);
    return rendered;
  }

  #line(
    line: string,
    options: { readonly state: CodeState; readonly language: Language | undefined; readonly width: number },
  ): { readonly lines: string[]; readonly state: CodeState } {
    const { language, width, state } = options;
    const { paint } = this.#look;
    const highlighted = language && highlightLine(line, state, language);
    const text = highlighted ? paintParts(highlighted.parts, paint) : paint('mdCodeBlock', line);
    const next = highlighted ? highlighted.state : state;
    if (this.#form === 'whole') return { lines: [text], state: next };
    const lead = this.#form === 'indented' && width > 2 * indent.length ? indent : '';
    const lines = wrapText(text, width - lead.length).map((row) => (row === '' ? '' : lead + row));
    return { lines, state: next };
  }

  #label(name: string, width: number): string[] {
    if (name === '' || width <= 2 * indent.length) return [];
    const { paint, glyphs } = this.#look;
    const rule = glyphs.horizontal.repeat(3);
    const label = truncateText(name, width - indent.length - 4, glyphs.ellipsis);
    const lead = this.#form === 'indented' ? indent : '';
    return [`${lead}${paint('mdCodeBlockBorder', rule)} ${paint('dim', label)}`];
  }
}
