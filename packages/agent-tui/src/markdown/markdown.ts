import { createLook, type Look } from '../components/look.ts';
import { EscapeFilter } from '../text/escape-filter.ts';
import type { Block } from './block.ts';
import { BlockReader } from './block-reader.ts';
import { CodeCache } from './code-cache.ts';
import { type BlockStyle, hasGapBefore, renderBlock, renderBlocks } from './render-blocks.ts';
import type { BaseStyle } from './render-inline.ts';
import { TableRenderer } from './table-renderer.ts';

/** How a Markdown text is shown. */
export interface MarkdownOptions {
  readonly look?: Look;
  /** How text is shown that nothing is said of. */
  readonly base?: BaseStyle;
}

/** The beginning of a line that may still become anything: marks of lists, rules, fences, tables and headings. */
const undecided = /^[\s>]*(?:[-+*_=~`#|:\s]*|(?:[-+*]|\d{1,9}[.)]?)(?:\s+\[[ xX]?\]?)?\s*)$/;
const emptyLines: readonly string[] = [];

/**
 * A Markdown text that is shown while it comes. Blocks that another one follows are rendered once and never change;
 * only the last one is rendered again when it grows.
 */
export class Markdown {
  readonly #look: Look;
  readonly #base: BaseStyle | undefined;
  #filter = new EscapeFilter();
  #source = '';
  #reader = new BlockReader();
  #code: CodeCache;
  #tables = new TableRenderer();
  /** The line that is being written. */
  #partial = '';
  #isFinished = false;
  #blocks: Block[] = [];
  #width = 0;
  #rendered = 0;
  #lines: string[] = [];
  #tail: { readonly lines: readonly string[]; readonly stable: number } | undefined;
  #whole: readonly string[] | undefined;

  constructor(options: MarkdownOptions = {}) {
    this.#look = options.look ?? createLook();
    this.#base = options.base;
    this.#code = new CodeCache(this.#look);
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
    this.#isFinished = true;
    this.#changed();
  }

  /** All lines at a width; the same array as long as nothing changes. */
  render(width: number): readonly string[] {
    const finished = this.#finishedBlocks(width);
    this.#tail ??= this.#renderTail(width);
    this.#whole ??= this.#tail.lines.length === 0 ? [...finished] : [...finished, ...this.#tail.lines];
    return this.#whole;
  }

  /** How many of the lines at the top will never change, whatever comes. */
  stableLines(width: number): number {
    const finished = this.#finishedBlocks(width);
    this.#tail ??= this.#renderTail(width);
    return finished.length + this.#tail.stable;
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
    this.#blocks = [];
    this.invalidate();
  }

  #read(text: string): void {
    const lines = text.split('\n');
    lines[0] = this.#partial + (lines[0] ?? '');
    this.#partial = lines.pop() ?? '';
    for (const line of lines) this.#blocks.push(...this.#reader.push(line));
    this.#changed();
  }

  #changed(): void {
    this.#tail = undefined;
    this.#whole = undefined;
  }

  /** The lines of blocks that are finished; what was rendered at this width before stays. */
  #finishedBlocks(width: number): readonly string[] {
    const columns = Math.max(1, Math.floor(width));
    if (columns !== this.#width) {
      this.#width = columns;
      this.#rendered = 0;
      this.#lines = [];
      this.#code = new CodeCache(this.#look);
      this.#tables = new TableRenderer();
      this.#changed();
    }
    for (; this.#rendered < this.#blocks.length; this.#rendered++) {
      const block = this.#blocks[this.#rendered];
      if (!block) break;
      if (hasGapBefore(block, this.#blocks[this.#rendered - 1], 0)) this.#lines.push('');
      for (const line of renderBlock(block, columns, this.#style)) this.#lines.push(line);
    }
    return this.#lines;
  }

  #renderTail(width: number): { readonly lines: readonly string[]; readonly stable: number } {
    if (this.#isFinished) return { lines: emptyLines, stable: 0 };
    const columns = Math.max(1, Math.floor(width));
    const isUndecided = undecided.test(this.#partial);
    const open = withoutHeaderRow(this.#reader.preview(isUndecided ? undefined : this.#partial));
    const [first] = open;
    if (!first) return { lines: emptyLines, stable: 0 };
    const style = { ...this.#style, isOpen: true };
    const gap = hasGapBefore(first, this.#blocks.at(-1), 0) ? [''] : [];
    const lines = [...gap, ...renderBlocks(open, columns, style)];
    const code = this.#reader.openCode;
    return { lines, stable: code ? gap.length + this.#code.render(code, columns).stable : 0 };
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
