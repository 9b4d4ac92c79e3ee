/** One event of a server-sent event stream. */
export interface SseEvent {
  /** The event's name. Default: `message`. */
  readonly event: string;
  readonly data: string;
}

/**
 * Incremental parser of `text/event-stream`: feed it text in any chunking, get the same events.
 * Accepts LF, CRLF and CR line ends, comments, and several data lines per event.
 */
export class SseParser {
  readonly contentTypes = ['text/event-stream'] as const;
  /** Pieces of the unfinished line, joined only when it ends: a huge line costs each character once. */
  #pieces: string[] = [];
  #heldBack = 0;
  #event = '';
  #data: string | undefined;
  #started = false;
  #afterCarriageReturn = false;

  /** Characters buffered until their line or event is complete. */
  get pending(): number {
    return this.#heldBack + (this.#data?.length ?? 0);
  }

  push(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    let input = this.#withoutByteOrderMark(text);
    if (this.#afterCarriageReturn && input !== '') {
      this.#afterCarriageReturn = false;
      if (input.charCodeAt(0) === 10) input = input.slice(1);
    }
    const lineEnd = input.includes('\r') ? eitherLineEnd : newline;
    let start = 0;
    for (let end = lineEnd(input, start); end >= 0; end = lineEnd(input, start)) {
      if (this.#heldBack > 0) this.#line(this.#takeLine(input.slice(start, end)), events);
      // Fast path for nearly every line of a model's answer.
      else if (end === start) this.#dispatch(events);
      else if (input.startsWith('data: ', start)) this.#addData(input.slice(start + 6, end), events);
      else this.#line(input.slice(start, end), events);
      start = end + 1;
      if (input.charCodeAt(end) !== 13) continue;
      // CRLF is one line end, even if a chunk ends between the two.
      if (start === input.length) this.#afterCarriageReturn = true;
      else if (input.charCodeAt(start) === 10) start++;
    }
    this.#holdBack(input.slice(start));
    return events;
  }

  /** Ends the stream; a last event without a blank line still counts. */
  end(): SseEvent[] {
    const events: SseEvent[] = [];
    const rest = this.#takeLine('');
    if (rest !== '') this.#line(rest, events);
    this.#dispatch(events);
    return events;
  }

  #withoutByteOrderMark(text: string): string {
    if (this.#started || text === '') return text;
    this.#started = true;
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }

  #holdBack(text: string): void {
    if (text === '') return;
    this.#pieces.push(text);
    this.#heldBack += text.length;
  }

  #takeLine(last: string): string {
    if (this.#heldBack === 0) return last;
    const line = this.#pieces.join('') + last;
    this.#pieces = [];
    this.#heldBack = 0;
    return line;
  }

  #line(line: string, events: SseEvent[]): void {
    if (line === '') return this.#dispatch(events);
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const spaced = line.charCodeAt(colon + 1) === 32;
    const value = colon < 0 ? '' : line.slice(colon + (spaced ? 2 : 1));
    if (field === 'data') this.#addData(value, events);
    else if (field === 'event') {
      if (this.#data !== undefined && isWholeObject(this.#data)) this.#dispatch(events);
      this.#event = value;
    }
  }

  /** Some servers put no blank line between events; an object that follows an object is the next event. */
  #addData(value: string, events: SseEvent[]): void {
    if (this.#data !== undefined && startsAnother(value) && isWholeObject(this.#data)) this.#dispatch(events);
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
  }

  #dispatch(events: SseEvent[]): void {
    if (this.#data !== undefined) events.push({ event: this.#event || 'message', data: this.#data });
    this.#data = undefined;
    this.#event = '';
  }
}

/** JSON never continues this way after the end of an object on a line of its own. */
function startsAnother(line: string): boolean {
  return line.startsWith('{') || line.startsWith('[DONE]');
}

function isWholeObject(data: string): boolean {
  return data.startsWith('{') && data.trimEnd().endsWith('}');
}

/** Incremental parser of JSON values in lines (NDJSON), each of which is one event. */
export class LineParser {
  readonly contentTypes = ['ndjson', 'application/json'] as const;
  #rest: string[] = [];
  #heldBack = 0;

  /** Characters buffered until their line is complete. */
  get pending(): number {
    return this.#heldBack;
  }

  push(text: string): SseEvent[] {
    const end = text.lastIndexOf('\n');
    if (end < 0) {
      this.#hold(text);
      return [];
    }
    const whole = this.#rest.join('') + text.slice(0, end);
    this.#rest = [];
    this.#heldBack = 0;
    this.#hold(text.slice(end + 1));
    return whole.split('\n').flatMap(lineEvent);
  }

  /** Ends the stream; a last line without a line end still counts. */
  end(): SseEvent[] {
    return lineEvent(this.#rest.splice(0).join(''));
  }

  #hold(text: string): void {
    if (text === '') return;
    this.#rest.push(text);
    this.#heldBack += text.length;
  }
}

function lineEvent(line: string): SseEvent[] {
  const data = line.trim();
  return data === '' ? [] : [{ event: 'message', data }];
}

function newline(text: string, from: number): number {
  return text.indexOf('\n', from);
}

/** Searches for a carriage return only up to the next newline, so that a chunk is scanned once. */
function eitherLineEnd(text: string, from: number): number {
  const end = newline(text, from);
  const carriageReturn = text.slice(from, end < 0 ? undefined : end).indexOf('\r');
  return carriageReturn < 0 ? end : from + carriageReturn;
}
