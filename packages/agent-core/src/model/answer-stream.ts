import type { ModelEvent } from '../message/model-event.ts';
import type { Usage } from '../message/usage.ts';
import { isJsonObject, type JsonObject, parseJson } from '../shape/json.ts';
import { type EventStreamCall, endWithError, streamEvents } from './event-stream.ts';
import { StreamFailure } from './failure.ts';
import type { ModelStream } from './provider.ts';
import type { SseEvent } from './sse.ts';

/** Turns the events of one answer into model events. */
export interface AnswerDecoder {
  /** True once the vendor has ended the answer: later failures, except an interrupt, are ignored. */
  readonly isComplete: boolean;
  /** True after the last event; the rest is not read. */
  readonly isDone: boolean;
  /** Token usage reported so far. */
  readonly usage: Usage | undefined;
  /** Appends the events of one server event to `said`; throws a `StreamFailure` for an error the vendor reports. */
  push(event: SseEvent, said: ModelEvent[]): void;
  /** Appends the remaining events, the last of them `end`, unless the answer is incomplete. */
  finish(said: ModelEvent[]): void;
  /** Appends what was held back when the answer ends early. */
  abandon?(said: ModelEvent[]): void;
}

/** Sends a call and decodes its answer; every failure is the last event. */
export function streamAnswer(call: EventStreamCall, decoder: AnswerDecoder): ModelStream {
  const { idleTimeoutMs } = call.connection;
  return endWithError(decodeAnswer(call, decoder), { usage: () => decoder.usage, idleTimeoutMs });
}

/** Decodes an answer into one array of events per network chunk, the cheapest form. */
export async function* decodeAnswer(
  call: EventStreamCall,
  decoder: AnswerDecoder,
): AsyncGenerator<readonly ModelEvent[]> {
  try {
    for await (const batch of streamEvents(call)) {
      const said: ModelEvent[] = [];
      try {
        for (const event of batch) decoder.push(event, said);
      } finally {
        // Emit events that arrived before the failure.
        yield said;
      }
      if (decoder.isDone) break;
    }
  } catch (thrown) {
    if (!decoder.isComplete || isInterruption(thrown)) {
      const held: ModelEvent[] = [];
      decoder.abandon?.(held);
      if (held.length > 0) yield held;
      throw thrown;
    }
  }
  const said: ModelEvent[] = [];
  decoder.finish(said);
  yield said;
}

function isInterruption(thrown: unknown): boolean {
  return thrown instanceof StreamFailure && thrown.failure.code === 'aborted';
}

/** Parses the object of an event; anything else counts as empty. */
export function eventPayload({ data }: SseEvent, vendor: string): JsonObject {
  if (data.trim() === '') return {};
  const parsed = parseJson(data);
  if (parsed !== undefined) return isJsonObject(parsed) ? parsed : {};
  throw new StreamFailure({
    code: 'protocol',
    message: `${vendor}: a part of the answer is not valid JSON. It begins: ${data.slice(0, 120)}`,
    retryable: true,
  });
}
