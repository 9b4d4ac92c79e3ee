import { type Connection, type ModelProvider, streamAnswer } from '@robota-sdk/agent-core';
import { bearer } from '../wire/payload-decoder.ts';
import { chatRequest } from './chat-request.ts';
import { ChatStream } from './chat-stream.ts';

/** A provider for OpenAI's Chat Completions and everything compatible; how servers differ is in `model.compat`. */
export function createOpenAIChatProvider(connection: Connection): ModelProvider {
  return {
    vendor: connection.vendor,
    stream: (request) =>
      streamAnswer(
        {
          connection,
          request,
          path: '/chat/completions',
          headers: bearer(connection.apiKey),
          body: chatRequest(request),
        },
        new ChatStream(request, connection.vendor),
      ),
  };
}
