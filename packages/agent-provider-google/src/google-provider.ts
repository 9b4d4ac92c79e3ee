import {
  type Connection,
  endWithError,
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
  streamEvents,
} from '@robota-sdk/agent-core';
import { buildBody } from './build-body.ts';
import { ReplyReader } from './reply-reader.ts';

/** Makes a provider for the Gemini API (`streamGenerateContent`) or a server that speaks the same. */
export function createGoogleProvider(connection: Connection): ModelProvider {
  return {
    vendor: connection.vendor,
    stream(request) {
      const reader = new ReplyReader(connection.vendor, request.model.id);
      return endWithError(readReply(connection, request, reader), {
        usage: () => reader.usage,
        idleTimeoutMs: connection.idleTimeoutMs,
      });
    },
  };
}

async function* readReply(
  connection: Connection,
  request: ModelRequest,
  reader: ReplyReader,
): AsyncGenerator<ModelEvent | readonly ModelEvent[]> {
  try {
    const batches = streamEvents({
      connection,
      request,
      path: pathOf(connection.baseUrl, request.model.id),
      headers: connection.apiKey === undefined ? {} : { 'x-goog-api-key': connection.apiKey },
      body: buildBody(request, connection.vendor),
    });
    for await (const batch of batches) {
      const events: ModelEvent[] = [];
      try {
        for (const { data } of batch) for (const event of reader.read(data)) events.push(event);
      } finally {
        // Emit the events that came before a broken part.
        yield events;
      }
    }
  } catch (thrown) {
    // Once the finish reason is here the answer is whole, however the connection ends.
    if (!reader.isFinished || request.signal.aborted) throw thrown;
  }
  yield* reader.end();
}

function pathOf(baseUrl: string, modelId: string): string {
  const version = /\/v\d+(?:(?:alpha|beta)\d*)?\/*$/.test(baseUrl) ? '' : '/v1beta';
  const name = modelId
    .replace(/^models\//, '')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  const collection = name.includes('/') ? '' : 'models/';
  return `${version}/${collection}${name}:streamGenerateContent?alt=sse`;
}
