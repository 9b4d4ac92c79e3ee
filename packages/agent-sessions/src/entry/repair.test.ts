import { toolCallsOf } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assistant, call, result, user } from '../fixtures/messages.ts';
import { repairMessages } from './repair.ts';

describe('repairMessages', () => {
  it('leaves a sound history as it is', () => {
    const sound = [user('hi'), call('t1'), result('t1'), assistant('done')];
    expect(repairMessages(sound)).toEqual(sound);
  });

  it('answers a call that lost its result with an error, by the same id each time', () => {
    const broken = [user('hi'), call('t1')];
    const [, , answer] = repairMessages(broken);
    expect(answer).toMatchObject({ role: 'tool', toolCallId: 't1', isError: true });
    expect(repairMessages(broken)[2]).toEqual(answer);
    expect(repairMessages([...broken, user('go on')])[2]).toEqual(answer);
  });

  it('keeps calls at the end pending on request, and only those', () => {
    const both = assistant([
      { type: 'tool-call', id: 't1', name: 'Read', input: {} },
      { type: 'tool-call', id: 't2', name: 'Read', input: {} },
    ]);
    const open = [call('t0'), user('on'), both, result('t2')];
    const kept = repairMessages(open, { keepsPending: true });
    expect(kept).toEqual([open[0], repairMessages(open)[1], ...open.slice(1)]);
    const continued = [...open, user('go on')];
    expect(repairMessages(continued, { keepsPending: true })).toEqual(repairMessages(continued));
  });

  it('puts the results of parallel calls into the order of the calls', () => {
    const both = assistant([
      { type: 'tool-call', id: 't1', name: 'Read', input: {} },
      { type: 'tool-call', id: 't2', name: 'Read', input: {} },
    ]);
    const [, first, second] = repairMessages([both, result('t2'), result('t1')]);
    expect([first, second]).toMatchObject([{ toolCallId: 't1' }, { toolCallId: 't2' }]);
  });

  it('leaves out results without a call and answers without content', () => {
    const hi = user('hi');
    const done = assistant('done');
    expect(repairMessages([hi, result('t9'), assistant([]), done])).toEqual([hi, done]);
  });

  it('keeps the results of later turns apart where a vendor numbers its calls again', () => {
    const messages = [call('call_0'), result('call_0', 'one'), call('call_0'), result('call_0', 'two')];
    expect(repairMessages(messages)).toEqual(messages);
  });

  it('makes every history one in which each call is followed by exactly its results', () => {
    const message = fc.oneof(
      fc.constant(0).map(() => user('x')),
      fc.constantFrom('a', 'b').map((id) => call(id)),
      fc.constantFrom('a', 'b').map((id) => result(id)),
      fc.constant(0).map(() => assistant([])),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
        const repaired = repairMessages(messages);
        const expected = repaired.flatMap((each) =>
          each.role === 'tool' ? [] : [each.role, ...toolCallsOf(each).map(({ id }) => id)],
        );
        expect(repaired.flatMap((each) => (each.role === 'tool' ? each.toolCallId : each.role))).toEqual(
          expected,
        );
        expect(repairMessages(repaired)).toEqual(repaired);
      }),
    );
  });
});
