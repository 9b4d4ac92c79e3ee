/** A line that was too long to keep: where it began and ended, and its length in bytes. */
export interface OversizeLine {
  readonly head: string;
  readonly tail: string;
  readonly bytes: number;
}

export interface OutputLineOptions {
  /** Longer lines are thrown away while they arrive. */
  readonly maxBytes: number;
  onLine(line: string): void;
  onOversize(line: OversizeLine): void;
  /** The line that is being thrown away has no end in sight. */
  onEndless(): void;
}

const newline = 0x0a;
const keptOfOversize = 1024;
const endlessFactor = 16;

/** Cuts a stream of bytes into lines, in constant memory whatever arrives. */
export class OutputLineReader {
  readonly #options: OutputLineOptions;
  #parts: Buffer[] = [];
  #bytes = 0;
  #head = '';
  #tail = Buffer.alloc(0);

  constructor(options: OutputLineOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      this.#add(rest.subarray(0, end));
      this.#finish();
      rest = rest.subarray(end + 1);
    }
    this.#add(rest);
  }

  get #isOversize(): boolean {
    return this.#bytes > this.#options.maxBytes;
  }

  #add(part: Buffer): void {
    if (part.length === 0) return;
    const wasOversize = this.#isOversize;
    this.#bytes += part.length;
    if (!this.#isOversize) {
      this.#parts.push(part);
      return;
    }
    if (!wasOversize) this.#throwAway();
    if (this.#head.length < keptOfOversize)
      this.#head += part.toString('latin1', 0, keptOfOversize - this.#head.length);
    this.#tail = Buffer.from(
      Buffer.concat([this.#tail, part.subarray(-keptOfOversize)]).subarray(-keptOfOversize),
    );
    const endless = this.#options.maxBytes * endlessFactor;
    if (this.#bytes > endless && this.#bytes - part.length <= endless) this.#options.onEndless();
  }

  /** Keeps of what has arrived no more than where it began and ended. */
  #throwAway(): void {
    const begun = Buffer.concat(this.#parts);
    this.#head = begun.toString('latin1', 0, keptOfOversize);
    this.#tail = Buffer.from(begun.subarray(-keptOfOversize));
    this.#parts = [];
  }

  #finish(): void {
    const isOversize = this.#isOversize;
    const bytes = this.#bytes;
    const parts = this.#parts.splice(0);
    this.#bytes = 0;
    if (!isOversize) return this.#options.onLine(Buffer.concat(parts).toString('utf8'));
    this.#options.onOversize({ head: this.#head, tail: this.#tail.toString('latin1'), bytes });
  }
}
