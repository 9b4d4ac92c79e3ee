import { commonLength } from '@robota-sdk/agent-diff';

/** The meaning of a delta after an interrupted answer was requested again. */
export type ResumedText =
  /** Nothing to show yet: it only repeats what was already shown. */
  | { readonly kind: 'held' }
  | { readonly kind: 'text'; readonly text: string }
  /** The answer restarted with other words: discard the text shown before. */
  | { readonly kind: 'restart'; readonly text: string };

/** A repeated beginning of this length that then diverges means that the answer restarted. */
const restartCharacters = 16;

/**
 * Joins an interrupted answer with its second attempt. The model may continue or repeat everything from the
 * start; text that was already shown is skipped, so that nothing is lost or duplicated.
 */
export class TextResumer {
  readonly #shown: string;
  #matched = 0;
  #following: boolean;

  constructor(shown: string) {
    this.#shown = shown;
    this.#following = shown !== '';
  }

  push(delta: string): ResumedText {
    if (!this.#following) return { kind: 'text', text: delta };
    const expected = this.#shown.slice(this.#matched, this.#matched + delta.length);
    const same = commonLength(expected, delta);
    this.#matched += same;
    if (same === delta.length) return { kind: 'held' };
    this.#following = false;
    const rest = delta.slice(same);
    if (this.#matched === this.#shown.length) return { kind: 'text', text: rest };
    const repeated = this.#shown.slice(0, this.#matched);
    const restarted = this.#matched >= Math.min(restartCharacters, this.#shown.length / 2);
    return { kind: restarted ? 'restart' : 'text', text: repeated + rest };
  }
}
