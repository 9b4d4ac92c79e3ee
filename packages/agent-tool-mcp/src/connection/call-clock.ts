/** Limits the silence of a server: every message resets it, and it pauses while the user is asked. */
export class CallClock {
  readonly #limitMs: number;
  readonly #expire: () => void;
  #timer: NodeJS.Timeout | undefined;
  #holds = 0;

  constructor(limitMs: number, expire: () => void) {
    this.#limitMs = limitMs;
    this.#expire = expire;
    this.touch();
  }

  touch(): void {
    clearTimeout(this.#timer);
    if (this.#holds === 0) this.#timer = setTimeout(this.#expire, this.#limitMs);
  }

  /** Stops the clock until the returned function is called. */
  hold(): () => void {
    this.#holds += 1;
    clearTimeout(this.#timer);
    return () => {
      this.#holds -= 1;
      this.touch();
    };
  }

  stop(): void {
    this.#holds = Number.POSITIVE_INFINITY;
    clearTimeout(this.#timer);
  }
}
