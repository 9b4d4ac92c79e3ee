import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { expect } from 'vitest';
import { HookRegistry } from './run-hook.ts';

stillOpen('keeps the reason of the first of two hooks with the same verdict if the second gives none', {
  observe: async () => {
    const hooks = new HookRegistry();
    hooks.add('tool-before', () => ({ verdict: 'ask', reason: 'it touches the release' }), 'guard');
    hooks.add('tool-before', () => ({ verdict: 'ask' }), 'logger');
    const call = { type: 'tool-call', id: '1', name: 'Bash', input: {} } as const;
    const { verdict, reason } = await hooks.run(
      'tool-before',
      { call, access: [] },
      new AbortController().signal,
    );
    return { verdict, reason };
  },
  today: { verdict: 'ask', reason: undefined },
  wanted: ({ reason }) => expect(reason).toBe('it touches the release'),
});
