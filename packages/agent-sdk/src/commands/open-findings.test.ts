import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { expect } from 'vitest';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';

stillOpen('interrupts /compact by the signal of the command', {
  observe: async () => {
    const long = 'words '.repeat(9_000);
    const controller = new AbortController();
    const { session } = await openScripted(await makeTestProject(), ({ tools }) => ({
      text: tools.length === 0 ? 'the notes' : long,
      usage: { input: 60_000, cacheRead: 20_000, cacheWrite: 20_000 },
      // The summary is asked for without tools.
      before: () => {
        if (tools.length === 0) controller.abort();
      },
    }));
    for (const prompt of ['first', 'second', 'third']) await session.submit(prompt);
    const { signal } = controller;
    const result = await session.executeCommand('compact', '', { signal }).catch(() => undefined);
    await session.shutdown();
    return result?.data !== undefined;
  },
  today: true,
  wanted: (isCompacted) => expect(isCompacted).toBe(false),
});
