import { AgentError } from '../problem/agent-error.ts';

/** A word of a command line and its position. */
export interface Word {
  /** Without quotes and escapes. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** The position of its first quote. */
  readonly quoteAt?: number;
}

/** Splits a line at its spaces. Quoted text stays together; in it, a backslash escapes a quote or a backslash. */
export function splitWords(line: string): readonly Word[] {
  const words: Word[] = [];
  for (let place = 0; place < line.length; ) {
    if (/\s/.test(line[place] ?? '')) {
      place++;
      continue;
    }
    const word = readWord(line, place);
    words.push(word);
    place = word.end;
  }
  return words;
}

/** Reads the word that starts at a position. */
export function readWord(line: string, start: number): Word {
  let value = '';
  let quoteAt: number | undefined;
  let place = start;
  while (place < line.length && !/\s/.test(line[place] ?? '')) {
    const character = line[place] ?? '';
    if (!isQuote(character) || isApostrophe(line, place, start)) {
      value += character;
      place++;
      continue;
    }
    quoteAt ??= place;
    const quoted = readQuoted(line, place);
    value += quoted.value;
    place = quoted.end;
  }
  return { value, start, end: place, ...(quoteAt === undefined ? {} : { quoteAt }) };
}

function readQuoted(line: string, start: number): { readonly value: string; readonly end: number } {
  const quote = line[start];
  let value = '';
  for (let place = start + 1; place < line.length; place++) {
    const character = line[place] ?? '';
    if (character === quote) return { value, end: place + 1 };
    const next = line[place + 1] ?? '';
    const isEscape = character === '\\' && (isQuote(next) || next === '\\');
    value += isEscape ? next : character;
    if (isEscape) place++;
  }
  const shown = line.slice(start, start + 20);
  throw new AgentError('usage', `The quote that opens at ${shown} is not closed. Close it with ${quote}`);
}

function isQuote(character: string): boolean {
  return character === '"' || character === "'";
}

/** In the middle of a word, as in don't. */
function isApostrophe(line: string, place: number, start: number): boolean {
  return line[place] === "'" && place > start && /\w/.test(line[place - 1] ?? '');
}
