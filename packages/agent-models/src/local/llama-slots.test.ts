import { createMessage, eventsOf, type ModelEvent } from '@robota-sdk/agent-core';
import { type FakeLlama, startFakeLlama, testModel } from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inSlots } from './llama-slots.ts';

let server: FakeLlama;

beforeEach(async () => {
  server = await startFakeLlama({ window: 8192, slots: 2, answer: () => ['Yes.'] });
});

afterEach(() => server.close());

async function opened() {
  const { createOpenAIChatProvider } = await import('@robota-sdk/agent-provider-openai');
  const connection = { vendor: 'llama.cpp', baseUrl: `${server.url}/v1` };
  const provider = inSlots(createOpenAIChatProvider(connection), connection);
  const model = testModel({ compat: { server: 'llama.cpp' } });
  return async (text: string, sessionId?: string): Promise<readonly ModelEvent[]> => {
    const events: ModelEvent[] = [];
    const stream = provider.stream({
      model,
      system: 'You are careful. '.repeat(40),
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
