import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ToolCallMerger } from './tool-call-merger.ts';

const calls = fc.array(
  fc.record({ name: fc.constantFrom('Read', 'Bash'), input: fc.dictionary(fc.string(), fc.json()) }),
  {
    minLength: 1,
    maxLength: 4,
  },
);

it('puts calls together from any interleaving of numbered pieces', () => {
  proves('E-28');
  fc.assert(
    fc.property(calls, fc.integer({ min: 1, max: 5 }), fc.infiniteStream(fc.nat()), (wanted, size, picks) => {
      const queues = wanted.map(({ name, input }, index) => {
        const json = JSON.stringify(input);
        const rest = pieces(json, size).map((text) => ({ index, function: { arguments: text } }));
        return [{ index, id: `c${index}`, function: { name, arguments: '' } }, ...rest];
      });
      const merger = new ToolCallMerger();
      while (queues.some((queue) => queue.length > 0)) {
        const open = queues.filter((queue) => queue.length > 0);
        const delta = open[Number(picks.next().value) % open.length]?.shift();
        if (delta) merger.push(delta);
      }
      const merged = merger.calls.map(({ id, name, json }) => ({ id, name, input: JSON.parse(json) }));
      expect(merged.sort(byId)).toEqual(wanted.map((call, index) => ({ id: `c${index}`, ...call })));
    }),
  );
});

it('keeps whole calls apart that have neither number nor id', () => {
  proves('E-28');
  fc.assert(
    fc.property(calls, (wanted) => {
      const merger = new ToolCallMerger();
      for (const { name, input } of wanted)
        merger.push({ function: { name, arguments: JSON.stringify(input) } });
      expect(merger.calls.map(({ name, json }) => ({ name, input: JSON.parse(json) }))).toEqual(wanted);
    }),
  );
});

function pieces(text: string, size: number): readonly string[] {
  return text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}
