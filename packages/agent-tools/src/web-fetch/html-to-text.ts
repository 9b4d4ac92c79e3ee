const hidden = /<(script|style|noscript|template|svg|iframe|head)\b[^<>]*>/gi;
const blocks =
  /<\/?(?:p|div|br|li|ul|ol|tr|table|h[1-6]|section|article|header|footer|pre|blockquote)\b[^<>]*>/gi;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  nbsp: ' ',
  quot: '"',
};

/** The words of a page without its structure: linear in its length, for pages that are too complex to convert. */
export function htmlToText(html: string): string {
  return withoutHidden(html)
    .replace(blocks, '\n')
    .replace(/<[/!]?[a-z][^<>]*>|<!--|-->/gi, '')
    .replace(/&(\w{2,6});/g, (all, name: string) => entities[name] ?? all)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\n\s*\n/g, '\n\n')
    .trim();
}

/** Removes invisible elements. Each element ends at its first end tag. */
function withoutHidden(html: string): string {
  const lower = html.toLowerCase();
  let shown = '';
  let from = 0;
  for (const { 0: opening, 1: name = '', index } of html.matchAll(hidden)) {
    if (index < from) continue;
    const end = lower.indexOf(`</${name.toLowerCase()}`, index + opening.length);
    shown += html.slice(from, index);
    from = end < 0 ? html.length : end;
  }
  return shown + html.slice(from);
}
