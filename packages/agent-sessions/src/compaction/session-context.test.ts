import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { user } from '../fixtures/messages.ts';
import { MemorySessionStore } from '../store/memory-store.ts';
import type { SessionHandle } from '../store/session-handle.ts';
import { pinDraft, pinsOf, unpinDraft } from './pins.ts';
import { type ContextServices, SessionContext } from './session-context.ts';

function contextOf(handle: SessionHandle): SessionContext {
  return new SessionContext({
    handle,
    add: async () => {},
    keepShell: async () => undefined,
    publish: () => {},
    lastMessageId: () => null,
    compaction: {} as ContextServices['compaction'],
    rewrite: async () => {},
  });
}

describe('pins', () => {
  it('are those of the whole branch, whatever was added and wherever the session moved', async () => {
    const step = fc.record({ kind: fc.constantFrom('say', 'pin', 'unpin', 'move'), number: fc.nat(5) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const handle = await new MemorySessionStore().create({ cwd: '/x' });
        const context = contextOf(handle);
        for (const { kind, number } of steps) {
          const id = `${number}`;
          if (kind === 'say') await handle.append({ type: 'message', message: user('x') });
          if (kind === 'pin') await handle.append(pinDraft({ id, text: `pin ${number}` }));
          if (kind === 'unpin') await handle.append(unpinDraft(id));
          if (kind === 'move') await handle.setLeaf([...handle.ids()].at(-number) ?? null);
          expect(context.pins).toEqual(pinsOf(handle.notes()));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('of a long session are kept up to date without walking the branch again', async () => {
    const handle = await new MemorySessionStore().create({ cwd: '/x' });
    const context = contextOf(handle);
    let walks = 0;
    const { notes } = handle;
    handle.notes = () => {
      walks++;
      return notes.call(handle);
    };
    await handle.append(pinDraft({ id: 'a', text: 'kept' }));
    for (let count = 0; count < 50; count++) {
      await handle.append({ type: 'message', message: user('x') });
      expect(context.pins).toMatchObject([{ text: 'kept' }]);
    }
    expect(walks).toBe(1);
  });
});
