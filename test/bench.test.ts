import { expect, it } from 'vitest';
import { countBrokenPrefixes } from '../bench/conversation-prefix.mjs';
import { absolute, compared, tableOf } from '../bench/report.mjs';

const mark = { cache_control: { type: 'ephemeral' } };
const hello = { role: 'user', content: [{ type: 'text', text: 'hello' }] };
const answer = { role: 'assistant', content: [{ type: 'text', text: 'yes?' }] };

function request(messages: readonly object[], system = 'be good'): string {
  return JSON.stringify({ system: [{ text: system, ...mark }], tools: [{ name: 'Read' }], messages });
}

it('counts no broken prefix where messages are only added and cache marks move', () => {
  const marked = { ...hello, content: [{ ...hello.content[0], ...mark }] };
  expect(countBrokenPrefixes([request([marked]), request([hello, answer, marked])])).toBe(0);
});

it('counts each request that changes the prompt, the tools or an earlier message', () => {
  const bodies = [
    request([hello]),
    request([hello, answer], 'be better'),
    request([answer, answer], 'be better'),
    request([answer], 'be better'),
  ];
  expect(countBrokenPrefixes(bodies)).toBe(3);
});

it('holds a ratio against its limit, and a figure without a reference against its own', () => {
  const rows = [
    compared({ name: 'start', ours: 30, reference: 20, unit: 'ms', limit: 1.3 }),
    absolute({ name: 'prompt', ours: 7_500, unit: 'bytes', limit: 7_500 }),
    compared({ name: 'walk', ours: 5, reference: 10, unit: 'ms' }),
  ];
  expect(rows.map(({ ok }) => ok)).toEqual([false, true, undefined]);
  expect(tableOf(rows)).toBe(
    [
      '               ours  reference   ratio        limit',
      'start       30.0 ms    20.0 ms  1.50 ×        1.3 ×  over',
      'prompt  7,500 bytes                     7,500 bytes    ok',
      'walk        5.00 ms    10.0 ms  0.50 ×',
      '',
    ].join('\n'),
  );
});
