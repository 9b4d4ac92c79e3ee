import { foldText, unfoldedOffset } from '@robota-sdk/agent-core';
import { occurrences, type SearchTerm } from './search-query.ts';
import type { SessionText } from './session-texts.ts';

/** A piece of a session around a hit, on one line. */
export interface Snippet extends Omit<SessionText, 'text'> {
  readonly text: string;
  /** The ranges of hits in `text`: from, to. */
  readonly marks: readonly (readonly [number, number])[];
}

const before = 40;
const after = 100;

/** Cuts out the piece around the first hit of a text. */
export function snippetOf({ text, ...source }: SessionText, terms: readonly SearchTerm[]): Snippet {
  const folded = foldText(text);
  const starts = terms.flatMap((term) => firstOf(folded, term) ?? []);
  const at = unfoldedOffset(text, starts.length === 0 ? 0 : Math.min(...starts));
  const from = edge(text, Math.max(0, at - before));
  const to = edge(text, Math.min(text.length, at + after));
  const piece = text.slice(from, to).replace(/\s+/g, ' ').trim();
  const cut = `${from > 0 ? '…' : ''}${piece}${to < text.length ? '…' : ''}`;
  return { ...source, text: cut, marks: marksIn(cut, terms) };
}

function firstOf(folded: string, term: SearchTerm): number | undefined {
  for (const { start } of occurrences(folded, term)) return start;
  return undefined;
}

/** Never between the halves of a character. */
function edge(text: string, offset: number): number {
  return /[\udc00-\udfff]/.test(text[offset] ?? '') ? offset + 1 : offset;
}

function marksIn(text: string, terms: readonly SearchTerm[]): [number, number][] {
  const folded = foldText(text);
  const found = terms
    .flatMap((term) => [...occurrences(folded, term)])
    .map(({ start, end }): [number, number] => [unfoldedOffset(text, start), unfoldedOffset(text, end)])
    .sort(([a], [b]) => a - b);
  const marks: [number, number][] = [];
  for (const [start, end] of found) {
    const last = marks.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else marks.push([start, end]);
  }
  return marks;
}
