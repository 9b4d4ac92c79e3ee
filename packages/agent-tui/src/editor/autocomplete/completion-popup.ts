import { fuzzyMatch } from '../../components/fuzzy-match.ts';
import { graphemesOf } from '../../text/grapheme-width.ts';
import type { Completion, CompletionToken } from './autocomplete-provider.ts';

/** The suggestions that are shown, and which one is selected. */
export interface CompletionPopup {
  readonly token: CompletionToken;
  readonly items: readonly Completion[];
  /** Below zero where none is. */
  readonly selected: number;
}

/** Opens with suggestions sorted by their groups, those without a group first; nothing if there are none. */
export function openPopup(token: CompletionToken, items: readonly Completion[]): CompletionPopup | undefined {
  const offered = items.filter(({ value }) => value.trim() !== '');
  if (offered.length === 0) return undefined;
  const groups = new Map<string | undefined, Completion[]>([[undefined, []]]);
  for (const item of offered) {
    const known = groups.get(item.group);
    if (known) known.push(item);
    else groups.set(item.group, [item]);
  }
  const sorted = [...groups.values()].flat();
  const exact = sorted.findIndex(({ value }) => value === token.query);
  return { token, items: sorted, selected: token.mayStay ? -1 : Math.max(0, exact) };
}

/** Keeps showing what still fits while the answer to a longer query is awaited. */
export function narrowPopup(popup: CompletionPopup, token: CompletionToken): CompletionPopup | undefined {
  if (token.start !== popup.token.start) return undefined;
  const fitting = popup.items.filter(({ value }) => fuzzyMatch(token.query, value) !== undefined);
  return openPopup(token, fitting);
}

/** Selects the next or previous suggestion; after the last comes the first. */
export function moveSelection(popup: CompletionPopup, count: 1 | -1): CompletionPopup {
  const { length } = popup.items;
  const from = popup.selected < 0 && count < 0 ? 0 : popup.selected;
  return { ...popup, selected: (from + count + length) % length };
}

/** Selects one a page away; a page ends at the first and the last. */
export function pageSelection(popup: CompletionPopup, count: number): CompletionPopup {
  return { ...popup, selected: Math.min(Math.max(0, popup.selected + count), popup.items.length - 1) };
}

/** The common prefix of all suggestions, if it is longer than the typed text. */
export function commonCompletion({ items, token }: CompletionPopup): string | undefined {
  const [first, ...others] = items.map(({ value }) => [...graphemesOf(value)]);
  if (!first) return undefined;
  let length = first.length;
  for (const other of others) {
    const difference = first.findIndex((character, index) => character !== other[index]);
    if (difference >= 0) length = Math.min(length, difference);
  }
  const prefix = first.slice(0, length).join('');
  const isMore =
    prefix.length > token.query.length && prefix.toLowerCase().startsWith(token.query.toLowerCase());
  return isMore ? prefix : undefined;
}
