import { bold, italic, type RenderStyle, underline } from '../components/render-style.ts';
import { textWidth } from '../text/styled-text.ts';
import { wrapText } from '../text/wrap-text.ts';
import type { Block, ItemContent } from './block.ts';
import { readBlocks } from './block-reader.ts';
import type { CodeCache } from './code-cache.ts';
import { type BaseStyle, type InlineStyle, renderInline } from './render-inline.ts';
import type { TableRenderer } from './table-renderer.ts';

/** The context of rendered blocks. */
export interface BlockStyle {
  readonly look: RenderStyle;
  readonly code: CodeCache;
  readonly tables: TableRenderer;
  readonly base?: BaseStyle;
  /** True if more may follow the last block. */
  readonly isOpen?: boolean;
  /** The block before the first one. */
  readonly previous?: Block | undefined;
  /** Stands before the first line of the first block. */
  readonly lead?: string;
  /** The number of enclosing lists and quotes. */
  readonly depth?: number;
  /** The number of enclosing lists. */
  readonly listDepth?: number;
}

/** Deeper lists and quotes are shown as the text they are written with. */
const deepest = 12;

/** A line of a rendered text, or a line of code that begins at column 0, whatever is around it. */
export type BlockLine = string | { readonly code: string };

/** Renders blocks that follow each other. */
export function renderBlocks(blocks: readonly Block[], width: number, style: BlockStyle): BlockLine[] {
  return blocks.flatMap((block, index) => {
    const isLast = index === blocks.length - 1;
    const lead = index === 0 ? (style.lead ?? '') : '';
    const lines = renderLed(block, width, { ...style, lead, isOpen: isLast && style.isOpen === true });
    const previous = index === 0 ? style.previous : blocks[index - 1];
    return hasGapBefore(block, previous, style.depth ?? 0) ? ['', ...lines] : lines;
  });
}

/** True if a blank line is shown between two blocks. */
function hasGapBefore(block: Block, previous: Block | undefined, depth: number): boolean {
  if (!previous) return false;
  if (block.hasGap) return true;
  return depth === 0 && !(isText(block) && isText(previous));
}

/** A lead joins a text; above other blocks it has a line of its own. */
function renderLed(block: Block, width: number, style: BlockStyle): BlockLine[] {
  const { lead = '' } = style;
  const lines = renderBlock(block, width, style);
  const isJoined = lead === '' || block.kind === 'paragraph' || block.kind === 'heading';
  return isJoined ? lines : [lead.trimEnd(), ...lines];
}

/** Renders one block without its surrounding blank lines. */
function renderBlock(block: Block, width: number, style: BlockStyle): BlockLine[] {
  switch (block.kind) {
    case 'paragraph':
      return wrapText((style.lead ?? '') + renderInline(block.text, inlineStyle(style)), width);
    case 'heading':
      return renderHeading(block, width, style);
    case 'rule':
      return [style.look.paint('mdHr', style.look.glyphs.horizontal.repeat(width))];
    case 'code':
      return codeLines(style.code.render(block, width), style.code);
    case 'item':
      return renderItem(block, width, style);
    case 'quote':
      return renderQuote(block.lines, width, style);
    case 'table':
      return style.tables.render(block, width, inlineStyle(style));
  }
}

/** Marks lines of code that nothing is put before. */
export function codeLines(lines: readonly string[], { isFlush }: Pick<CodeCache, 'isFlush'>): BlockLine[] {
  return lines.map((code) => (isFlush ? { code } : code));
}

function renderHeading(
  { depth, text }: { readonly depth: number; readonly text: string },
  width: number,
  style: BlockStyle,
): string[] {
  const paint = (part: string) => bold(style.look.paint('mdHeading', part));
  const base = depth === 1 ? (part: string) => underline(paint(part)) : paint;
  return wrapText((style.lead ?? '') + renderInline(text, { ...inlineStyle(style), base }), width);
}

function renderItem(item: ItemContent, width: number, style: BlockStyle): BlockLine[] {
  const { paint, glyphs } = style.look;
  const listDepth = style.listDepth ?? 0;
  const bullet = item.label === '' ? (glyphs.bullets[listDepth % 3] ?? '') : item.label;
  const task = item.task && (item.task === 'done' ? glyphs.taskDone : glyphs.taskOpen);
  const mark = task === undefined ? bullet : item.label === '' ? task : `${bullet} ${task}`;
  return behind(`${paint('mdListBullet', mark)} `, ' '.repeat(textWidth(mark) + 1), {
    width,
    render: (room) => renderInside(item.lines, room, { ...style, listDepth: listDepth + 1 }),
  });
}

function renderQuote(lines: readonly string[], width: number, style: BlockStyle): BlockLine[] {
  const { paint, glyphs } = style.look;
  const base: BaseStyle = (text) => italic(paint('mdQuote', text));
  const bar = `${paint('mdQuoteBorder', glyphs.vertical)} `;
  return behind(bar, bar, { width, render: (room) => renderInside(lines, room, { ...style, base }) });
}

/** Lines with something before them, unless there is too little room for both. */
function behind(
  first: string,
  others: string,
  { width, render }: { readonly width: number; readonly render: (room: number) => BlockLine[] },
): BlockLine[] {
  const taken = textWidth(first);
  const isNarrow = width - taken < 8;
  const lines = render(isNarrow ? width : width - taken);
  if (isNarrow)
    return [first.trimEnd().slice(0, taken > width ? 0 : undefined), ...lines].filter((line) => line !== '');
  const [head] = lines;
  if (typeof head !== 'string') return [first.trimEnd(), ...lines];
  return lines.map((line, index) => {
    if (typeof line !== 'string') return line;
    return index === 0 ? first + line : line === '' ? others.trimEnd() : others + line;
  });
}

function renderInside(lines: readonly string[], width: number, style: BlockStyle): BlockLine[] {
  const depth = (style.depth ?? 0) + 1;
  if (depth > deepest) return lines.flatMap((line) => wrapText(line, width));
  return renderBlocks(readBlocks(lines), width, { ...style, depth, previous: undefined, lead: '' });
}

function inlineStyle({ look, base, isOpen }: BlockStyle): InlineStyle {
  return { look, ...(base ? { base } : {}), isOpen: isOpen === true };
}

function isText(block: Block): boolean {
  return block.kind === 'paragraph' || block.kind === 'item';
}
