import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AgentEvent } from './events.ts';
import { hideInStream, type SecretHider } from './hide-in-stream.ts';

const secrets = ['aab', 'abab', 'bbaabc'];

const hide: SecretHider = Object.assign(
  (text: string) => secrets.reduce((clean, secret) => clean.replaceAll(secret, '#'), text),
  {
    openEnd: (text: string) => {
      const beginnings = secrets.flatMap((secret) => [...secret].map((_, size) => secret.slice(0, size)));
      return Math.max(...beginnings.filter((part) => text.endsWith(part)).map(({ length }) => length));
    },
  },
);

async function shown(events: readonly AgentEvent[]): Promise<AgentEvent[]> {
  const seen: AgentEvent[] = [];
  const stream = hideInStream((event) => void seen.push(event), hide);
  for (const event of events) await stream.emit(event);
  await stream.end();
  return seen;
}

const textIn = (events: readonly AgentEvent[], type: 'text-delta' | 'thinking-delta') =>
  events.map((event) => (event.type === type ? event.text : '')).join('');

it('no secret is shown, however a text is cut into pieces, and nothing else is lost', async () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(piece), async (pieces) => {
      const seen = textIn(await shown(pieces.map((text) => ({ type: 'text-delta', text }))), 'text-delta');
      for (const secret of secrets) expect(seen).not.toContain(secret);
      const unhidden = seen.replaceAll('#', '');
      if (!secrets.some((secret) => pieces.join('').includes(secret))) expect(unhidden).toBe(pieces.join(''));
    }),
  );
});

it('text that is held back comes before whatever follows it, and across a retry it is completed', async () => {
  expect(
    await shown([
      { type: 'text-delta', text: 'x ab' },
      { type: 'text-end' },
      { type: 'text-delta', text: 'ab' },
    ]),
  ).toEqual([
    { type: 'text-delta', text: 'x ' },
    { type: 'text-delta', text: 'ab' },
    { type: 'text-end' },
    { type: 'text-delta', text: 'ab' },
  ]);
  const thinking = await shown([
    { type: 'thinking-delta', text: 'a' },
    { type: 'text-delta', text: 'ab' },
    { type: 'text-delta', text: 'ab!' },
  ]);
  expect(textIn(thinking, 'thinking-delta')).toBe('a');
  expect(textIn(thinking, 'text-delta')).toBe('#!');
  const retry = { type: 'retry-wait' } as AgentEvent;
  const resumed = await shown([
    { type: 'text-delta', text: 'ab' },
    retry,
    { type: 'text-delta', text: 'ab' },
  ]);
  expect(textIn(resumed, 'text-delta')).toBe('#');
  const restarted = await shown([
    { type: 'text-delta', text: 'ab' },
    { type: 'text-restart' },
    { type: 'text-delta', text: 'c' },
  ]);
  expect(textIn(restarted, 'text-delta')).toBe('c');
});
