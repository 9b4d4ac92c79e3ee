/** Lets so many through at once, and then as many in each minute. */
export class RateLimit {
  readonly #perMinute: number;
  #tokens: number;
  #at: number;

  constructor(perMinute: number, now: number = Date.now()) {
    this.#perMinute = perMinute;
    this.#tokens = perMinute;
    this.#at = now;
  }

  /** Takes one, if there is one left. */
  take(now: number = Date.now()): boolean {
    // A clock that was set back adds nothing.
    const passed = Math.max(0, now - this.#at);
    this.#tokens = Math.min(this.#perMinute, this.#tokens + (passed * this.#perMinute) / 60_000);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Gives one back that was not used. */
  giveBack(): void {
    this.#tokens = Math.min(this.#perMinute, this.#tokens + 1);
  }
}
