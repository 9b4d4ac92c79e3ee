import {
  type LinkTarget,
  parseInline,
  readBlocks,
  type Block as SourceBlock,
  type Span,
} from '@robota-sdk/agent-tui';

/** A piece of text inside a block. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string; readonly styles: readonly InlineStyle[] }
  | { readonly kind: 'break' }
  | { readonly kind: 'link'; readonly address: string; readonly content: readonly Inline[] };

/** The style of a piece of text, the outermost first. */
export type InlineStyle = 'strong' | 'emphasis' | 'strike' | 'code';

/** A block of a Markdown text. */
export type Block =
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly content: readonly Inline[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly kind: 'list';
      readonly ordered: boolean;
      readonly start: number;
      readonly items: readonly ListItem[];
    }
  | {
      readonly kind: 'table';
      readonly align: readonly Alignment[];
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly kind: 'rule' };

/** The alignment of a table column. */
export type Alignment = 'left' | 'center' | 'right';

interface ListItem {
  /** True if the task is done, for items with a check box. */
  readonly done?: boolean;
  readonly blocks: readonly Block[];
}

/** Deeper lists and quotes are shown as the text that they are written with. */
const deepest = 8;

/** Parses Markdown with the parser of the screen. HTML is plain text. */
export function parseMarkdown(text: string): readonly Block[] {
  return blocksOf(text.split(/\r?\n/), 0);
}

/** The URL of a link if it can only open a page or an email; other links are shown as text. */
export function safeAddress(address: string): string | undefined {
  // Browsers drop such characters before they look at the scheme.
  const plain = address.replace(/[\0-\x20\x7f-\x9f]/g, '');
  return /^(?:https?:\/\/|mailto:)[^\s]+$/i.test(plain) ? plain : undefined;
}

/** Emphasis, code, line breaks and safe links of a text. Images are links: a page loads nothing from elsewhere. */
export function inlinesOf(text: string): readonly Inline[] {
  const inlines: Inline[] = [];
  let last: LinkTarget | undefined;
  let content: Inline[] = inlines;
  for (const span of parseInline(text)) {
    if (span.link !== last) {
      last = span.link;
      content = inlines;
      const address = last && safeAddress(last.address);
      if (address !== undefined) {
        content = [];
        inlines.push({ kind: 'link', address, content });
      }
    }
    if (span.isHardBreak) content.push({ kind: 'break' });
    else addText(content, span.text, stylesOf(span));
  }
  return inlines.map((inline) => (inline.kind === 'link' ? withText(inline) : inline));
}

/** Joins neighbours of the same style, so that the page has fewer elements. */
function addText(content: Inline[], text: string, styles: readonly InlineStyle[]): void {
  const last = content.at(-1);
  const isSame = last?.kind === 'text' && last.styles.join() === styles.join();
  if (isSame) content[content.length - 1] = { ...last, text: last.text + text };
  else if (text !== '') content.push({ kind: 'text', text, styles });
}

function withText(link: Extract<Inline, { kind: 'link' }>): Inline {
  if (link.content.length > 0) return link;
  return { ...link, content: [{ kind: 'text', text: link.address, styles: [] }] };
}

function stylesOf({ isStrong, isEmphasis, isStruck, isCode }: Span): readonly InlineStyle[] {
  const styles: InlineStyle[] = [];
  if (isStrong) styles.push('strong');
  if (isEmphasis) styles.push('emphasis');
  if (isStruck) styles.push('strike');
  if (isCode) styles.push('code');
  return styles;
}

function blocksOf(lines: readonly string[], depth: number): readonly Block[] {
  if (depth > deepest)
    return [{ kind: 'paragraph', content: [{ kind: 'text', text: lines.join('\n'), styles: [] }] }];
  const blocks: Block[] = [];
  let list: { readonly ordered: boolean; readonly items: ListItem[] } | undefined;
  for (const block of readBlocks(lines)) {
    if (block.kind !== 'item') {
      list = undefined;
      blocks.push(blockOf(block, depth));
      continue;
    }
    const ordered = block.label !== '';
    if (list?.ordered !== ordered) {
      list = { ordered, items: [] };
      blocks.push({ kind: 'list', start: ordered ? Number.parseInt(block.label, 10) : 1, ...list });
    }
    const done = block.task === undefined ? {} : { done: block.task === 'done' };
    list.items.push({ ...done, blocks: blocksOf(block.lines, depth + 1) });
  }
  return blocks;
}

function blockOf(block: Exclude<SourceBlock, { kind: 'item' }>, depth: number): Block {
  switch (block.kind) {
    case 'paragraph':
      return { kind: 'paragraph', content: inlinesOf(block.text) };
    case 'heading':
      return { kind: 'heading', level: block.depth, content: inlinesOf(block.text) };
    case 'code':
      return { kind: 'code', language: block.language, text: [...block.lines, ...block.tail].join('\n') };
    case 'quote':
      return { kind: 'quote', blocks: blocksOf(block.lines, depth + 1) };
    case 'table':
      return {
        kind: 'table',
        align: block.alignments.map((alignment) => (alignment === 'centre' ? 'center' : alignment)),
        head: block.header.map(inlinesOf),
        rows: block.rows.map((row) => row.map(inlinesOf)),
      };
    case 'rule':
      return { kind: 'rule' };
  }
}
