import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frame } from '../fixtures/cloud-front.ts';
import { EventFrames } from './event-frames.ts';

/** A frame with right sums and any bytes as its headers. */
function rawFrame(head: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + head.length + 4);
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.writeUInt32BE(head.length, 4);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8);
  head.copy(bytes, 12);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
  return bytes;
}

function chunk(data: string): Buffer {
  const payload = JSON.stringify({ bytes: Buffer.from(data).toString('base64') });
  return frame({ ':event-type': 'chunk', ':message-type': 'event' }, payload);
}

describe('EventFrames', () => {
  it('gives the same events however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.nat(40)), (texts, cuts) => {
        const bytes = Buffer.concat(texts.map(chunk));
        const parser = new EventFrames();
        const events = [];
        let at = 0;
        for (const size of [...cuts, bytes.length]) {
          events.push(...parser.push(bytes.subarray(at, at + size)));
          at += size;
        }
        expect([...events, ...parser.end()].map(({ data }) => data)).toEqual(texts);
        expect(parser.pending).toBe(0);
      }),
    );
  });

  it('finds every changed byte', () => {
    const bytes = Buffer.concat([chunk('one'), chunk('two')]);
    const first = chunk('one').length;
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      const parser = new EventFrames();
      const read = () => [...parser.push(damaged), ...parser.push(Buffer.alloc(0)), ...parser.end()];
      expect(read).toThrow('damaged on the way');
      // Earlier events are handed on.
      if (at >= first) expect(new EventFrames().push(damaged).map(({ data }) => data)).toEqual(['one']);
    }
  });

  it.each([
    ['throttlingException', 'rate_limit_error'],
    ['modelStreamErrorException', 'api_error'],
    ['validationException', 'invalid_request_error'],
  ])('makes an error event of %s', (exception, type) => {
    const headers = { ':message-type': 'exception', ':exception-type': exception };
    const [event] = new EventFrames().push(frame(headers, '{"message":"why"}'));
    expect(JSON.parse(event?.data ?? '')).toEqual({ type: 'error', error: { type, message: 'why' } });
  });

  it('finds headers that lead out of their frame, whatever they hold', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 12 }), (head) => {
        const parser = new EventFrames();
        try {
          for (const event of parser.push(rawFrame(Buffer.from(head)))) expect(event.event).toBe('error');
        } catch (thrown) {
          expect(String(thrown)).toContain('damaged on the way');
        }
      }),
    );
    expect(() => new EventFrames().push(rawFrame(Buffer.from([200, 1])))).toThrow('headers of a frame');
  });

  it('makes one of an error without an exception, and passes over other events and headers', () => {
    const headers = { ':message-type': 'error', ':error-code': 'Internal', ':error-message': 'broken' };
    const [event] = new EventFrames().push(frame(headers, ''));
    expect(event?.data).toContain('"message":"broken"');
    const other = frame({ ':message-type': 'event', ':event-type': 'metadata' }, '{}');
    expect(new EventFrames().push(other)).toEqual([]);
  });
});
