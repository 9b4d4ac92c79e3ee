/** Why and how often something of a source was not taken over, or not as it was. */
export class SkipCounts {
  readonly #counts = new Map<string, number>();

  /** Counts one more; the reason ends a sentence that begins with "5 lines". */
  add(reason: string): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
  }

  list(): { readonly reason: string; readonly count: number }[] {
    return [...this.#counts].map(([reason, count]) => ({ reason, count }));
  }
}

/** The reasons that several formats share. */
export const skipReasons = {
  notJson: 'damaged or cut off',
  notUtf8: 'with bytes that are not text',
  noMessage: 'without a message',
  duplicate: 'with an id that comes again later',
  lostParent: 'joined to the line before, for their parent is missing',
  cycle: 'made the beginning of a branch, for their parents run in a circle',
} as const;
