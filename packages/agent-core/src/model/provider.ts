import type { Message } from '../message/message.ts';
import type { ModelEvent } from '../message/model-event.ts';
import type { JsonObject } from '../shape/json.ts';
import type { Model, ThinkingLevel } from './model.ts';

/** A tool as the model sees it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
}

/** One call of a model. */
export interface ModelRequest {
  readonly model: Model;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly thinking: ThinkingLevel;
  /** Offers the vendor's own web search, if it has one. */
  readonly webSearch?: boolean;
  readonly maxOutput?: number;
  /** A grammar (GBNF) for the answer, for servers that support it. */
  readonly grammar?: string;
  /** The JSON Schema of an answer without tool calls; servers enforce it if they can. */
  readonly answerSchema?: JsonObject;
  /** Identifies the conversation for vendors that cache by key. */
  readonly sessionId?: string;
  readonly signal: AbortSignal;
}

/** A provider's stream: single events, or batches, which cost less. */
export type ModelStream = AsyncIterable<ModelEvent | readonly ModelEvent[]>;

/** Yields events one by one, even if they came in batches. */
export async function* eventsOf(stream: ModelStream): AsyncGenerator<ModelEvent> {
  for await (const said of stream) yield* batchOf(said);
}

/** A batch as an array. */
export function batchOf(said: ModelEvent | readonly ModelEvent[]): readonly ModelEvent[] {
  return 'length' in said ? said : [said];
}

/** So many events are pending only if an answer comes faster than it is read. */
const burst = 64;

/**
 * Merges deltas of one text that arrived together, because each is an event for all listeners. Joining them once
 * creates less garbage than appending one by one.
 */
export function joinDeltas(batch: readonly ModelEvent[]): readonly ModelEvent[] {
  if (batch.length < burst) return batch;
  const joined: ModelEvent[] = [];
  let open: Extract<ModelEvent, { type: 'text-delta' | 'thinking-delta' }> | undefined;
  let texts: string[] = [];
  for (const event of batch) {
    const isDelta = event.type === 'text-delta' || event.type === 'thinking-delta';
    if (isDelta && open?.type === event.type && open.index === event.index) {
      texts.push(event.text);
      continue;
    }
    if (open) joined.push({ ...open, text: texts.join('') });
    if (!isDelta) joined.push(event);
    open = isDelta ? event : undefined;
    texts = isDelta ? [event.text] : [];
  }
  if (open) joined.push({ ...open, text: texts.join('') });
  return joined;
}

/**
 * Interface to a model. `stream` never throws during iteration: failure is the last event. One call is one HTTP
 * exchange; the loop retries.
 */
export interface ModelProvider {
  readonly vendor: string;
  stream(request: ModelRequest): ModelStream;
  /** Lets a local server read a prompt before it is complete; absent if that would not help. */
  readonly readAhead?: ((request: ModelRequest) => Promise<void>) | undefined;
  /** Encodes a conversation that later requests start with, and sends nothing; absent if requests cannot reuse it. */
  readonly prepare?: ((request: ModelRequest) => Promise<void>) | undefined;
}
