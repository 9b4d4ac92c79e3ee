/** One event of a server-sent event stream. */
export interface SseEvent {
  /** The event's name; `message` where none was sent. */
  readonly event: string;
  readonly data: string;
}

/**
 * Incremental parser of `text/event-stream`: feed it text in any chunking, get the same events.
 * Accepts LF, CRLF and CR line ends, comments, and several data lines per event.
 */
export class SseParser {
  #rest = '';
  #event = '';
  #data: string | undefined;
  #started = false;

  /** Characters held back because their line or event is not complete. */
  get pending(): number {
    return this.#rest.length + (this.#data?.length ?? 0);
  }

  push(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    const input = this.#rest + this.#withoutByteOrderMark(text);
    let start = 0;
    while (start < input.length) {
      const end = lineEnd(input, start);
      if (end < 0) break;
      const carriageReturn = input.charCodeAt(end) === 13;
      // A CR at the very end may be the first half of CRLF: wait for the next chunk.
      if (carriageReturn && end + 1 === input.length) break;
      this.#line(input.slice(start, end), events);
      start = carriageReturn && input.charCodeAt(end + 1) === 10 ? end + 2 : end + 1;
    }
    this.#rest = input.slice(start);
    return events;
  }

  /** The stream is over: a last event whose blank line never came still counts. */
  end(): SseEvent[] {
    const events: SseEvent[] = [];
    if (this.#rest !== '') this.#line(this.#rest.replace(/\r$/, ''), events);
    this.#rest = '';
    this.#dispatch(events);
    return events;
  }

  #withoutByteOrderMark(text: string): string {
    if (this.#started || text === '') return text;
    this.#started = true;
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }

  #line(line: string, events: SseEvent[]): void {
    if (line === '') return this.#dispatch(events);
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const spaced = line.charCodeAt(colon + 1) === 32;
    const value = colon < 0 ? '' : line.slice(colon + (spaced ? 2 : 1));
    if (field === 'data') this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    else if (field === 'event') this.#event = value;
  }

  #dispatch(events: SseEvent[]): void {
    if (this.#data !== undefined) events.push({ event: this.#event || 'message', data: this.#data });
    this.#data = undefined;
    this.#event = '';
  }
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  const carriageReturn = text.indexOf('\r', from);
  if (newline < 0) return carriageReturn;
  if (carriageReturn < 0) return newline;
  return Math.min(newline, carriageReturn);
}
