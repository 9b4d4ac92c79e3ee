/** Words of commands inside commands that are read for one decision. */
const maximumWords = 10_000;
/** Characters of scripts for other programs that are searched for commands in one decision. */
const maximumCharacters = 400_000;

/** Limits the work of one decision, so that it ends soon for every script. */
export class ReadingBudget {
  #words = maximumWords;
  #characters = maximumCharacters;
  #isExceeded = false;

  /** Something was left unread: only a stricter answer is safe. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** Takes the reading of an inner command; false where nothing is left for it. */
  takeWords(count: number): boolean {
    this.#words -= count;
    return this.#check(this.#words);
  }

  /** Takes the search through a text, as often as it is gone through. */
  takeCharacters(count: number): boolean {
    this.#characters -= count;
    return this.#check(this.#characters);
  }

  #check(left: number): boolean {
    if (left < 0) this.#isExceeded = true;
    return left >= 0;
  }
}
