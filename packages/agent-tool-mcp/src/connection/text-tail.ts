import { StringDecoder } from 'node:string_decoder';

/** The end of a text that may be of any length. */
export class TextTail {
  readonly #decoder = new StringDecoder('utf8');
  readonly #limit: number;
  #text = '';

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    this.#text = (this.#text + this.#decoder.write(chunk)).slice(-this.#limit);
  }

  /** The kept text, without a partial first line. */
  get text(): string {
    const isCut = this.#text.length === this.#limit;
    const start = isCut ? this.#text.indexOf('\n') + 1 : 0;
    return this.#text.slice(start).trim();
  }
}
