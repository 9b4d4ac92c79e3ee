import type { SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import { expect, it } from 'vitest';
import { RetryLine } from './retry-line.ts';

const wait = (attempt: number, status?: number): Extract<SessionEvent, { type: 'retry-wait' }> => ({
  type: 'retry-wait',
  model: { vendor: 'anthropic', id: 'claude', api: 'anthropic' },
  failure: {
    code: 'overloaded',
    message: '',
    retryable: true,
    ...(status === undefined ? {} : { status }),
  },
  attempt,
  maxAttempts: 5,
  delayMs: 1000,
});

it('says once how long a server refused, when the model answers or the run ends', () => {
  const line = new RetryLine((id) => (id === 'anthropic' ? 'Anthropic' : id));
  const text = { type: 'text-delta', text: 'Hello' } as const;
  expect(line.after(text, 0)).toBeUndefined();
  line.add(wait(1, 529), 1000);
  line.add(wait(2, 529), 5000);
  expect(line.after({ type: 'tool-progress', toolCallId: 'x', text: '' }, 6000)).toBeUndefined();
  expect(line.after(text, 13_400)).toBe('Anthropic was overloaded (529) for 12s, 2 retries.');
  expect(line.after(text, 14_000)).toBeUndefined();
  line.add(wait(1, 529), 15_000);
  expect(line.after({ type: 'text-end' }, 15_600)).toBe('Anthropic was overloaded (529) for 1s.');
  line.add(wait(1), 20_000);
  expect(line.after({ type: 'text-end' }, 21_000)).toBe('Anthropic was overloaded for 1s, 1 retry.');
});
