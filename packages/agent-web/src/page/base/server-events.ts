/** An event of a stream, as its lines give it. */
export interface ServerEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads server-sent events from chunks of text, however they are cut. */
export class ServerEventReader {
  #rest = '';
  #id: string | undefined;
  #data: string[] = [];

  /** The events that a chunk completes. */
  read(chunk: string): ServerEvent[] {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#take(line.endsWith('\r') ? line.slice(0, -1) : line));
  }

  #take(line: string): ServerEvent[] {
    if (line === '') {
      const event = { id: this.#id, data: this.#data.join('\n') };
      const isEmpty = this.#data.length === 0;
      this.#id = undefined;
      this.#data = [];
      return isEmpty ? [] : [event];
    }
    const colon = line.indexOf(':');
    // A comment, which keeps the connection open.
    if (colon === 0) return [];
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') this.#data.push(value);
    if (name === 'id') this.#id = value;
    return [];
  }
}
