import type { FollowOptions } from '@robota-sdk/agent-sessions';
import { plainText } from '@robota-sdk/agent-tui';
import { expect, it, vi } from 'vitest';
import { testStage } from './fixtures/test-stage.ts';
import { SessionPreview } from './session-preview.ts';

it('shows the beginning of a session however late it is read, and reads one session at a time', async () => {
  const reading = new Map<string, AbortSignal | undefined>();
  let answer = () => {};
  const disk = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const store = {
    async *follow(path: string, { signal }: FollowOptions = {}) {
      reading.set(path, signal);
      await disk;
      const run = {
        command: `make ${path}`,
        output: '',
        exitCode: 0,
        status: 'success',
        isPrivate: false,
      } as const;
      const entry = {
        type: 'shell',
        id: '1',
        parentId: null,
        timestamp: '2026-01-01T00:00:00Z',
        ...run,
      } as const;
      yield { kind: 'entry', entry } as const;
    },
  };
  const preview = new SessionPreview(testStage(), store);
  const shown = (path: string) => preview.lines(path, 40).map(plainText).join('\n');
  expect(shown('a')).toBe('');
  expect(shown('b')).toBe('');
  expect(reading.get('a')?.aborted).toBe(true);
  expect(reading.get('b')?.aborted).toBe(false);
  answer();
  await vi.waitFor(() => expect(shown('b')).toBe('! make b'));
  preview.close();
  expect(reading.get('b')?.aborted).toBe(true);
});
