import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../message/model-event.ts';
import { joinDeltas } from './provider.ts';

const index = fc.nat(1);
const event: fc.Arbitrary<ModelEvent> = fc.oneof(
  fc.record({ type: fc.constant('text-delta' as const), index, text: fc.string() }),
  fc.record({ type: fc.constant('thinking-delta' as const), index, text: fc.string() }),
  fc.record({ type: fc.constant('text-end' as const), index }),
);

/** Each character of a delta, and each other event, one by one. */
function steps(events: readonly ModelEvent[]): unknown[] {
  return events.flatMap<unknown>((each) =>
    'text' in each ? [...each.text].map((character) => [each.type, each.index, character]) : [each],
  );
}

describe('joinDeltas', () => {
  it('leaves a few events as they came', () => {
    fc.assert(fc.property(fc.array(event, { maxLength: 63 }), (batch) => joinDeltas(batch) === batch));
  });

  it('joins neighbours of one block in a burst, and leaves every character and every other event where it was', () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 64, maxLength: 100 }), (batch) => {
        const joined = joinDeltas(batch);
        expect(steps(joined)).toEqual(steps(batch));
        for (const [at, each] of joined.entries()) {
          const next = joined[at + 1];
          if ('text' in each && next && 'text' in next)
            expect([each.type, each.index]).not.toEqual([next.type, next.index]);
        }
      }),
    );
  });
});
