import {
  type EventStreamCall,
  endWithError,
  isJsonObject,
  type JsonObject,
  type ModelEvent,
  type ModelStream,
  parseJson,
  StreamFailure,
  streamEvents,
  type Usage,
} from '@robota-sdk/agent-core';

/** Turns the payloads of one answer into model events. */
export interface AnswerDecoder {
  /** True if the vendor has said that the answer is whole; what breaks after that loses nothing. */
  complete: boolean;
  /** Token usage reported so far. */
  readonly usage: Usage | undefined;
  push(payload: JsonObject): readonly ModelEvent[];
  /** The stream is over: the last of these events is `end`, unless the answer is not whole. */
  finish(): readonly ModelEvent[];
}

/** Sends a call and decodes its answer; every failure is the last event. */
export function streamAnswer(call: EventStreamCall, decoder: AnswerDecoder): ModelStream {
  const { idleTimeoutMs } = call.connection;
  return endWithError(decodeAnswer(call, decoder), { usage: () => decoder.usage, idleTimeoutMs });
}

/** The `authorization` header of a connection that has a key. */
export function bearer(apiKey: string | undefined): Readonly<Record<string, string>> {
  return apiKey === undefined || apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
}

/** One array of events per network chunk, which is what costs least. */
async function* decodeAnswer(
  call: EventStreamCall,
  decoder: AnswerDecoder,
): AsyncGenerator<readonly ModelEvent[]> {
  try {
    for await (const batch of streamEvents(call)) {
      const events: ModelEvent[] = [];
      try {
        for (const { data } of batch)
          decodePayload(data, { decoder, events, vendor: call.connection.vendor });
      } finally {
        // Emit the events that came before a broken part.
        yield events;
      }
      if (batch.some(isDone)) break;
    }
  } catch (thrown) {
    if (!decoder.complete || !brokeLater(thrown)) throw thrown;
  }
  yield decoder.finish();
}

interface Decoding {
  readonly decoder: AnswerDecoder;
  readonly events: ModelEvent[];
  readonly vendor: string;
}

function decodePayload(data: string, { decoder, events, vendor }: Decoding): void {
  if (isDone({ data })) decoder.complete = true;
  else events.push(...decoder.push(parsePayload(data, vendor)));
}

function isDone({ data }: { readonly data: string }): boolean {
  return data.length < 10 && data.trim() === '[DONE]';
}

function parsePayload(data: string, vendor: string): JsonObject {
  if (data.trim() === '') return {};
  const parsed = parseJson(data);
  if (parsed !== undefined) return isJsonObject(parsed) ? parsed : {};
  const start = data.slice(0, 120);
  throw new StreamFailure({
    code: 'protocol',
    message: `${vendor}: a part of the answer is not JSON, so the rest was given up. It begins: ${start}`,
    retryable: true,
  });
}

function brokeLater(thrown: unknown): boolean {
  return thrown instanceof StreamFailure && ['network', 'stalled'].includes(thrown.failure.code);
}
