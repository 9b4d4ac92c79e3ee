import { button, element } from './element.ts';
import { highlightCode } from './highlight-code.ts';
import {
  type Alignment,
  type Block,
  type Inline,
  type InlineStyle,
  parseMarkdown,
} from './parse-markdown.ts';
import { plainText } from './plain-text.ts';

/** Markdown as elements. */
export function renderMarkdown(text: string): HTMLElement {
  return element('div', { class: 'markdown' }, ...parseMarkdown(plainText(text)).map(blockNode));
}

/** The text that the elements show, for searching. */
export function markdownText(text: string): string {
  return parseMarkdown(plainText(text)).map(textOfBlock).join('\n');
}

function textOfBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return textOfInlines(block.content);
    case 'code':
      return block.text;
    case 'quote':
      return block.blocks.map(textOfBlock).join('\n');
    case 'list':
      return block.items.flatMap(({ blocks }) => blocks.map(textOfBlock)).join('\n');
    case 'table':
      return [block.head, ...block.rows].flatMap((row) => row.map(textOfInlines)).join('\n');
    case 'rule':
      return '';
  }
}

function textOfInlines(content: readonly Inline[]): string {
  const texts = content.map((inline) => {
    if (inline.kind === 'break') return '\n';
    return inline.kind === 'link' ? textOfInlines(inline.content) : inline.text;
  });
  return texts.join('');
}

function blockNode(block: Block): HTMLElement {
  switch (block.kind) {
    case 'paragraph':
      return element('p', readingOrder, ...inlineNodes(block.content));
    case 'heading':
      // The page itself has the first two levels.
      return element(
        headingTags[Math.min(block.level, 4) - 1] ?? 'h6',
        readingOrder,
        ...inlineNodes(block.content),
      );
    case 'code':
      return codeBlock(block.language, block.text);
    case 'quote':
      return element('blockquote', {}, ...block.blocks.map(blockNode));
    case 'list':
      return listNode(block);
    case 'table':
      return tableNode(block);
    case 'rule':
      return element('hr');
  }
}

/** Each block is read from the side on which its language begins. */
const readingOrder = { dir: 'auto' } as const;
const headingTags = ['h3', 'h4', 'h5', 'h6'] as const;

function codeBlock(language: string, text: string): HTMLElement {
  const parts = highlightCode(language, text).map((part) =>
    part.kind === 'plain' ? part.text : element('span', { class: `code-${part.kind}` }, part.text),
  );
  const code = element('code', {}, ...parts);
  const pre = element('pre', { class: 'code', tabindex: '0' }, code);
  const name = language === '' ? [] : [element('span', { class: 'language' }, language)];
  return element(
    'div',
    { class: 'code-block' },
    pre,
    element('div', { class: 'code-head' }, ...name, copyButton(code)),
  );
}

/** How long a button says that it has copied, in milliseconds. */
const toldMs = 1500;

/** Copies a code; where the browser does not allow that, it is selected. */
function copyButton(code: HTMLElement): HTMLElement {
  const made = button('Copy', () => {
    navigator.clipboard.writeText(code.textContent ?? '').then(
      () => {
        made.textContent = 'Copied';
        setTimeout(() => {
          made.textContent = 'Copy';
        }, toldMs);
      },
      () => getSelection()?.selectAllChildren(code),
    );
  });
  made.className = 'copy-code';
  return made;
}

function listNode(list: Extract<Block, { kind: 'list' }>): HTMLElement {
  const items = list.items.map(({ done, blocks }) => {
    const box = done === undefined ? [] : [element('span', { class: 'box' }, done ? '☑ ' : '☐ ')];
    const attributes = done === undefined ? {} : { class: 'task' };
    const [only, ...others] = blocks;
    // A list of single lines is set tightly.
    if (only?.kind === 'paragraph')
      return element('li', attributes, ...box, ...inlineNodes(only.content), ...others.map(blockNode));
    return element('li', attributes, ...box, ...blocks.map(blockNode));
  });
  if (!list.ordered) return element('ul', readingOrder, ...items);
  const made = element('ol', readingOrder, ...items);
  made.start = list.start;
  return made;
}

function tableNode({ align, head, rows }: Extract<Block, { kind: 'table' }>): HTMLElement {
  const header = element(
    'tr',
    {},
    ...head.map((cell, column) =>
      element('th', { scope: 'col', ...aligned(align[column]) }, ...inlineNodes(cell)),
    ),
  );
  const body = rows.map((row) =>
    element(
      'tr',
      {},
      ...row.map((cell, column) => element('td', aligned(align[column]), ...inlineNodes(cell))),
    ),
  );
  const table = element('table', readingOrder, element('thead', {}, header), element('tbody', {}, ...body));
  return element('div', { class: 'table', tabindex: '0' }, table);
}

function aligned(alignment: Alignment | undefined): { readonly class?: string } {
  return alignment === undefined || alignment === 'left' ? {} : { class: `align-${alignment}` };
}

function inlineNodes(content: readonly Inline[]): Node[] {
  return content.map(inlineNode);
}

function inlineNode(inline: Inline): Node {
  if (inline.kind === 'break') return element('br');
  if (inline.kind === 'link') return linkNode(inline.address, inlineNodes(inline.content));
  const text: Node = document.createTextNode(inline.text);
  return inline.styles.reduceRight((inner, style) => element(styleTags[style], {}, inner), text);
}

const styleTags = {
  strong: 'strong',
  emphasis: 'em',
  strike: 's',
  code: 'code',
} as const satisfies Record<InlineStyle, string>;

/** Takes only addresses that passed `safeAddress`. */
function linkNode(address: string, content: Node[]): HTMLElement {
  const link = element('a', { title: address }, ...content);
  link.href = address;
  link.rel = 'noopener noreferrer nofollow';
  link.target = '_blank';
  return link;
}
