import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areQuestions, isAnswer, isEvent, isFacts } from './link-lines.ts';

const facts = {
  runningSince: null,
  turn: 0,
  model: 'anthropic/claude',
  models: ['anthropic/claude'],
  mode: 'default',
  todos: [{ content: 'x', status: 'pending' }],
  context: { used: 1, max: 2, compactsAt: 0.8, parts: [{ name: 'Tools', tokens: 1 }] },
  queue: [{ id: '1', as: 'steer', text: 'x' }],
};
const question = { kind: 'select', title: 'Run?', options: [{ label: 'Yes' }] };
const waiting = { id: '1', digest: 'd', since: 1, question };

describe('a line of another process', () => {
  it('is taken where every field is as it has to be', () => {
    expect(isFacts(facts)).toBe(true);
    expect(areQuestions([waiting, { ...waiting, question: { kind: 'confirm', title: 'Sure?' } }])).toBe(true);
    expect(isEvent({ type: 'of a later version' })).toBe(true);
    for (const answer of [
      { kind: 'selected', indexes: [0], text: 'x', input: {} },
      { kind: 'confirmed', yes: false },
      { kind: 'text', text: '' },
      { kind: 'dismissed' },
    ])
      expect(isAnswer(answer)).toBe(true);
  });

  it('is refused with any field missing or of another kind', () => {
    const others = [undefined, null, 1, 'root', [], {}, [1]];
    for (const runningSince of [undefined, 'now', []])
      expect(isFacts({ ...facts, runningSince })).toBe(false);
    const { runningSince: _, ...rest } = facts;
    for (const name of Object.keys(rest) as (keyof typeof rest)[]) {
      const wrong = others.filter((other) => typeof other !== typeof facts[name] && other !== facts[name]);
      for (const other of wrong) expect(isFacts({ ...facts, [name]: other }), name).toBe(false);
    }
    for (const name of Object.keys(waiting))
      expect(areQuestions([{ ...waiting, [name]: [] }]), name).toBe(false);
    for (const options of [undefined, {}, [{}], [null]])
      expect(areQuestions([{ ...waiting, question: { ...question, options } }])).toBe(false);
    for (const answer of [
      { kind: 'selected', indexes: [0.5] },
      { kind: 'selected', indexes: 0 },
      { kind: 'selected', indexes: [0], input: [] },
      { kind: 'confirmed' },
      { kind: 'text' },
      { kind: 'unavailable' },
    ])
      expect(isAnswer(answer)).toBe(false);
  });

  it('never throws, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const check of [isFacts, areQuestions, isEvent, isAnswer])
          expect(typeof check(value)).toBe('boolean');
      }),
    );
  });
});
