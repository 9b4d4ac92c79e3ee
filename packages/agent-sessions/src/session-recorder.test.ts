import type { AssistantMessage, ToolCallContent } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { SilentSessionLogger } from './session-logger.ts';
import { SessionRecorder } from './session-recorder.ts';
import type { SessionHandle } from './store/session-handle.ts';

describe('calls that start together', () => {
  it('all wait until the disk has the message that asked for them', async () => {
    let confirm = () => {};
    let waits = 0;
    const handle = {
      append: async () => undefined,
      flush: () => {
        waits += 1;
        return new Promise<void>((resolve) => {
          confirm = resolve;
        });
      },
    } as unknown as SessionHandle;
    const recorder = new SessionRecorder(handle, new SilentSessionLogger());
    await recorder.record({ type: 'message-append', message: asking(['a', 'b']) });
    const started: string[] = [];
    const starts = ['a', 'b'].map(async (id) => {
      const access = [{ kind: 'run', command: 'make', cwd: '/' }] as const;
      await recorder.record({ type: 'tool-start', call: callOf(id), access });
      started.push(id);
    });
    await new Promise(setImmediate);
    expect([started, waits]).toEqual([[], 1]);
    confirm();
    await Promise.all(starts);
    expect([started, waits]).toEqual([['a', 'b'], 1]);
  });
});

function callOf(id: string): ToolCallContent {
  return { type: 'tool-call', id, name: 'Bash', input: { command: 'make' } };
}

function asking(ids: readonly string[]): AssistantMessage {
  return { role: 'assistant', content: ids.map(callOf) } as unknown as AssistantMessage;
}
