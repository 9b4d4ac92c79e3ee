import { crc32 } from 'node:zlib';
import { type FrameParser, type SseEvent, StreamFailure } from '@robota-sdk/agent-core';
import { objectIn, textField } from '../credential/credentials.ts';

/** The content type of the stream. */
export const eventFrameType = 'application/vnd.amazon.eventstream';

const preludeBytes = 12;
const crcBytes = 4;
const maxFrameBytes = 32 * 1024 * 1024;
const stringType = 7;
/** Bytes of the value of each other type of header; a blob is like a string. */
const fixedSizes: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };

interface Frame {
  readonly headers: ReadonlyMap<string, string>;
  readonly payload: Buffer;
}

/** Exceptions in the middle of an answer, as the vendor's own API names such errors. */
const errorTypes: Readonly<Record<string, string>> = {
  throttlingException: 'rate_limit_error',
  serviceUnavailableException: 'overloaded_error',
  modelTimeoutException: 'timeout_error',
  validationException: 'invalid_request_error',
};

/** Reads AWS's event stream: frames with checksums, whose payload holds the events of the model's vendor. */
export class EventFrames implements FrameParser {
  readonly contentTypes: readonly string[] = [eventFrameType];
  #pieces: Uint8Array[] = [];
  #pending = 0;
  /** Thrown once the events before it were handed on. */
  #failure: StreamFailure | undefined;

  get pending(): number {
    return this.#pending;
  }

  push(piece: Uint8Array): SseEvent[] {
    if (this.#failure) throw this.#failure;
    this.#pieces.push(piece);
    this.#pending += piece.length;
    const events: SseEvent[] = [];
    try {
      for (let size = this.#nextSize(); size !== undefined; size = this.#nextSize()) {
        if (this.#pending < size) return events;
        const event = eventIn(readFrame(this.#take(size)));
        if (event) events.push(event);
      }
    } catch (thrown) {
      if (!(thrown instanceof StreamFailure) || events.length === 0) throw thrown;
      this.#failure = thrown;
    }
    return events;
  }

  end(): SseEvent[] {
    if (this.#failure) throw this.#failure;
    return [];
  }

  /** The size of the next frame as far as it is known. */
  #nextSize(): number | undefined {
    if (this.#pending < preludeBytes) return undefined;
    const prelude = this.#joined().subarray(0, preludeBytes);
    if (crc32(prelude.subarray(0, 8)) !== prelude.readUInt32BE(8)) throw damaged('prelude');
    const size = prelude.readUInt32BE(0);
    if (size > maxFrameBytes || size < preludeBytes + crcBytes) throw damaged('length');
    return size;
  }

  /** Everything that is kept, as one piece. A long frame is joined again only when it is complete. */
  #joined(): Buffer {
    const [first, ...others] = this.#pieces;
    if (!first) return Buffer.alloc(0);
    const start = Buffer.from(first.buffer, first.byteOffset, first.length);
    const isWaiting = start.length >= preludeBytes && start.readUInt32BE(0) > this.#pending;
    if (others.length === 0 || isWaiting) return start;
    const joined = Buffer.concat(this.#pieces);
    this.#pieces = [joined];
    return joined;
  }

  #take(size: number): Buffer {
    const all = this.#joined();
    this.#pieces = all.length > size ? [all.subarray(size)] : [];
    this.#pending -= size;
    return all.subarray(0, size);
  }
}

function eventIn({ headers, payload }: Frame): SseEvent | undefined {
  const exception = headers.get(':exception-type') ?? headers.get(':error-code');
  if (headers.get(':message-type') !== 'event' || exception !== undefined) {
    const type = errorTypes[exception ?? ''] ?? 'api_error';
    const message = messageIn(payload) ?? headers.get(':error-message') ?? exception ?? 'no explanation';
    return { event: 'error', data: JSON.stringify({ type: 'error', error: { type, message } }) };
  }
  if (headers.get(':event-type') !== 'chunk') return undefined;
  const { bytes = '' } = objectIn(payload.toString());
  return { event: 'message', data: Buffer.from(String(bytes), 'base64').toString() };
}

function messageIn(payload: Buffer): string | undefined {
  return textField(objectIn(payload.toString()), 'message');
}

function readFrame(frame: Buffer): Frame {
  const end = frame.length - crcBytes;
  if (crc32(frame.subarray(0, end)) !== frame.readUInt32BE(end)) throw damaged('message');
  const headersEnd = preludeBytes + frame.readUInt32BE(4);
  if (headersEnd > end) throw damaged('headers');
  return {
    headers: readHeaders(frame.subarray(preludeBytes, headersEnd)),
    payload: frame.subarray(headersEnd, end),
  };
}

function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    const name = bytes.toString('utf8', at + 1, nameEnd);
    const type = bytes[nameEnd] ?? -1;
    const fixed = fixedSizes[type];
    const start = nameEnd + (fixed === undefined ? 3 : 1);
    if (start > bytes.length) throw damaged('headers');
    const size = fixed ?? bytes.readUInt16BE(nameEnd + 1);
    if (start + size > bytes.length) throw damaged('headers');
    if (type === stringType) headers.set(name, bytes.toString('utf8', start, start + size));
    at = start + size;
  }
  return headers;
}

/** Bytes were changed or lost on the way; another attempt may get them whole. */
function damaged(part: string): StreamFailure {
  const message = `The answer was damaged on the way: the ${part} of a frame of its event stream is wrong.`;
  return new StreamFailure({ code: 'protocol', retryable: true, message });
}
