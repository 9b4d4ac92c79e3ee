/** A word of a request, or a quoted passage taken as one word. */
export interface RequestToken {
  /** Without quotes and without the punctuation that follows. */
  readonly text: string;
  readonly quoted: boolean;
  readonly start: number;
  readonly end: number;
  /** Punctuation and white space between this token and the next. */
  readonly after: string;
}

const closingQuotes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '‘': '’',
  '«': '»',
  '「': '」',
};
const fence = '```';

/** Splits a request into words; text in quotes or in a fenced block stays whole. */
export function tokenize(text: string): readonly RequestToken[] {
  const tokens: RequestToken[] = [];
  let position = skipSpace(text, 0);
  while (position < text.length) {
    const body = quotedAt(text, position) ?? wordAt(text, position);
    const next = skipSpace(text, body.next);
    const { next: _, ...token } = body;
    tokens.push({ ...token, after: text.slice(token.end, next) });
    position = next;
  }
  return tokens;
}

type Body = Omit<RequestToken, 'after'> & { readonly next: number };

function quotedAt(text: string, start: number): Body | undefined {
  if (text.startsWith(fence, start)) return fencedAt(text, start);
  const close = closingQuotes[text.charAt(start)];
  if (close === undefined) return undefined;
  for (let at = text.indexOf(close, start + 1); at >= 0; at = text.indexOf(close, at + 1)) {
    // An apostrophe inside a word does not close a quotation.
    if (/[\p{L}\p{N}_]/u.test(text.charAt(at + 1))) continue;
    if (at === start + 1) return undefined;
    const next = at + 1 + trailingPunctuation(text, at + 1);
    return { text: text.slice(start + 1, at), quoted: true, start, end: at + 1, next };
  }
  return undefined;
}

function fencedAt(text: string, start: number): Body | undefined {
  const firstLine = text.indexOf('\n', start);
  const close = firstLine < 0 ? -1 : text.indexOf(`\n${fence}`, firstLine);
  if (close < 0) return undefined;
  const end = close + 1 + fence.length;
  return { text: text.slice(firstLine + 1, close), quoted: true, start, end, next: end };
}

function wordAt(text: string, start: number): Body {
  const match = /\S+/y;
  match.lastIndex = start;
  const raw = match.exec(text)?.[0] ?? text.charAt(start);
  const word = raw.replace(/(?<=[^.,;:!?])[.,;:!?]+$/, '');
  return { text: word, quoted: false, start, end: start + word.length, next: start + raw.length };
}

function trailingPunctuation(text: string, from: number): number {
  const match = /[.,;:!?]*/y;
  match.lastIndex = from;
  return match.exec(text)?.[0].length ?? 0;
}

function skipSpace(text: string, from: number): number {
  const match = /\s*/y;
  match.lastIndex = from;
  return from + (match.exec(text)?.[0].length ?? 0);
}
