import { createMessage, type Message, noUsage } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { converse, eventsFor, offlineModel } from './fixtures/converse.ts';
import { examples } from './requests.ts';

const user = (text: string, origin?: 'reminder' | 'steering'): Message =>
  createMessage({ role: 'user', content: [{ type: 'text', text }], ...(origin ? { origin } : {}) }, null);

describe('the offline model as a provider', () => {
  it('streams text in small pieces and ends with an estimate of the tokens', async () => {
    const events = await eventsFor([user('help')]);
    const deltas = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));
    expect(deltas.length).toBeGreaterThan(10);
    expect(Math.max(...deltas.map((delta) => delta.length))).toBeLessThanOrEqual(24);
    expect(events[0]).toEqual({ type: 'text-start', index: 0 });
    expect(events.at(-1)).toMatchObject({ type: 'end', stopReason: 'end', usage: { cacheRead: 0 } });
    const { usage = noUsage } = events.at(-1) as { usage?: typeof noUsage };
    expect(usage.input).toBeGreaterThan(0);
    expect(usage.output).toBe(Math.ceil((deltas.join('').length + 2) / 4));
  });

  it('asks for tools with ids of their own, and the same again for the same messages', async () => {
    const messages = [user('run the tests')];
    const first = await eventsFor(messages);
    const ids = first.flatMap((event) => (event.type === 'tool-call-start' ? [event.id] : []));
    expect(new Set(ids).size).toBe(1);
    expect(first.at(-1)).toMatchObject({ type: 'end', stopReason: 'tool-calls' });
    expect(await eventsFor(messages)).toEqual(first);
  });

  it('says that it cannot answer by a schema, at once', async () => {
    const schema =
      'When you are done, answer with JSON alone (no prose, no code fence) that conforms to this JSON Schema:\n{"type":"object"}';
    const content = ['count the lines', schema].map((text) => ({ type: 'text' as const, text }));
    expect(await eventsFor([createMessage({ role: 'user', content }, null)])).toMatchObject([
      { type: 'error', failure: { retryable: false, message: expect.stringContaining('JSON Schema') } },
    ]);
  });

  it('ends with an error when it is interrupted', async () => {
    const events = await eventsFor([user('help')], [], AbortSignal.abort());
    expect(events).toEqual([
      { type: 'error', failure: { code: 'aborted', message: 'Interrupted.', retryable: false } },
    ]);
  });

  it('continues its plan after a reminder that its process was started again', async () => {
    const restarted = user('<system-reminder>\nThe process ended.\n</system-reminder>');
    const events = await eventsFor([user('read a.txt'), restarted]);
    expect(events.find((event) => event.type === 'tool-call-end')).toMatchObject({
      input: { file_path: 'a.txt' },
    });
  });

  it('answers the last request and takes reminders for what they are', async () => {
    const messages = [user('list the files'), user('read a.txt', 'steering'), user('Use todos.', 'reminder')];
    const events = await eventsFor(messages);
    expect(events.find((event) => event.type === 'tool-call-end')).toMatchObject({
      input: { file_path: 'a.txt' },
    });
  });

  it('stops when the history holds calls it did not make', async () => {
    const call = { type: 'tool-call', id: 'x', name: 'Bash', input: { command: 'ls' } } as const;
    const assistant = createMessage(
      {
        role: 'assistant',
        content: [call],
        model: offlineModel,
        usage: noUsage,
        cost: 0,
        stopReason: 'tool-calls',
      },
      null,
    );
    const events = await eventsFor([user('list the files'), assistant]);
    const text = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
    expect(text).toMatch(/not the ones I would have made/);
  });

  it('says which tool is missing', async () => {
    const { text, calls } = await converse('list the files', () => '', ['Read']);
    expect(text).toBe('This needs the Glob tool, which is switched off in this session.');
    expect(calls).toEqual([]);
  });

  it.each(examples)('understands its example: %s', async (example) => {
    const { calls } = await converse(example, () => ({ error: 'NotFound: no' }));
    expect(calls).not.toEqual([]);
  });

  it('comes to an end and never throws, whatever is asked and whatever the tools answer', async () => {
    const request = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...examples));
    const reply = fc.oneof(
      fc.string(),
      fc.record({ error: fc.string() }),
      fc.constantFrom(
        'a.ts\nb.ts',
        '1\tfoo\n2\tbar',
        'a.ts\n1: foo',
        'a: 3',
        '[There are more lines; read on with offset 2.]',
      ),
    );
    await fc.assert(
      fc.asyncProperty(request, fc.infiniteStream(reply), async (text, replies) => {
        const talk = await converse(text, () => replies.next().value);
        expect(talk.text).not.toBe('');
      }),
      { numRuns: 150 },
    );
  });
});

describe('what it says of itself', () => {
  it.each(['help', 'Hello!', 'hello there', 'who are you?', 'what can you do?'])('%s', async (text) => {
    const talk = await converse(text);
    expect(talk.text).toMatch(/offline model.*not AI/);
    for (const part of [...examples, 'ANTHROPIC_API_KEY', '--model']) expect(talk.text).toContain(part);
  });

  it.each(['write a poem about the sea', 'why?', '안녕하세요', 'x'.repeat(5_000), 'line\n'.repeat(500)])(
    'one answer to what it does not understand: %.20s',
    async (request) => {
      const { text, calls } = await converse(request);
      expect(calls).toEqual([]);
      expect(text).toMatch(
        /^I did not understand "[^"]{1,80}": I am the offline model, a set of rules and not AI, that can list, read,/,
      );
      expect(text.split('\n')).toHaveLength(1);
      expect(text).toContain('`help` shows how to ask');
    },
  );
});
