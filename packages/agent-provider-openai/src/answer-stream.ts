import {
  type EventStreamCall,
  endWithError,
  isJsonObject,
  type JsonObject,
  type ModelEvent,
  StreamFailure,
  streamEvents,
  type Usage,
} from '@robota-sdk/agent-core';

/** Turns the payloads of one answer into model events. */
export interface AnswerDecoder {
  /** Whether the vendor has said that the answer is whole; what breaks after that loses nothing. */
  complete: boolean;
  /** What the vendor has counted so far. */
  readonly usage: Usage | undefined;
  push(payload: JsonObject): readonly ModelEvent[];
  /** The stream is over: the last of these events is `end`, unless the answer is not whole. */
  finish(): readonly ModelEvent[];
}

/** Sends a call and decodes its answer; every failure is the last event. */
export function streamAnswer(call: EventStreamCall, decoder: AnswerDecoder): AsyncIterable<ModelEvent> {
  return endWithError(decodeAnswer(call, decoder), () => decoder.usage);
}

/** The `authorization` header of a connection that has a key. */
export function bearer(apiKey: string | undefined): Readonly<Record<string, string>> {
  return apiKey === undefined || apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
}

async function* decodeAnswer(call: EventStreamCall, decoder: AnswerDecoder): AsyncGenerator<ModelEvent> {
  try {
    // The stream is read to its end, so that the connection can be used again for the next turn.
    for await (const batch of streamEvents(call)) {
      for (const { data } of batch) {
        if (data.trim() === '[DONE]') decoder.complete = true;
        else for (const event of decoder.push(parsePayload(data, call.connection.vendor))) yield event;
      }
    }
  } catch (thrown) {
    if (!decoder.complete || !brokeLater(thrown)) throw thrown;
  }
  yield* decoder.finish();
}

function parsePayload(data: string, vendor: string): JsonObject {
  if (data.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(data);
    return isJsonObject(parsed) ? parsed : {};
  } catch {
    const start = data.slice(0, 120);
    throw new StreamFailure({
      code: 'protocol',
      message: `${vendor}: a part of the answer is not JSON, so the rest was given up. It begins: ${start}`,
      retryable: true,
    });
  }
}

function brokeLater(thrown: unknown): boolean {
  return thrown instanceof StreamFailure && ['network', 'stalled'].includes(thrown.failure.code);
}
