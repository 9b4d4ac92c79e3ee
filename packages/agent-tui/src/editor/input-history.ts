import type { TextSpan } from './text/pasted-parts.ts';

const entryLimit = 1000;
/** Longer texts are not stored. */
const longestStored = 100_000;
/** The number of longer texts that are kept as long as the program runs. */
const longLimit = 4;

/** A position in the history. */
export interface HistoryPosition {
  /** The draft; entries that start with it are offered. */
  readonly draft: string;
  readonly index: number;
  readonly text: string;
}

/** A found entry, and where. */
export interface HistoryMatch {
  readonly index: number;
  readonly text: string;
}

/** A text that was sent; with the parts that were pasted, where there are some. */
export type HistoryEntry = string | { readonly text: string; readonly pasted: readonly TextSpan[] };

/** The sent texts, the oldest first. */
export class InputHistory {
  readonly #entries: string[] = [];
  readonly #pasted = new Map<string, readonly TextSpan[]>();

  constructor(entries: readonly string[] = []) {
    for (const entry of entries.slice(-entryLimit)) this.add(entry);
  }

  get entries(): readonly string[] {
    return this.#entries;
  }

  /** Keeps a text; whether it was new, and so is worth to be stored. */
  add(text: string, pasted: readonly TextSpan[] = []): boolean {
    const isKnown = this.#entries.at(-1) === text;
    if (text.trim() === '') return false;
    if (pasted.length > 0) this.#pasted.set(text, pasted);
    else this.#pasted.delete(text);
    if (isKnown) return false;
    this.#entries.push(text);
    if (this.#entries.length > entryLimit) this.#forgetAt(0);
    if (!isLong(text)) return true;
    const long = [...this.#entries.keys()].filter((index) => isLong(this.#entries[index]));
    if (long.length > longLimit) this.#forgetAt(long[0] ?? 0);
    return false;
  }

  /** The parts of an entry that were pasted. */
  pastedIn(text: string): readonly TextSpan[] {
    return this.#pasted.get(text) ?? [];
  }

  /** Puts entries before all others, as where a file of them was read late. */
  addOlder(entries: readonly HistoryEntry[]): void {
    const newer = this.#entries.splice(0).map((text) => ({ text, pasted: this.pastedIn(text) }));
    for (const entry of [...entries.slice(-entryLimit), ...newer])
      if (typeof entry === 'string') this.add(entry);
      else this.add(entry.text, entry.pasted);
  }

  /** The next older entry that begins as the draft does. */
  older(from: HistoryPosition | string): HistoryPosition | undefined {
    const place = typeof from === 'string' ? { draft: from, index: this.#entries.length, text: from } : from;
    for (let index = place.index - 1; index >= 0; index--) {
      const text = this.#entries[index] ?? '';
      if (text !== place.text && text.startsWith(place.draft)) return { draft: place.draft, index, text };
    }
    return undefined;
  }

  /** The next newer entry that begins as the draft does, and at last the draft. */
  newer(place: HistoryPosition): HistoryPosition {
    for (let index = place.index + 1; index < this.#entries.length; index++) {
      const text = this.#entries[index] ?? '';
      if (text !== place.text && text.startsWith(place.draft)) return { ...place, index, text };
    }
    return { draft: place.draft, index: this.#entries.length, text: place.draft };
  }

  /** The next older entry that holds the words of a query; letters count as they are once one of them is a capital. */
  search(query: string, before = this.#entries.length): HistoryMatch | undefined {
    for (let index = Math.min(before, this.#entries.length) - 1; index >= 0; index--)
      if (isMatch(this.#entries[index] ?? '', query)) return { index, text: this.#entries[index] ?? '' };
    return undefined;
  }

  /** The next newer entry that a query finds. */
  searchNewer(query: string, behind: number): HistoryMatch | undefined {
    for (let index = behind + 1; index < this.#entries.length; index++)
      if (isMatch(this.#entries[index] ?? '', query)) return { index, text: this.#entries[index] ?? '' };
    return undefined;
  }

  #forgetAt(index: number): void {
    const [entry] = this.#entries.splice(index, 1);
    if (entry !== undefined && !this.#entries.includes(entry)) this.#pasted.delete(entry);
  }
}

function isLong(text = ''): boolean {
  return text.length > longestStored;
}

/** An entry as a line of a file that is only ever appended to. */
export function encodeHistoryEntry(entry: HistoryEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** The entries of such a file; a line that is torn or strange is left out. */
export function decodeHistory(content: string): HistoryEntry[] {
  return content.split('\n').flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return isEntry(entry) ? [entry] : [];
    } catch {
      return [];
    }
  });
}

function isEntry(value: unknown): value is HistoryEntry {
  if (typeof value === 'string') return true;
  if (typeof value !== 'object' || value === null || !('text' in value) || !('pasted' in value)) return false;
  const { text, pasted } = value;
  return typeof text === 'string' && Array.isArray(pasted) && pasted.every((span) => isSpanOf(span, text));
}

function isSpanOf(value: unknown, { length }: string): boolean {
  if (typeof value !== 'object' || value === null || !('start' in value) || !('end' in value)) return false;
  const { start, end } = value;
  const isPlace = (place: unknown) =>
    Number.isInteger(place) && Number(place) >= 0 && Number(place) <= length;
  return isPlace(start) && isPlace(end) && Number(start) <= Number(end);
}

function isMatch(entry: string, query: string): boolean {
  if (query === '') return true;
  const isExact = query !== query.toLowerCase();
  return isExact ? entry.includes(query) : entry.toLowerCase().includes(query.toLowerCase());
}
