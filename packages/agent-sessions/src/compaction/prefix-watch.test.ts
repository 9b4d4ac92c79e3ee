import type { Message, ModelChoice, ToolSpec } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { assistant, user } from '../fixtures/messages.ts';
import { scriptedModel } from '../fixtures/scripted-model.ts';
import { type PrefixBreak, PrefixWatch } from './prefix-watch.ts';

const tool = (name: string, description = name): ToolSpec => ({
  name,
  description,
  input: { type: 'object' },
});

function watching() {
  const found: PrefixBreak[] = [];
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
  return { watch, found, ask };
}

describe('PrefixWatch', () => {
  const history = [user('a'), assistant('b')];
  const longer = [...history, user('c')];

  it('says nothing while a conversation only grows, also when its messages were read again', () => {
    const { found, ask } = watching();
    ask(history);
    ask(longer);
    ask(structuredClone([...longer, assistant('d')]));
    expect(found).toEqual([]);
  });

  it('takes no offence at a broken answer that is asked to continue', () => {
    const { found, ask } = watching();
    const broken = assistant('half', { stopReason: 'error' });
    ask(longer);
    ask([...longer, broken, user('go on', { origin: 'reminder' })]);
    ask([...longer, assistant('half and whole'), user('next')]);
    expect(found).toEqual([]);
  });

  it('says which part of a request changed', () => {
    const { watch, found, ask } = watching();
    ask(longer);
    ask(longer, { system: 'other' });
    ask(longer, { system: 'other', tools: [tool('Read', 'new'), tool('Bash')] });
    ask([user('x'), ...longer.slice(1)], { system: 'other', tools: [tool('Read', 'new'), tool('Bash')] });
    watch.rewrite('compaction');
    ask(history, { system: 'other', tools: [tool('Bash'), tool('Read', 'new')] });
    expect(found).toMatchObject([
      { reason: 'system prompt changed' },
      { reason: 'tools changed', detail: 'Bash added, Read changed' },
      { reason: 'history rewritten', detail: 'moved to another place, from message 1 of 3 on' },
      { reason: 'tools changed', detail: 'another order' },
    ]);
    expect(watch.lastBreak).toBe(found.at(-1));
  });

  it('names the cause it was told, the model and the thinking', () => {
    const { watch, found, ask } = watching();
    ask(longer);
    watch.rewrite('pruning');
    ask([history[0] ?? user('a'), assistant('pruned')]);
    ask([history[0] ?? user('a'), assistant('pruned')], { thinking: 'high' });
    const { model, provider } = scriptedModel([]);
    const [other] = watch.watch([{ model: { ...model, id: 'other' }, provider }]);
    ask(longer, { choice: other });
    expect(found).toMatchObject([
      { reason: 'history rewritten', detail: 'pruning, from message 2 of 3 on' },
      { reason: 'thinking changed', detail: 'from off to high' },
      { reason: 'model changed', detail: 'from test/scripted to test/other' },
    ]);
  });

  it('tells a cache that the vendor let go of from one that we broke', () => {
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
});
