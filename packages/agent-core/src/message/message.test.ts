import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createMessage, type MessageDraft } from './message.ts';
import { noUsage } from './usage.ts';

setFlagsFromString('--allow-natives-syntax');
const haveSameShape = runInThisContext('(a, b) => %HaveSameMap(a, b)') as (a: object, b: object) => boolean;

describe('createMessage', () => {
  it('gives messages of one kind one hidden class, however many kinds there are', () => {
    const content = [{ type: 'text', text: 'x' }] as const;
    const model = { vendor: 'v', id: 'm', api: 'anthropic' } as const;
    const drafts: MessageDraft[] = [
      { role: 'user', content },
      { role: 'user', content, origin: 'reminder' },
      { role: 'assistant', content, model, usage: noUsage, cost: 0, stopReason: 'end' },
      { role: 'tool', toolCallId: 'a', toolName: 'Read', content, status: 'success', isError: false },
    ];
    for (const draft of drafts) {
      const made = Array.from({ length: 100 }, () => createMessage(draft, null));
      const late = made.slice(50);
      expect(late.filter((message) => haveSameShape(message, late[0] ?? {}))).toHaveLength(50);
    }
  });

  it('keeps the order of fields: those of the draft, then its identity', () => {
    const message = createMessage({ role: 'user', content: [], origin: 'pin' }, 'before');
    expect(Object.keys(message)).toEqual(['role', 'content', 'origin', 'id', 'parentId', 'timestamp']);
  });
});
