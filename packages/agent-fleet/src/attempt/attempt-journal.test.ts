import { createMessage, type Message, noUsage, toolEnd } from '@robota-sdk/agent-core';
import type { SessionHandle } from '@robota-sdk/agent-sdk/front-end';
import { MemorySessionStore } from '@robota-sdk/agent-sessions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AttemptJournal } from './attempt-journal.ts';

const content = [{ type: 'text', text: 'x' }] as const;
const model = { vendor: 'v', id: 'm', api: 'offline' } as const;
const messages: Readonly<Record<string, () => Message>> = {
  prompt: () => createMessage({ role: 'user', content }, null),
  steering: () => createMessage({ role: 'user', content, origin: 'steering' }, null),
  answer: () =>
    createMessage({ role: 'assistant', content, model, usage: noUsage, cost: 0, stopReason: 'end' }, null),
  result: () =>
    createMessage({ role: 'tool', toolCallId: 'c', toolName: 'T', content, ...toolEnd('success') }, null),
};

async function sessionOf(steps: readonly string[]): Promise<SessionHandle> {
  const handle = await new MemorySessionStore().create({ cwd: '/' });
  for (const step of steps) {
    const message = messages[step]?.();
    if (message) await handle.append({ type: 'message', message });
    else await new AttemptJournal(handle).begin(1);
  }
  return handle;
}

const isComplete = async (...steps: string[]) => new AttemptJournal(await sessionOf(steps)).isComplete;

describe('the journal of an attempt', () => {
  it('finds its notes again in the session', async () => {
    const handle = await sessionOf(['round', 'prompt', 'answer']);
    const journal = new AttemptJournal(handle);
    const intent = { path: '/a', before: null, after: 'hash' };
    await journal.start('m/1', intent);
    await journal.start('m/2', undefined);
    await journal.use('h', 'm/1');
    await journal.snapshot('tree');
    const again = new AttemptJournal(handle);
    expect([again.started('m/1'), again.started('m/2'), again.started('m/3')]).toEqual([
      { intent },
      {},
      undefined,
    ]);
    expect([again.usedBy('h'), again.usedBy('i'), again.tree]).toEqual(['m/1', undefined, 'tree']);
  });

  it('is complete for answers to a prompt of its own, with what comes before the prompt and after it', async () => {
    expect(await isComplete('round', 'prompt', 'answer')).toBe(true);
    expect(await isComplete('round', 'prompt', 'answer', 'result', 'steering', 'answer')).toBe(true);
    expect(await isComplete('round', 'prompt', 'answer', 'round')).toBe(true);
    expect(await isComplete('round', 'prompt', 'answer', 'round', 'result', 'prompt', 'answer')).toBe(true);
  });

  it('is not complete where a program that notes nothing continued it', async () => {
    expect(await isComplete()).toBe(false);
    expect(await isComplete('prompt', 'answer')).toBe(false);
    expect(await isComplete('round', 'prompt', 'answer', 'prompt', 'answer')).toBe(false);
    expect(await isComplete('prompt', 'answer', 'round')).toBe(false);
    const before = fc.array(fc.constantFrom('round', ...Object.keys(messages)), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(before, async (steps) => {
        expect(await isComplete(...steps, 'answer', 'prompt', 'answer', 'round')).toBe(false);
      }),
    );
  });
});
