import type { InputEvent } from './input-event.ts';
import { StdinDecoder } from './stdin-decoder.ts';

/** How long to wait before an unfinished sequence is taken for what it is. */
export interface InputReaderOptions {
  /** The wait after a lone escape, 50 by default; 100 is better over a slow line. */
  readonly escapeMs?: number;
  /** The wait for the rest of a sequence that is no key by itself, 1000 by default. */
  readonly sequenceMs?: number;
}

/** Passes the events of a terminal's input on, and decides by time what a lone escape means. */
export class InputReader {
  readonly #decoder = new StdinDecoder();
  readonly #emit: (event: InputEvent) => void;
  readonly #escapeMs: number;
  readonly #sequenceMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(emit: (event: InputEvent) => void, options: InputReaderOptions = {}) {
    this.#emit = emit;
    this.#escapeMs = options.escapeMs ?? 50;
    this.#sequenceMs = options.sequenceMs ?? 1000;
  }

  /** Takes the next bytes. */
  push(bytes: Uint8Array): void {
    this.stop();
    for (const event of this.#decoder.push(bytes)) this.#emit(event);
    if (this.#decoder.waiting === 'nothing') return;
    const patience = this.#decoder.waiting === 'briefly' ? this.#escapeMs : this.#sequenceMs;
    this.#timer = setTimeout(() => this.#flush(), patience);
  }

  /** Ends waiting, so that no timer keeps the program alive. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #flush(): void {
    this.#timer = undefined;
    for (const event of this.#decoder.flush()) this.#emit(event);
  }
}
