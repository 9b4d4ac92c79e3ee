import type { Access, AgentEvent, ToolCallContent } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import type { SessionHandle } from '../store/session-handle.ts';
import { SessionRecorder } from './session-recorder.ts';

describe('what a call waits for', () => {
  it('is the disk, for all calls that start together', async () => {
    const { recorder, disk } = openRecorder();
    await recorder.record(asking('Bash', ['a', 'b']));
    const started: string[] = [];
    const starts = ['a', 'b'].map(async (id) => {
      await recorder.record(starting('Bash', id));
      started.push(id);
    });
    await new Promise(setImmediate);
    expect([started, disk.waits]).toEqual([[], 1]);
    disk.confirm();
    await Promise.all(starts);
    expect([started, disk.waits]).toEqual([['a', 'b'], 1]);
  });

  it('is begun with the message once the tool has changed something, and still waited for', async () => {
    const { recorder, disk } = openRecorder();
    await recorder.record(asking('Bash', ['a']));
    expect(disk.waits).toBe(0);
    const first = recorder.record(starting('Bash', 'a'));
    disk.confirm();
    await first;
    await recorder.record(asking('Bash', ['b']));
    expect(disk.waits).toBe(2);
    let isStarted = false;
    const second = recorder.record(starting('Bash', 'b'))?.then(() => {
      isStarted = true;
    });
    await new Promise(setImmediate);
    expect([isStarted, disk.waits]).toEqual([false, 2]);
    disk.confirm();
    await second;
    expect(isStarted).toBe(true);
  });

  it('is nothing for a call that only reads', async () => {
    const { recorder, disk } = openRecorder();
    const access = [{ kind: 'read', path: '/x' }] as unknown as readonly Access[];
    for (const id of ['a', 'b']) {
      await recorder.record(asking('Read', [id]));
      expect(recorder.record({ ...starting('Read', id), access })).toBeUndefined();
    }
    expect(disk.waits).toBe(0);
  });
});

/** A recorder whose disk confirms only when it is told to. */
function openRecorder() {
  const disk = { waits: 0, confirm: () => {} };
  const handle = {
    append: async () => undefined,
    flush: () => {
      disk.waits += 1;
      return new Promise<void>((resolve) => {
        disk.confirm = resolve;
      });
    },
  } as unknown as SessionHandle;
  return { recorder: new SessionRecorder(handle, {}), disk };
}

function asking(name: string, ids: readonly string[]): AgentEvent {
  const message = { role: 'assistant', content: ids.map((id) => callOf(name, id)) };
  return { type: 'message-append', message } as unknown as AgentEvent;
}

function starting(name: string, id: string) {
  const access = [{ kind: 'run', command: 'make', cwd: '/' }] satisfies readonly Access[];
  return { type: 'tool-start', call: callOf(name, id), access: access as readonly Access[] } as const;
}

function callOf(name: string, id: string): ToolCallContent {
  return { type: 'tool-call', id, name, input: {} };
}
