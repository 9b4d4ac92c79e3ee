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
  /** Offer the vendor's own web search, where it has one. */
  readonly webSearch?: boolean;
  readonly maxOutput?: number;
  /** A grammar (GBNF) that the answer has to follow, for servers that take one. */
  readonly grammar?: string;
  /** The JSON Schema of an answer that needs no more tools; servers that can do so enforce it. */
  readonly answerSchema?: JsonObject;
  /** The slot of the server that keeps this conversation, for servers that have some. */
  readonly slot?: number;
  /** Ties requests of one conversation together for vendors that cache by key. */
  readonly sessionId?: string;
  readonly signal: AbortSignal;
}

/** A provider's stream: single events, or batches, which cost less. */
export type ModelStream = AsyncIterable<ModelEvent | readonly ModelEvent[]>;

/** One event after the other, however they came. */
export async function* eventsOf(stream: ModelStream): AsyncGenerator<ModelEvent> {
  for await (const said of stream) yield* batchOf(said);
}

/** A batch as a list. */
export function batchOf(said: ModelEvent | readonly ModelEvent[]): readonly ModelEvent[] {
  return 'length' in said ? said : [said];
}

/** As many events wait only where an answer comes faster than it is read. */
const burst = 64;

/**
 * Makes pieces of one text one piece where many came together: each is an event for all that listen. Joined at once, they
 * leave less for the garbage collector than added one by one.
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
 * The port to a model. `stream` never throws once it is iterated: failure is the last event.
 * One call is one HTTP exchange; retrying is the loop's business.
 */
export interface ModelProvider {
  readonly vendor: string;
  stream(request: ModelRequest): ModelStream;
  /** Has a server on this machine read a prompt before its end is written; absent where that would be of no use. */
  readonly readAhead?: ((request: ModelRequest) => Promise<void>) | undefined;
}
