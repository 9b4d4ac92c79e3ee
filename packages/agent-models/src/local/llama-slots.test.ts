import { createMessage, eventsOf, type ModelEvent } from '@robota-sdk/agent-core';
import { type FakeLlama, startFakeLlama, testModel } from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inSlots } from './llama-slots.ts';

let server: FakeLlama;

beforeEach(async () => {
  server = await startFakeLlama({ window: 8192, slots: 2, answer: () => ['Yes.'] });
});

afterEach(() => server.close());

async function opened(at = server) {
  const { createOpenAIChatProvider } = await import('@robota-sdk/agent-provider-openai');
  const connection = { vendor: 'llama.cpp', baseUrl: `${at.url}/v1` };
  const provider = inSlots(createOpenAIChatProvider(connection), connection);
  const model = testModel({ compat: { server: 'llama.cpp' } });
  return async (
    text: string,
    sessionId?: string,
    system = 'You are careful. ',
  ): Promise<readonly ModelEvent[]> => {
    const events: ModelEvent[] = [];
    const stream = provider.stream({
      model,
      system: system.repeat(40),
      messages: [createMessage({ role: 'user', content: [{ type: 'text', text }] }, null)],
      tools: [],
      thinking: 'off',
      signal: new AbortController().signal,
      ...(sessionId === undefined ? {} : { sessionId }),
    });
    for await (const event of eventsOf(stream)) events.push(event);
    return events;
  };
}

describe('inSlots', () => {
  it('gives each conversation a slot of its own, and comes back to it', async () => {
    const ask = await opened();
    await ask('One?', 'main');
    await ask('Two?', 'agent');
    await ask('One? And more?', 'main');
    const [first, second, third] = server.uses;
    expect(second?.slot).not.toBe(first?.slot);
    expect(third).toMatchObject({ slot: first?.slot });
    expect(third?.cached).toBeGreaterThan(0);
  });

  it('lets a server that empties idle slots find the conversation itself', async () => {
    const unified = await startFakeLlama({ window: 8192, slots: 4, kvUnified: true, answer: () => ['Yes.'] });
    try {
      const ask = await opened(unified);
      await ask('One?', 'main');
      await ask('Name this.', undefined, 'Titles are short. ');
      await ask('One? And more?', 'main');
      await ask('Two?', 'agent', 'Agents are quick. ');
      await ask('One? And much more?', 'main');
      const later = await opened(unified);
      await later('One? And much more than that?', 'resumed');
      const [, , second, , third, resumed] = unified.uses;
      for (const use of [second, third, resumed])
        expect(use?.cached, JSON.stringify(use)).toBeGreaterThan(0.9 * (use?.total ?? 0));
      const pinned = unified.requests.map(
        ({ body }) => body !== null && Object.hasOwn(Object(body), 'id_slot'),
      );
      expect(pinned).toEqual([true, false, false, false, false, false]);
    } finally {
      await unified.close();
    }
  });

  it('stops asking for the slots once they are known to keep their prompts', async () => {
    const ask = await opened();
    for (const [text, id] of [
      ['One?', 'main'],
      ['Two?', 'agent'],
      ['One? And more?', 'main'],
      ['One? And more? And?', 'main'],
      ['Two? And?', 'agent'],
    ] as const)
      await ask(text, id);
    expect(server.uses.map(({ slot }) => slot)).toEqual([0, 1, 0, 0, 1]);
    const asked = server.questions.map(({ path }) => path).filter((path) => path.startsWith('/slots'));
    expect(asked).toEqual(Array(3).fill('/slots?model=test-model'));
  });

  it('leaves requests that belong to no conversation to the server', async () => {
    const ask = await opened();
    await ask('A title?');
    expect(server.requests[0]?.body).not.toHaveProperty('id_slot');
  });

  it('tells how far the prompt was read, without the part that the slot still had', async () => {
    const ask = await opened();
    const progress = (events: readonly ModelEvent[]) =>
      events.flatMap((event) => (event.type === 'prompt-progress' ? [event.processed / event.total] : []));
    const first = progress(await ask('Tell me a long story, please, about a tram.', 'main'));
    expect(first[0]).toBe(0);
    expect(first.at(-1)).toBe(1);
    expect(first).toEqual(first.toSorted((a, b) => a - b));
    const again = await ask('Tell me a long story, please, about a tram in the rain.', 'main');
    const [start] = again.filter(({ type }) => type === 'prompt-progress');
    const { cached = 0, total = 0 } = server.uses.at(-1) ?? {};
    expect(start).toMatchObject({ processed: 0, total: total - cached });
  });
});
