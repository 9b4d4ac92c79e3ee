const entryLimit = 1000;
/** A longer text is better found in its session. */
const longestEntry = 100_000;

/** Where someone stands who looks through what was sent before. */
export interface HistoryPlace {
  /** What was being written before; entries that begin with it are offered. */
  readonly draft: string;
  readonly index: number;
  readonly text: string;
}

/** A found entry, and where. */
export interface HistoryMatch {
  readonly index: number;
  readonly text: string;
}

/** What was sent before, the oldest first. */
export class InputHistory {
  readonly #entries: string[] = [];

  constructor(entries: readonly string[] = []) {
    for (const entry of entries.slice(-entryLimit)) this.add(entry);
  }

  get entries(): readonly string[] {
    return this.#entries;
  }

  /** Keeps a text; whether it was new, and so is worth to be stored. */
  add(text: string): boolean {
    const isKnown = this.#entries.at(-1) === text;
    if (text.trim() === '' || text.length > longestEntry || isKnown) return false;
    this.#entries.push(text);
    if (this.#entries.length > entryLimit) this.#entries.shift();
    return true;
  }

  /** Puts entries before all others, as where a file of them was read late. */
  addOlder(entries: readonly string[]): void {
    const newer = this.#entries.splice(0);
    for (const entry of [...entries.slice(-entryLimit), ...newer]) this.add(entry);
  }

  /** The next older entry that begins as the draft does. */
  older(from: HistoryPlace | string): HistoryPlace | undefined {
    const place = typeof from === 'string' ? { draft: from, index: this.#entries.length, text: from } : from;
    for (let index = place.index - 1; index >= 0; index--) {
      const text = this.#entries[index] ?? '';
      if (text !== place.text && text.startsWith(place.draft)) return { draft: place.draft, index, text };
    }
    return undefined;
  }

  /** The next newer entry that begins as the draft does, and at last the draft. */
  newer(place: HistoryPlace): HistoryPlace {
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
}

/** An entry as a line of a file that is only ever appended to. */
export function encodeHistoryEntry(text: string): string {
  return `${JSON.stringify(text)}\n`;
}

/** The entries of such a file; a line that is torn or strange is left out. */
export function decodeHistory(content: string): string[] {
  return content.split('\n').flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return typeof entry === 'string' ? [entry] : [];
    } catch {
      return [];
    }
  });
}

function isMatch(entry: string, query: string): boolean {
  if (query === '') return true;
  const isExact = query !== query.toLowerCase();
  return isExact ? entry.includes(query) : entry.toLowerCase().includes(query.toLowerCase());
}
