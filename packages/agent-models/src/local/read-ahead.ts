import { createMessage, eventsOf, type ModelProvider, type ModelRequest } from '@robota-sdk/agent-core';

/** The prompt that each server was last asked to read ahead. */
const latest = new WeakMap<ModelProvider, string>();

/**
 * Has a server read the system prompt, the tools and the conversation, so that it has them when the next message comes. A
 * message stands for that one, since templates want one at the end. The same prompt is read ahead once; failures do no harm.
 */
export async function readAhead(provider: ModelProvider, request: ModelRequest): Promise<void> {
  const known = nameOf(request);
  if (request.signal.aborted || latest.get(provider) === known) return;
  latest.set(provider, known);
  const { messages } = request;
  const next = createMessage(
    { role: 'user', content: [{ type: 'text', text: '.' }] },
    messages.at(-1)?.id ?? null,
  );
  try {
    const stream = provider.stream({ ...request, messages: [...messages, next], maxOutput: 1 });
    for await (const _ of eventsOf(stream)) if (request.signal.aborted) return;
  } catch {
    // The real request will tell.
  }
}

/** Tells prompts apart without their whole text: a message never changes. */
function nameOf({ model, system, tools, thinking, messages, sessionId = '' }: ModelRequest): string {
  const names = tools.map(({ name }) => name);
  return JSON.stringify([sessionId, model.id, thinking, system, names, messages.map(({ id }) => id)]);
}
