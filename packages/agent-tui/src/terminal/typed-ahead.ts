const endOfInput = 0x04;

/**
 * Restores Ctrl+D in what was typed before the terminal gave its keys one by one. Until then the system takes Ctrl+D for
 * the end of input, and Linux hands it over as a zero byte afterwards. Zero bytes that come later are keys.
 */
export class TypedAhead {
  #turn = 0;
  #isOpen = false;

  /** Called whenever the terminal begins to give its keys one by one. */
  begin(): void {
    const turn = ++this.#turn;
    this.#isOpen = true;
    // Waiting input is read in the first complete round of the event loop; the current one is incomplete.
    setImmediate(() =>
      setImmediate(() => {
        if (turn === this.#turn) this.#isOpen = false;
      }),
    );
  }

  /** The bytes as they were typed. */
  restore(bytes: Buffer): Buffer {
    if (!this.#isOpen || !bytes.includes(0)) return bytes;
    return Buffer.from(bytes.map((byte) => (byte === 0 ? endOfInput : byte)));
  }
}
