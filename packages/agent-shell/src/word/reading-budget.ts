/** Maximum words of inner commands read for one decision. */
const maximumWords = 10_000;
/** Maximum characters of scripts searched for commands in one decision. */
const maximumCharacters = 400_000;

/** Limits the work of one decision, so that it ends soon for every script. */
export class ReadingBudget {
  #words = maximumWords;
  #characters = maximumCharacters;
  #isExceeded = false;

  /** True if something was left unread: only a stricter decision is safe. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** Uses budget for an inner command; false if none is left. */
  takeWords(count: number): boolean {
    this.#words -= count;
    return this.#check(this.#words);
  }

  /** Uses budget for searching a text once. */
  takeCharacters(count: number): boolean {
    this.#characters -= count;
    return this.#check(this.#characters);
  }

  #check(left: number): boolean {
    if (left < 0) this.#isExceeded = true;
    return left >= 0;
  }
}
