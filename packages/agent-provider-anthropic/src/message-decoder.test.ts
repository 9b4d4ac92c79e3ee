import type { ModelEvent } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageDecoder } from './message-decoder.ts';

const start = { type: 'content_block_start', index: 3, content_block: { type: 'text', text: '' } };
const delta = (text: string) => ({
  type: 'content_block_delta',
  index: 3,
  delta: { type: 'text_delta', text },
});

/** Model events of an answer whose events are spelled in some way. */
function decoded(events: readonly object[], spell: (event: object) => string): readonly ModelEvent[] {
  const decoder = new MessageDecoder({ vendor: 'anthropic', model: 'm' });
  const said: ModelEvent[] = [];
  for (const event of events) decoder.push({ event: 'content_block_delta', data: spell(event) }, said);
  return said;
}

describe('MessageDecoder', () => {
  it('reads a piece of text alike, however its JSON is spelled', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('"}}', '\\', '"', '"}}"}}', '\n', 'a"},"b":{"c'));
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const events = [start, ...texts.map(delta), { type: 'content_block_stop', index: 3 }];
        const compact = decoded(events, (event) => JSON.stringify(event));
        expect(compact).toEqual(decoded(events, (event) => JSON.stringify(event, null, 1)));
        expect(compact.flatMap((event) => (event.type === 'text-delta' ? event.text : [])).join('')).toBe(
          texts.join(''),
        );
      }),
    );
  });

  it('reads no piece of a block that is not open, and refuses one that is cut off', () => {
    const events = [start, { type: 'content_block_stop', index: 3 }, delta('late')];
    expect(decoded(events, (event) => JSON.stringify(event)).map(({ type }) => type)).toEqual([
      'text-start',
      'text-end',
    ]);
    for (const end of ['', '"', '"}', '}}'])
      expect(() =>
        decoded([start, delta('x')], (event) => JSON.stringify(event).replace(/(?<=x|text":")x?"\}\}$/, end)),
      ).toThrow('damaged');
  });
});
