import { type Message, type ModelChoice, noUsage, type ToolSpec } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { assistant, user } from '../fixtures/messages.ts';
import { scriptedModel } from '../fixtures/scripted-model.ts';
import { type PrefixLoss, PrefixWatch } from './prefix-watch.ts';

const tool = (name: string, description = name): ToolSpec => ({
  name,
  description,
  input: { type: 'object' },
});

function watching() {
  const found: PrefixLoss[] = [];
  const watch = new PrefixWatch((each) => found.push(each));
  const [choice] = watch.watch([scriptedModel([])]);
  const ask = (
    messages: readonly Message[],
    extra: {
      system?: string;
      tools?: readonly ToolSpec[];
      choice?: ModelChoice;
      thinking?: 'off' | 'high';
    } = {},
  ) => {
    const { system = 's', tools = [tool('Read')], thinking = 'off' } = extra;
    const { provider, model } = extra.choice ?? choice;
    provider.stream({ model, system, tools, thinking, messages, signal: new AbortController().signal });
  };
  /** Asks, and gets an answer that used no cache. */
  const talk: typeof ask = (messages, extra) => {
    ask(messages, extra);
    watch.settle(noUsage);
  };
  return { watch, found, ask, talk };
}

describe('PrefixWatch', () => {
  const history = [user('a'), assistant('b')];
  const longer = [...history, user('c')];

  it('says nothing while a conversation only grows, also when its messages were read again', () => {
    const { found, talk } = watching();
    talk(history);
    talk(longer);
    talk(structuredClone([...longer, assistant('d')]));
    expect(found).toEqual([]);
  });

  it('takes no offence at a broken answer that is asked to continue', () => {
    const { found, talk } = watching();
    const broken = assistant('half', { stopReason: 'error' });
    talk(longer);
    talk([...longer, broken, user('go on', { origin: 'reminder' })]);
    talk([...longer, assistant('half and whole'), user('next')]);
    expect(found).toEqual([]);
  });

  it('says which part of a request changed', () => {
    const { watch, found, talk } = watching();
    talk(longer);
    talk(longer, { system: 'other' });
    talk(longer, { system: 'other', tools: [tool('Read', 'new'), tool('Bash')] });
    talk([user('x'), ...longer.slice(1)], { system: 'other', tools: [tool('Read', 'new'), tool('Bash')] });
    watch.rewrite('compaction');
    talk(history, { system: 'other', tools: [tool('Bash'), tool('Read', 'new')] });
    expect(found).toMatchObject([
      { reason: 'system prompt changed' },
      { reason: 'tools changed', detail: 'Bash added, Read changed' },
      { reason: 'history rewritten', detail: 'moved to another place, from message 1 of 3 on' },
      { reason: 'tools changed', detail: 'another order' },
    ]);
    expect(watch.lastBreak).toMatchObject({ reason: 'tools changed', detail: 'another order' });
  });

  it('names the cause it was told, the model and the thinking', () => {
    const { watch, found, talk } = watching();
    talk(longer);
    watch.rewrite('pruning');
    talk([history[0] ?? user('a'), assistant('pruned')]);
    talk([history[0] ?? user('a'), assistant('pruned')], { thinking: 'high' });
    const { model, provider } = scriptedModel([]);
    const [other] = watch.watch([{ model: { ...model, id: 'other' }, provider }]);
    talk(longer, { choice: other });
    expect(found).toMatchObject([
      { reason: 'history rewritten', detail: 'pruning, from message 2 of 3 on' },
      { reason: 'thinking changed', detail: 'from off to high' },
      { reason: 'model changed', detail: 'from test/scripted to test/other' },
    ]);
  });

  it('tells a cache that the vendor released from one that we broke', () => {
    const { watch, found, ask } = watching();
    const usage = { input: 10, output: 1, cacheRead: 0, cacheWrite: 0 };
    ask(history);
    watch.settle({ ...usage, cacheWrite: 5_000 });
    ask(longer);
    watch.settle({ ...usage, cacheRead: 5_000 });
    expect(found).toEqual([]);
    ask([...longer, assistant('d')]);
    watch.settle({ ...usage, cacheWrite: 5_100 });
    expect(found).toMatchObject([{ reason: 'provider expired' }]);
    ask(history, { system: 'other' });
    watch.settle({ ...usage, cacheWrite: 5_100 });
    expect(found.map(({ reason }) => reason)).toEqual(['provider expired', 'system prompt changed']);
  });

  it('says how many tokens a break sent again, and what that cost above the cache', () => {
    const { watch, found, ask } = watching();
    const { model, provider } = scriptedModel([]);
    const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
    const [choice] = watch.watch([{ model: { ...model, price }, provider }]);
    ask(history, { choice });
    watch.settle({ ...noUsage, cacheWrite: 100_000 });
    ask(longer, { choice, tools: [tool('Bash')] });
    expect(found).toEqual([]);
    watch.settle({ ...noUsage, cacheWrite: 101_000 });
    expect(found).toMatchObject([{ reason: 'tools changed', tokens: 100_000, model: 'test/scripted' }]);
    expect(found[0]?.cost).toBeCloseTo((100_000 * (3.75 - 0.3)) / 1_000_000);
  });

  it('compares the first request of a process with the last answer of the session', () => {
    const usage = { ...noUsage, cacheWrite: 50_000 };
    const from = { vendor: 'test', id: 'scripted', api: 'openai' } as const;
    const before = (age: number, model: string = from.id) =>
      assistant('b', { usage, timestamp: Date.now() - age, model: { ...from, id: model } });
    const reasons = [before(3_600_000), before(1_000), before(1_000, 'older')].map((last) => {
      const { watch, found, ask } = watching();
      ask([user('a'), last, user('c')]);
      watch.settle({ ...noUsage, cacheWrite: 50_000 });
      return found.map(({ reason, tokens }) => [reason, tokens]);
    });
    expect(reasons).toEqual([
      [['provider expired', 50_000]],
      [['session resumed', 50_000]],
      [['model changed', 50_000]],
    ]);
    const { watch, found, ask } = watching();
    ask([user('a'), before(1_000), user('c')]);
    watch.settle({ ...noUsage, cacheRead: 50_000 });
    expect(found).toEqual([]);
  });
});
