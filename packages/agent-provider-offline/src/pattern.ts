/** A word of a request, or a passage in quotes. */
export interface Token {
  readonly text: string;
  readonly quoted: boolean;
  readonly start: number;
  readonly end: number;
}

export type Captures = Readonly<Record<string, string>>;

const token = /(?:"([^"]+)"|'([^']+)'|`([^`]+)`|“([^”]+)”)(?=[\s.,;:!?]|$)|[^\s]+/g;

/** Splits a request into words, without the punctuation after them; text in quotes stays whole. */
export function tokenize(text: string): readonly Token[] {
  return [...text.matchAll(token)].flatMap((match): readonly Token[] => {
    const start = match.index;
    const quoted = match.slice(1).find((group) => group !== undefined);
    if (quoted !== undefined) return [{ text: quoted, quoted: true, start, end: start + match[0].length }];
    const word = match[0].replace(/(?<=[^.,;:!?])[.,;:!?]+$/, '');
    return /^[.,;:?]+$/.test(word) ? [] : [{ text: word, quoted: false, start, end: start + word.length }];
  });
}

const fillers = new Set('the a an all please me my our any every some this current whole entire'.split(' '));

/** The words that a slot takes: one, or for `text` one or more up to the next item of the pattern. */
const kinds = {
  word: () => true,
  file: ({ quoted, text }: Token) =>
    quoted || /[/\\]|\.\w|^(?:readme|license|makefile|dockerfile)$/i.test(text),
  lines: ({ text }: Token) => /^\d{1,7}(?:-\d{1,7})?$/.test(text),
  text: () => true,
} as const;

/**
 * Matches a whole request with a pattern of `word`, `one|other`, `optional?` and `{name:kind}`. Case is ignored, and
 * so are articles and the like before a word. Undefined if it does not fit.
 */
export function matchPattern(pattern: string, text: string): Captures | undefined {
  const tokens = tokenize(text);
  const items = pattern.split(' ');
  return fit(0, 0, {});

  function fit(index: number, at: number, captures: Captures): Captures | undefined {
    const item = items[index];
    const here = afterFillers(at);
    if (item === undefined) return here === tokens.length ? captures : undefined;
    const [, name = '', kind] = /^\{(\w+):(\w+)\}$/.exec(item) ?? [];
    if (kind === 'text') {
      for (let end = at + 1; end <= tokens.length; end++) {
        const found = fit(index + 1, end, { ...captures, [name]: textOf(at, end) });
        if (found) return found;
      }
      return undefined;
    }
    const next = tokens[here];
    if (kind !== undefined) {
      if (!next || !kinds[kind as keyof typeof kinds](next)) return undefined;
      return fit(index + 1, here + 1, { ...captures, [name]: next.text });
    }
    const isOptional = item.endsWith('?');
    const words = new Set((isOptional ? item.slice(0, -1) : item).split('|'));
    const found = isWord(next, words) ? fit(index + 1, here + 1, captures) : undefined;
    return found ?? (isOptional ? fit(index + 1, at, captures) : undefined);
  }

  function afterFillers(at: number): number {
    let next = at;
    while (isWord(tokens[next], fillers)) next++;
    return next;
  }

  function textOf(from: number, end: number): string {
    const [first, last] = [tokens[from], tokens[end - 1]];
    if (!first || !last) return '';
    return first === last ? first.text : text.slice(first.start, last.end);
  }
}

function isWord(token: Token | undefined, words: ReadonlySet<string>): boolean {
  return token !== undefined && !token.quoted && words.has(token.text.toLowerCase());
}

const courtesies = new Set(
  'please can could would will you now just also first finally next then and ok okay'.split(' '),
);

/** A request without its courtesies: "could you please list src?" is "list src". */
export function withoutCourtesy(request: string): string {
  const text = request
    .trim()
    .replace(/^(?:[-*•]|\d{1,3}[.)])\s/, '')
    .replace(/,?\s(?:please|thanks)[.!]?$/i, '');
  const tokens = tokenize(text);
  const first = tokens.findIndex((token, at) => at === tokens.length - 1 || !isWord(token, courtesies));
  return text.slice(tokens[first]?.start ?? 0).trim();
}

/** The parts of a request that follow each other: by lines, sentences, semicolons and "then". */
export function partsOf(request: string): readonly string[] {
  const tokens = tokenize(request);
  const parts: string[] = [];
  let start = 0;
  for (const [index, { end }] of tokens.entries()) {
    const next = tokens[index + 1];
    const between = request.slice(end, next?.start);
    const isEnd =
      /[;\n]|[.!?]\s/.test(between) ||
      isWord(next, new Set(['then'])) ||
      (between.includes(',') && isWord(next, new Set(['and'])));
    if (next && !isEnd) continue;
    parts.push(withoutCourtesy(request.slice(tokens[start]?.start ?? 0, end)));
    start = index + 1;
  }
  return parts.filter((part) => part !== '' && !/^(?:then|and|\d+|[-*•])$/i.test(part));
}
