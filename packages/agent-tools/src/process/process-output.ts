import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds without output after which a process that has exited counts as silent. */
export const quietMs = 150;
const longestMs = 2000;

/** Tells when the output of a process is over, although others may hold it open after the process exits. */
export class ProcessOutput {
  readonly #outputs: readonly Readable[];
  /** Settles when all processes have closed the output. */
  readonly closed: Promise<void>;
  #isClosed = false;
  #chunks = 0;

  constructor(outputs: readonly Readable[]) {
    this.#outputs = outputs;
    this.closed = Promise.all(outputs.map(ended)).then(() => {
      this.#isClosed = true;
    });
    for (const output of outputs)
      output.on('data', () => {
        this.#chunks += 1;
      });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Waits until the output is closed or quiet for a moment, up to a limit. */
  async quiet(): Promise<void> {
    const deadline = Date.now() + longestMs;
    for (let seen = -1; !this.#isClosed && seen !== this.#chunks && Date.now() < deadline; ) {
      seen = this.#chunks;
      await Promise.race([this.closed, pause(quietMs)]);
    }
  }

  /** Stops reading. */
  release(): void {
    for (const output of this.#outputs) output.destroy();
  }
}

function ended(output: Readable): Promise<void> {
  return new Promise((resolve) => {
    output.once('error', () => resolve());
    output.once('close', () => resolve());
  });
}
