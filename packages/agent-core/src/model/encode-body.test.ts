import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../shape/json.ts';
import { encodeBody } from './encode-body.ts';

const textOf = (body: JsonObject) => Buffer.concat(encodeBody(body)).toString('utf8');
const parsed = (body: JsonObject) => JSON.parse(textOf(body));

describe('encodeBody', () => {
  it('says the same as JSON, whatever became of a conversation since its last request', () => {
    const block = fc.record({ type: fc.constant('text'), text: fc.string({ unit: 'grapheme' }) });
    const message = fc.record({
      role: fc.constantFrom('user', 'assistant'),
      content: fc.oneof(
        { weight: 5, arbitrary: fc.array(block, { maxLength: 3 }) },
        { weight: 1, arbitrary: fc.string() },
      ),
    });
    const change = fc.record({
      at: fc.nat(80),
      kind: fc.constantFrom('append', 'replace', 'cut', 'role', 'head', 'mark'),
      message,
    });
    // Some are longer than what is encoded at once, and than what the next request may change.
    const messages = fc.oneof(
      fc.array(message, { minLength: 1 }),
      fc.array(message, { minLength: 40, maxLength: 80 }),
    );
    fc.assert(
      fc.property(messages, fc.array(change), (first, changes) => {
        let body: JsonObject = { model: 'm', messages: first };
        expect(parsed(body)).toEqual(body);
        for (const each of changes) {
          body = changed(body, each);
          expect(parsed(body)).toEqual(body);
          expect(textOf(body)).toBe(JSON.stringify(body));
        }
      }),
    );
  });

  it('replaces half a surrogate pair in kept messages, too', () => {
    const first = { role: 'user', content: [{ type: 'text', text: 'half \ud83d here' }] };
    const text = { role: 'assistant', content: [{ type: 'text', text: 'a \\ud83d written out' }] };
    expect(parsed({ messages: [first] })).toEqual({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'half \ufffd here' }] }],
    });
    expect(parsed({ system: 'x', messages: [first, text] })).toEqual({
      system: 'x',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'half \ufffd here' }] }, text],
    });
  });

  it('keeps the bytes of messages that were sent before', () => {
    let encodings = 0;
    const toJSON = () => {
      encodings++;
      return { type: 'text' };
    };
    const counted = { type: 'text', toJSON };
    const first = { role: 'user', content: [counted as unknown as JsonObject] };
    for (let turn = 0; turn < 5; turn++) {
      const later = Array.from({ length: turn }, (_, index) => ({ role: 'assistant', content: [{ index }] }));
      encodeBody({ model: `m${turn}`, messages: [{ ...first }, ...later] });
    }
    expect(encodings).toBe(1);
  });

  it('keeps messages of a long conversation in the same memory from request to request', () => {
    const messages = Array.from({ length: 200 }, (_, index) => ({ role: 'user', content: [{ index }] }));
    const sizes = new Set<unknown>();
    for (let count = 150; count < 200; count++) {
      const [, settled] = encodeBody({ messages: messages.slice(0, count) });
      if (settled && count > 152) sizes.add(settled.buffer);
    }
    expect(sizes.size).toBe(1);
  });

  it('leaves the bytes of a request as they are, whatever is sent after it', () => {
    const said = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
    const start = said('start');
    const long = [start, said('a'), said('b'), said('c'), said('d')];
    for (let count = 1; count < long.length; count++) encodeBody({ messages: long.slice(0, count) });
    const earlier = encodeBody({ messages: long });
    const text = Buffer.concat(earlier).toString();
    for (const other of ['x', 'y', 'z']) {
      const branch = [start, said(other), said(other)];
      encodeBody({ messages: branch });
      encodeBody({ messages: [...branch, said(other)] });
    }
    expect(Buffer.concat(earlier).toString()).toBe(text);
  });
});

interface Change {
  readonly at: number;
  readonly kind: string;
  readonly message: JsonObject;
}

function changed(body: JsonObject, { at, kind, message }: Change): JsonObject {
  const messages = [...(body['messages'] as readonly JsonObject[])];
  const index = at % messages.length;
  const old = messages[index] ?? message;
  if (kind === 'append') messages.push(message);
  if (kind === 'replace') messages[index] = message;
  if (kind === 'cut') messages.splice(Math.max(1, index));
  if (kind === 'role') messages[index] = { ...old, role: 'other' };
  if (kind === 'mark' && Array.isArray(old['content']))
    messages[index] = {
      ...old,
      content: old['content'].map((block: JsonObject) => ({ ...block, mark: at })),
    };
  const head = kind === 'head' ? { model: 'ü'.repeat(at) } : { model: body['model'] ?? '' };
  return { ...head, messages };
}
