import { createRenderStyle, type RenderStyle } from '../components/render-style.ts';
import { EscapeFilter } from '../text/escape-filter.ts';
import type { Block } from './block.ts';
import { BlockReader } from './block-reader.ts';
import { CodeCache, type CodeForm } from './code-cache.ts';
import { type BlockLine, type BlockStyle, codeLines, renderBlocks } from './render-blocks.ts';
import type { BaseStyle } from './render-inline.ts';
import { TableRenderer } from './table-renderer.ts';

/** How a Markdown text is shown. */
export interface MarkdownOptions {
  readonly look?: RenderStyle;
  /** How text is shown that nothing is said of. */
  readonly base?: BaseStyle;
  /** Stands before the first line, which is that much shorter. */
  readonly lead?: string;
  /** Stands before every line but those of code at column 0. */
  readonly indent?: string;
  /** `indented` by default. */
  readonly code?: CodeForm;
}

/** Longer lines are data rather than text, and are cut into several. */
const longestLine = 8192;
/** A line that begins with more marks than this is what it is. */
const longestMarks = 100;
/** The beginning of a line that may still become anything: marks of lists, rules, fences, tables and headings. */
const undecided = /^[\s>]*(?![\s>])(?:[-+*_=~`#|:\s]*|(?:[-+*]|\d{1,9}[.)]?)(?:\s+\[[ xX]?\]?)?\s*)$/;

/**
 * A Markdown text that is shown while it comes. Blocks that another one follows are rendered once and never change;
 * only the last one is rendered again when it grows.
 */
export class Markdown {
  readonly #look: RenderStyle;
  readonly #base: BaseStyle | undefined;
  readonly #lead: string;
  readonly #indent: string;
  readonly #codeForm: CodeForm;
  #filter = new EscapeFilter();
  #source = '';
  #reader = new BlockReader();
  #code: CodeCache;
  #tables = new TableRenderer();
  /** The line that is being written. */
  #partial = '';
  #isFinished = false;
  /** Blocks that are finished, without those that were taken. */
  #blocks: Block[] = [];
  /** The last block that was taken. */
  #previous: Block | undefined;
  /** The lines of code that were taken of the first block that was not taken as a whole. */
  #takenCode = 0;
  #width = 0;
  #rendered = 0;
  #lines: string[] = [];
  #tail: readonly string[] | undefined;
  #whole: readonly string[] | undefined;

  constructor(options: MarkdownOptions = {}) {
    this.#look = options.look ?? createRenderStyle();
    this.#base = options.base;
    this.#lead = options.lead ?? '';
    this.#indent = options.indent ?? '';
    this.#codeForm = options.code ?? 'indented';
    this.#code = new CodeCache(this.#look, this.#codeForm);
  }

  /** Adds what came next. */
  append(text: string): void {
    if (text === '') return;
    if (this.#isFinished) throw new Error('The Markdown text is finished: nothing can be added to it.');
    this.#source += text;
    this.#read(this.#filter.push(text));
  }

  /** Takes the text as a whole; what it begins with as before is not read again. */
  setText(text: string): void {
    if (this.#isFinished || !text.startsWith(this.#source)) this.#reset();
    this.append(text.slice(this.#source.length));
  }

  /** Says that nothing more comes, so that what is open is what it is. */
  finish(): void {
    if (this.#isFinished) return;
    this.#read(this.#filter.end());
    if (this.#partial !== '') this.#blocks.push(...this.#reader.push(this.#partial));
    this.#partial = '';
    this.#blocks.push(...this.#reader.end());
    this.#source = '';
    this.#isFinished = true;
    this.#changed();
  }

  /** All lines at a width that were not taken; the same array as long as nothing changes. */
  render(width: number): readonly string[] {
    const finished = this.#finishedLines(width);
    this.#tail ??= this.#renderTail();
    this.#whole ??= [...finished, ...this.#tail];
    return this.#whole;
  }

  /**
   * Hands out the lines that will never change, whatever comes: blocks that another one follows, and whole lines of
   * code. They are not rendered any more, so that each is shown once, also if the width changes in between.
   */
  takeStable(width: number): readonly string[] {
    const finished = [...this.#finishedLines(width)];
    if (this.#blocks.length > 0) {
      this.#previous = this.#blocks.at(-1);
      this.#takenCode = 0;
      this.#forgetBlocks();
    }
    const code = this.#reader.openCode;
    const isGrown = code !== undefined && code.lines.length > this.#takenCode;
    const open = isGrown ? this.#draw([code], this.#previous, this.#style) : [];
    if (isGrown) this.#takenCode = code.lines.length;
    this.#changed();
    return [...finished, ...open];
  }

  /** Forgets what was rendered, for instance when colours change. */
  invalidate(): void {
    this.#width = 0;
    this.#changed();
  }

  #reset(): void {
    this.#source = '';
    this.#filter = new EscapeFilter();
    this.#reader = new BlockReader();
    this.#partial = '';
    this.#isFinished = false;
    this.#previous = undefined;
    this.#takenCode = 0;
    this.#forgetBlocks();
    this.invalidate();
  }

  #forgetBlocks(): void {
    this.#blocks = [];
    this.#rendered = 0;
    this.#lines = [];
  }

  #read(text: string): void {
    const lines = text.split('\n');
    lines[0] = this.#partial + (lines[0] ?? '');
    const last = lines.pop() ?? '';
    for (const line of lines) this.#blocks.push(...this.#reader.push(this.#withoutLongParts(line)));
    this.#partial = this.#withoutLongParts(last);
    this.#changed();
  }

  /** Reads parts of a line that is too long to be rendered with every word that is added, and returns the rest. */
  #withoutLongParts(line: string): string {
    let rest = line;
    while (rest.length > longestLine) {
      const blank = rest.lastIndexOf(' ', longestLine);
      const isPair = (rest.charCodeAt(longestLine - 1) & 0xfc00) === 0xd800;
      const end = blank > longestLine / 2 ? blank : longestLine - (isPair ? 1 : 0);
      this.#blocks.push(...this.#reader.push(rest.slice(0, end)));
      rest = rest.slice(end);
    }
    return rest;
  }

  #changed(): void {
    this.#tail = undefined;
    this.#whole = undefined;
  }

  /** The lines of blocks that are finished; what was rendered at this width before stays. */
  #finishedLines(width: number): readonly string[] {
    const columns = Math.max(1, Math.floor(width) - this.#indent.length);
    if (columns !== this.#width) {
      this.#width = columns;
      this.#rendered = 0;
      this.#lines = [];
      this.#code = new CodeCache(this.#look, this.#codeForm);
      this.#tables = new TableRenderer();
      this.#changed();
    }
    const news = this.#blocks.slice(this.#rendered);
    const previous = this.#rendered === 0 ? this.#previous : this.#blocks[this.#rendered - 1];
    for (const line of this.#draw(news, previous, this.#style)) this.#lines.push(line);
    this.#rendered = this.#blocks.length;
    return this.#lines;
  }

  #renderTail(): readonly string[] {
    if (this.#isFinished) return [];
    const isUndecided = this.#partial.length <= longestMarks && undecided.test(this.#partial);
    const open = withoutHeaderRow(this.#reader.preview(isUndecided ? undefined : this.#partial));
    return this.#draw(open, this.#blocks.at(-1) ?? this.#previous, { ...this.#style, isOpen: true });
  }

  /** The lines of blocks that follow another one, without those that were taken of the first. */
  #draw(blocks: readonly Block[], previous: Block | undefined, style: BlockStyle): string[] {
    const [first] = blocks;
    const isBegun = previous === this.#previous && this.#takenCode > 0 && first?.kind === 'code';
    const lead = previous === undefined ? this.#lead : '';
    if (!isBegun) return this.#indented(renderBlocks(blocks, this.#width, { ...style, previous, lead }));
    const rest = codeLines(this.#code.render(first, this.#width, this.#takenCode), this.#code);
    const others = renderBlocks(blocks.slice(1), this.#width, { ...style, previous: first });
    return this.#indented([...rest, ...others]);
  }

  #indented(lines: readonly BlockLine[]): string[] {
    return lines.map((line) => {
      if (typeof line !== 'string') return line.code;
      return line === '' ? '' : this.#indent + line;
    });
  }

  get #style(): BlockStyle {
    return {
      look: this.#look,
      code: this.#code,
      tables: this.#tables,
      ...(this.#base ? { base: this.#base } : {}),
    };
  }
}

/** A line that begins with a bar is most often the head of a table, which its next line decides. */
function withoutHeaderRow(blocks: Block[]): Block[] {
  const last = blocks.at(-1);
  if (last?.kind !== 'paragraph') return blocks;
  const lines = last.text.split('\n');
  if (!lines.at(-1)?.startsWith('|')) return blocks;
  const text = lines.slice(0, -1).join('\n');
  return text === '' ? blocks.slice(0, -1) : [...blocks.slice(0, -1), { ...last, text }];
}
