import { omissionDraft, pruningDraft, spentDraft } from '@robota-sdk/agent-sessions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { customNote } from './custom-note.ts';

describe('a note about bookkeeping', () => {
  it('says in a line what our own entries mean', () => {
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
    const said = [
      pruningDraft({ messageIds: ['a', 'b'], at: 1 }),
      omissionDraft({ what: 'images', messageIds: ['a'] }),
      spentDraft({ usage, cost: 0.5, modelCalls: 2 }),
      spentDraft({ usage, cost: 0.5, modelCalls: 1 }, { purpose: 'hooks' }),
      spentDraft({ usage, cost: 0, modelCalls: 1 }, { purpose: 'summaries' }),
    ].map((draft) => (draft.type === 'custom' ? customNote(draft.customType, draft.data) : undefined));
    expect(said).toEqual([
      '2 older tool outputs left out from here on',
      '1 message without images from here on, since the vendor refused it',
      'An agent made 2 model calls for $0.5000',
      'A hook made 1 model call for $0.5000',
      'Failed summary made 1 model call for $0.0000',
    ]);
    expect(customNote('robota.run', { ended: 'limit', error: 'Stopped after 3 turns.' })).toBe(
      'Stopped after 3 turns.',
    );
    expect(customNote('robota.run', { ended: 'aborted' })).toBe('Interrupted.');
    expect(customNote('robota.pin', { id: 'p', text: 'keep\nthis' })).toBe('Pinned: keep this');
    expect(customNote('robota.review', { draft: { path: '/shop/src/cart.ts', line: 5 } })).toBe(
      'A comment on line 5 of cart.ts was drafted',
    );
    expect(customNote('robota.review', { removed: ['a', 'b'] })).toBe('2 drafted comments sent or deleted');
    expect(customNote('robota.review', { hunk: 'x', isKept: true })).toBe('A change was kept in the review');
  });

  it('leaves entries of others alone, and bears any data', () => {
    expect(customNote('mine', { a: 1 })).toBeUndefined();
    expect(customNote('constructor', {})).toBeUndefined();
    const ours = fc.constantFrom(
      'robota.pin',
      'robota.prune',
      'robota.omit',
      'robota.run',
      'robota.spent',
      'robota.parked',
      'robota.import',
    );
    const names = fc.constantFrom('text', 'messageIds', 'cost', 'modelCalls', 'until');
    const data = fc.dictionary(names, fc.oneof(fc.jsonValue(), fc.double()));
    fc.assert(
      fc.property(ours, data, (type, value) => void customNote(type, JSON.parse(JSON.stringify(value)))),
    );
  });
});
