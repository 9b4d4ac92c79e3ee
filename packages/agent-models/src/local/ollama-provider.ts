import {
  type Connection,
  type JsonObject,
  type ModelProvider,
  type ModelRequest,
  streamAnswer,
} from '@robota-sdk/agent-core';
import { enforcingSchema } from './answer-schema.ts';
import { ollamaMessages } from './ollama-messages.ts';
import { OllamaStream } from './ollama-stream.ts';

/** How long Ollama keeps a model in memory after an answer: long enough to read it and to type the next prompt. */
const defaultKeepAlive = '30m';

/**
 * A provider for Ollama's own API. Its OpenAI-compatible one has no field for the window, so that a long prompt would
 * be cut to Ollama's small default without a word.
 */
export function createOllamaProvider(connection: Connection): ModelProvider {
  return enforcingSchema({
    vendor: connection.vendor,
    stream: (request) =>
      streamAnswer(
        {
          connection: { ...connection, baseUrl: ollamaRoot(connection.baseUrl) },
          request,
          path: '/api/chat',
          headers: connection.apiKey ? { authorization: `Bearer ${connection.apiKey}` } : {},
          body: ollamaRequest(request, connection.keepAlive),
          format: 'lines',
        },
        new OllamaStream({ vendor: connection.vendor, model: request.model.id }),
      ),
  });
}

/** The address of Ollama's own API, whose base URL is usually that of the compatible one. */
function ollamaRoot(baseUrl: string): string {
  return baseUrl.replace(/(?<!\/)\/+$/, '').replace(/\/(v1|api)$/, '');
}

/**
 * The body of a chat request. `truncate` and `shift` are off: a conversation that does not fit is an error, after which
 * it is compacted, and never a conversation without its beginning.
 */
function ollamaRequest(request: ModelRequest, keepAlive = defaultKeepAlive): JsonObject {
  const { model, maxOutput, tools, answerSchema } = request;
  return {
    model: model.id,
    stream: true,
    keep_alive: keepAlive,
    truncate: false,
    shift: false,
    options: {
      num_ctx: model.contextWindow,
      ...(maxOutput === undefined ? {} : { num_predict: maxOutput }),
    },
    ...thinkField(request),
    ...(answerSchema === undefined ? {} : { format: answerSchema }),
    ...(tools.length === 0 || model.compat?.supportsTools === false
      ? {}
      : {
          tools: tools.map(({ name, description, input }) => ({
            type: 'function',
            function: { name, description, parameters: input },
          })),
        }),
    messages: ollamaMessages(request),
  };
}

/** A model that cannot think refuses the field. */
function thinkField({ model, thinking }: ModelRequest): JsonObject {
  if (model.thinking === 'none' || model.thinking === 'always') return {};
  if (model.thinking !== 'effort') return { think: thinking !== 'off' };
  const efforts = { off: false, minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high' };
  return { think: efforts[thinking] };
}
