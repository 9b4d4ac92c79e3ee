import { type Connection, type ModelProvider, streamAnswer } from '@robota-sdk/agent-core';
import { bearer } from '../wire/payload-decoder.ts';
import { responsesRequest } from './responses-request.ts';
import { ResponsesStream } from './responses-stream.ts';

/** A provider for OpenAI's Responses API; nothing is stored there, thinking is carried along encrypted. */
export function createOpenAIResponsesProvider(connection: Connection): ModelProvider {
  return {
    vendor: connection.vendor,
    stream: (request) =>
      streamAnswer(
        {
          connection,
          request,
          path: '/responses',
          headers: bearer(connection.apiKey),
          body: responsesRequest(request),
        },
        new ResponsesStream(request, connection.vendor),
      ),
  };
}
