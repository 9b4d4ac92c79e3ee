import type { RequestToken } from './tokens.ts';
import { tokenize } from './tokens.ts';

const courtesies = [
  'please',
  'can you',
  'could you',
  'would you',
  'will you',
  'i want you to',
  'i want to',
  'i need you to',
  "i'd like you to",
  "i'd like to",
  'help me',
  "let's",
  'now',
  'just',
  'also',
  'first',
  'finally',
  'next',
  'afterwards',
  'and',
  'then',
  'hey',
  'hi',
  'hello',
  'ok',
  'okay',
].map((text) => text.split(' '));

/** The parts of a request that might be done one after the other, in two readings: the careful one first. */
export function splitRequest(text: string): readonly (readonly string[])[] {
  const tokens = tokenize(text);
  return [splitAt(text, tokens, endsPart), splitAt(text, tokens, mayEndPart)];
}

/** A request without its courtesies and its numbering. */
export function withoutCourtesy(text: string): string {
  const tokens = tokenize(text);
  let first = 0;
  while (first < tokens.length - 1) {
    const length = courtesyAt(tokens, first);
    if (length === 0 || first + length >= tokens.length) break;
    first += length;
  }
  return text.slice(tokens[first]?.start ?? 0).trim();
}

function courtesyAt(tokens: readonly RequestToken[], at: number): number {
  if (
    /^(\d+[.)]|[-*•])$/.test(`${tokens[at]?.text}${tokens[at]?.after.trim()}`) ||
    /^([-*•]|\d+\))$/.test(tokens[at]?.text ?? '')
  )
    return 1;
  const found = courtesies.find((words) => words.every((word, index) => isWord(tokens[at + index], word)));
  return found?.length ?? 0;
}

type Boundary = (token: RequestToken, next: RequestToken) => boolean;

const endsPart: Boundary = (token, next) =>
  /[;\n]|[.!?]\s/.test(token.after) ||
  isWord(next, 'then') ||
  (token.after.includes(',') && isWord(next, 'and'));

const mayEndPart: Boundary = (token, next) =>
  endsPart(token, next) || token.after.includes(',') || isWord(next, 'and');

function splitAt(text: string, tokens: readonly RequestToken[], isBoundary: Boundary): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (next && !isBoundary(token, next)) continue;
    const part = withoutCourtesy(text.slice(tokens[start]?.start ?? 0, token.end));
    if (part !== '' && !/^(then|and|first|next|finally|\d+|[-*•])$/i.test(part)) parts.push(part);
    start = index + 1;
  }
  return parts;
}

function isWord(token: RequestToken | undefined, word: string): boolean {
  return token !== undefined && !token.quoted && token.text.toLowerCase() === word;
}
