import type { ViewEntry } from '@robota-sdk/agent-export';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TranscriptItems } from './transcript-items.ts';

const usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

/** A branch in which each answer has some calls, and some of them have results. */
const branch = fc
  .array(
    fc.record({
      text: fc.constantFrom('', 'Hello'),
      calls: fc.nat(3),
      results: fc.nat(3),
      prompt: fc.boolean(),
    }),
  )
  .map((turns) => {
    const entries: ViewEntry[] = [];
    const add = (body: object) => {
      const id = `e${entries.length}`;
      entries.push({ id, parentId: entries.at(-1)?.id ?? null, time: 0, ...body } as ViewEntry);
    };
    for (const [turn, { text, calls, results, prompt }] of turns.entries()) {
      if (prompt) add({ kind: 'prompt', blocks: [{ type: 'text', text: 'Go' }] });
      const ids = Array.from({ length: calls }, (_, index) => `c${turn}-${index}`);
      const blocks = [
        { type: 'text', text },
        ...ids.map((id) => ({ type: 'call', id, name: 'Bash', input: {} })),
      ];
      add({ kind: 'answer', model: 'm', usage, cost: 0, stopReason: 'end', blocks });
      for (const callId of ids.slice(0, results))
        add({ kind: 'result', callId, tool: 'Bash', state: 'done', blocks: [] });
    }
    return entries;
  });

it('gives the same rows whether entries come one by one, by windows or all at once', () => {
  fc.assert(
    fc.property(branch, fc.nat(20), (entries, cut) => {
      const whole = new TranscriptItems();
      whole.replace(entries);
      const grown = new TranscriptItems();
      for (const entry of entries.slice(cut)) grown.append(entry);
      grown.prepend(entries.slice(0, cut));
      expect(grown.items).toEqual(whole.items);
      const keys = whole.items.map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
    }),
  );
});

it('puts a result into the row of its call, and draws that row again', () => {
  const rows = new TranscriptItems();
  const call = { type: 'call' as const, id: 'c', name: 'Bash', input: {} };
  const answer = { kind: 'answer' as const, model: 'm', usage, cost: 0, stopReason: 'end', blocks: [call] };
  rows.append({ id: 'a', parentId: null, time: 0, ...answer });
  const [before] = rows.items;
  rows.append({
    id: 'r',
    parentId: 'a',
    time: 0,
    kind: 'result',
    callId: 'c',
    tool: 'Bash',
    state: 'done',
    blocks: [],
  });
  expect(rows.items).toHaveLength(1);
  expect(rows.items[0]).not.toBe(before);
  expect(rows.items[0]).toMatchObject({ kind: 'calls', calls: [{ result: { id: 'r' } }] });
});

it('puts notes that follow each other into one row', () => {
  const items = new TranscriptItems();
  const note = (id: string, text: string) =>
    items.append({ id, parentId: null, time: 0, kind: 'note', text } as ViewEntry);
  note('a', 'A change was kept');
  note('b', 'A comment was drafted');
  items.append({ id: 'c', parentId: 'b', time: 0, kind: 'prompt', blocks: [] } as ViewEntry);
  note('d', 'Another');
  expect(items.items).toMatchObject([
    { key: 'a', kind: 'notes', texts: ['A change was kept', 'A comment was drafted'] },
    { kind: 'prompt' },
    { kind: 'notes', texts: ['Another'] },
  ]);
});
