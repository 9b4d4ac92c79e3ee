import {
  type AssistantContent,
  createMessage,
  eventsOf,
  MessageAssembler,
  type ModelEvent,
  type ModelRequest,
  type ModelStream,
} from '@robota-sdk/agent-core';
import { testModel } from './test-run.ts';

/** A request with one short message and no tools. */
export function testRequest(extra: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: testModel(),
    system: 'Be brief.',
    messages: [createMessage({ role: 'user', content: [{ type: 'text', text: 'hello' }] }, null)],
    tools: [],
    thinking: 'off',
    signal: new AbortController().signal,
    ...extra,
  };
}

/** Reads a stream to its end. */
export async function collectEvents(stream: ModelStream): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of eventsOf(stream)) events.push(event);
  return events;
}

/** The content of the assistant message that the events describe. */
export function contentOf(events: readonly ModelEvent[]): readonly AssistantContent[] {
  const assembler = new MessageAssembler();
  for (const event of events) assembler.add(event);
  return assembler.content();
}
