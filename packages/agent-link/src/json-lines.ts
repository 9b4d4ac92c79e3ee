import type { Socket } from 'node:net';
import { isJsonObject, type JsonObject, parseJson } from '@robota-sdk/agent-core';

const lineFeed = 0x0a;

export interface JsonLinesOptions {
  /** A longer line ends the connection. */
  readonly mostBytes: number;
  /** Takes each line; one that is no object ends the connection, as does one that this throws at. */
  take(line: JsonObject): void;
}

/** Objects as lines of JSON over a socket. */
export class JsonLines {
  readonly #socket: Socket;
  readonly #options: JsonLinesOptions;
  #carried: Buffer[] = [];
  #carriedBytes = 0;

  constructor(socket: Socket, options: JsonLinesOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  /** Bytes that the other side has not taken yet. */
  get waitingBytes(): number {
    return this.#socket.writableLength;
  }

  send(value: object): void {
    if (!this.#socket.destroyed && this.#socket.writable) this.#socket.write(`${JSON.stringify(value)}\n`);
  }

  #receive(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      const line = Buffer.concat([...this.#carried, chunk.subarray(start, end)]);
      this.#carried = [];
      this.#carriedBytes = 0;
      start = end + 1;
      if (line.length > this.#options.mostBytes || !this.#takeLine(line)) return void this.#socket.destroy();
      if (this.#socket.destroyed) return;
    }
    const rest = chunk.subarray(start);
    this.#carried.push(rest);
    this.#carriedBytes += rest.length;
    if (this.#carriedBytes > this.#options.mostBytes) this.#socket.destroy();
  }

  #takeLine(line: Buffer): boolean {
    try {
      const value = parseJson(line.toString('utf8'));
      if (!isJsonObject(value)) return false;
      this.#options.take(value);
      return true;
    } catch {
      return false;
    }
  }
}
