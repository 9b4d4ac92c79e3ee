import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { encodeBody } from './encode-body.ts';

const parsed = (body: JsonObject) => JSON.parse(encodeBody(body).toString('utf8'));

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
      at: fc.nat(12),
      kind: fc.constantFrom('append', 'replace', 'cut', 'role', 'head', 'mark'),
      message,
    });
    fc.assert(
      fc.property(fc.array(message, { minLength: 1 }), fc.array(change), (first, changes) => {
        let body: JsonObject = { model: 'm', messages: first };
        expect(parsed(body)).toEqual(body);
        for (const each of changes) {
          body = changed(body, each);
          expect(parsed(body)).toEqual(body);
          expect(encodeBody(body).toString()).toBe(JSON.stringify(body));
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
