import type { Message } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assistant, call, result, user } from '../fixtures/messages.ts';
import { SoundHistory } from './sound-history.ts';

/** The head of a PNG of this size, and as much behind it as is asked for. */
const png = (width: number, height: number, bytes = 0) => {
  const head = Buffer.from('89504e470d0a1a0a0000000d494844520000000000000000', 'hex');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return Buffer.concat([head, Buffer.alloc(bytes)]).toString('base64');
};
const image = (data: string, mimeType = 'image/png') => ({ type: 'image', data, mimeType }) as const;
const withContent = (...content: Extract<Message, { role: 'user' }>['content']) => ({
  ...user('x'),
  content,
});

describe('SoundHistory', () => {
  it('gives a sound conversation back as it is, the same array and the same messages', () => {
    const messages = [user('hi'), call('t1'), result('t1'), assistant('done'), withContent(image(png(2, 2)))];
    expect(new SoundHistory('anthropic').repair(messages)).toBe(messages);
  });

  it('answers calls without a result, and leaves out results without a call and second results', () => {
    const asked = call('t1');
    const repaired = new SoundHistory('anthropic').repair([user('hi'), result('t9'), asked, user('go on')]);
    expect(repaired).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'tool', toolCallId: 't1', isError: true },
      { role: 'user' },
    ]);
    const twice = new SoundHistory('anthropic').repair([asked, result('t1', 'one'), result('t1', 'two')]);
    expect(twice).toMatchObject([{ role: 'assistant' }, { content: [{ text: 'two' }] }]);
  });

  it('puts a text instead of images no vendor takes, says so once, and keeps its word for the same message', () => {
    const told: string[] = [];
    const history = new SoundHistory('anthropic', (notice) => told.push(notice));
    const messages = [
      withContent(image('A'.repeat(5 * 1024 * 1024 + 4))),
      withContent(image('AAAA', 'image/tiff')),
      withContent(image('')),
      withContent(image('<html>')),
      withContent(image('aGk=')),
      withContent(image(png(8001, 2))),
    ];
    const first = history.repair(messages);
    expect(first.map(({ content }) => content[0])).toEqual([
      { type: 'text', text: expect.stringMatching(/5\.0 MB is the most/) },
      { type: 'text', text: expect.stringMatching(/image\/tiff/) },
      { type: 'text', text: expect.stringMatching(/empty/) },
      { type: 'text', text: expect.stringMatching(/damaged/) },
      { type: 'text', text: expect.stringMatching(/damaged/) },
      { type: 'text', text: expect.stringMatching(/8001 × 2 pixels/) },
    ]);
    const second = history.repair([...messages, user('more')]);
    expect(second.slice(0, 6)).toEqual(first);
    expect(second[0]).toBe(first[0]);
    expect(told).toHaveLength(6);
    history.repair([withContent({ type: 'text', text: '@file:shots/pic.png\n' }, image('<html>'))]);
    expect(told.at(-1)).toBe('The image shots/pic.png is not sent to the model: its data is damaged.');
  });

  it('lets a larger image pass where the vendor takes it', () => {
    const messages = [withContent(image(png(2, 2, 4.5 * 1024 * 1024)))];
    expect(new SoundHistory('google').repair(messages)).toBe(messages);
  });

  it('leaves out what says nothing', () => {
    const hi = user('hi');
    expect(new SoundHistory('openai').repair([withContent(), user(''), assistant([]), hi])).toEqual([hi]);
  });

  it('comes to the same whether a conversation grew message by message or is seen at once', () => {
    const message = fc.oneof(
      fc.constant(0).map(() => user('x')),
      fc.constant(0).map(() => user('')),
      fc.constantFrom('a', 'b').map((id) => call(id)),
      fc.constantFrom('a', 'b').map((id) => result(id)),
      fc.constant(0).map(() => assistant([])),
      fc.constant(0).map(() => withContent(image('', 'image/png'))),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 14 }), fc.nat(14), (messages, cut) => {
        const growing = new SoundHistory('anthropic');
        for (let length = 0; length <= messages.length; length++) growing.repair(messages.slice(0, length));
        const atOnce = new SoundHistory('anthropic');
        expect(growing.repair(messages)).toEqual(atOnce.repair(messages));
        // A compaction or a move in the tree replaces what came before.
        const other = [user('summary'), ...messages.slice(cut)];
        expect(growing.repair(other)).toEqual(new SoundHistory('anthropic').repair(other));
      }),
    );
  });
});
