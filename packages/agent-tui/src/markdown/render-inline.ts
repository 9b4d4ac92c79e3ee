import { bold, italic, type RenderStyle, strike, underline } from '../components/render-style.ts';
import { linkSequence } from '../terminal/sequences.ts';
import { type InlineOptions, type LinkTarget, parseInline, type Span } from './inline-parser.ts';

/** How text is shown that nothing is said of. */
export type BaseStyle = (text: string) => string;

/** The context of a rendered inline text. */
export interface InlineStyle extends InlineOptions {
  readonly look: RenderStyle;
  readonly base?: BaseStyle;
}

const webAddress = /^(?:https?|ftp|mailto|file):[^\s]/i;
const looksLikeAddress = /^(?:[a-z]+:\/\/|www\.)|^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:[/:?#]|$)/i;

/** Makes a styled text of emphasis, code and links; line breaks stay in it. */
export function renderInline(text: string, style: InlineStyle): string {
  const spans = parseInline(text, style);
  let styled = '';
  for (let index = 0; index < spans.length; ) {
    const link = spans[index]?.link;
    const end = link ? endOfLink(spans, index, link) : index + 1;
    const group = spans.slice(index, end);
    styled += link ? renderLink(group, link, style) : group.map((span) => renderSpan(span, style)).join('');
    index = end;
  }
  return styled;
}

function endOfLink(spans: readonly Span[], start: number, link: LinkTarget): number {
  let end = start;
  while (spans[end]?.link === link) end++;
  return end;
}

function renderSpan(span: Span, { look, base }: InlineStyle): string {
  if (span.text === '' || span.text === '\n') return span.text;
  let styled = span.text;
  if (span.isCode) styled = renderCode(styled, look);
  else if (span.link) styled = underline(look.paint('mdLink', styled));
  else if (base) styled = base(styled);
  if (span.isStrong) styled = bold(styled);
  if (span.isEmphasis) styled = italic(styled);
  if (span.isStruck) styled = strike(styled);
  return styled;
}

/** Code keeps its backticks where no colour tells it from prose. */
function renderCode(text: string, { paint }: RenderStyle): string {
  const painted = paint('mdCode', text);
  return painted === text ? `\`${text}\`` : painted;
}

function renderLink(spans: readonly Span[], link: LinkTarget, style: InlineStyle): string {
  const { look } = style;
  const text = spans.map((span) => span.text).join('');
  const styled = spans.map((span) => renderSpan(span, style)).join('');
  const isAddress = text === link.address || `mailto:${text}` === link.address;
  const note = isAddress ? '' : look.paint('mdLinkUrl', `${text.trim() === '' ? '' : ' '}(${link.address})`);
  const address = look.hasLinks ? safeAddress(link.address) : undefined;
  if (address === undefined) return styled + note;
  // A text that names one place and leads to another is shown with where it leads to.
  const isMisleading = !isAddress && (looksLikeAddress.test(text.trim()) || text.trim() === '');
  return linkSequence(styled, address) + (isMisleading ? note : '');
}

/** An address as a terminal may be given it; nothing for text that is no address, or one that a terminal cannot open. */
function safeAddress(address: string): string | undefined {
  if (!webAddress.test(address)) return undefined;
  try {
    const ascii = /^[\x21-\x7e]*$/.test(address) ? address : encodeURI(address);
    return /^[\x21-\x7e]{1,2048}$/.test(ascii) ? ascii : undefined;
  } catch {
    return undefined;
  }
}
