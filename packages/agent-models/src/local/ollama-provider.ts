import {
  type Connection,
  endWithError,
  isJsonObject,
  type JsonObject,
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
  parseJson,
  StreamFailure,
  streamEvents,
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
    stream: (request) => {
      const decoder = new OllamaStream({ vendor: connection.vendor, model: request.model.id });
      const { idleTimeoutMs } = connection;
      return endWithError(decode(connection, request, decoder), {
        usage: () => decoder.usage,
        idleTimeoutMs,
      });
    },
  });
}

/** The address of Ollama's own API, whose base URL is usually that of the compatible one. */
function ollamaRoot(baseUrl: string): string {
  return baseUrl.replace(/(?<!\/)\/+$/, '').replace(/\/(v1|api)$/, '');
}

async function* decode(
  connection: Connection,
  request: ModelRequest,
  decoder: OllamaStream,
): AsyncGenerator<readonly ModelEvent[]> {
  const lines = streamEvents({
    connection: { ...connection, baseUrl: ollamaRoot(connection.baseUrl) },
    request,
    path: '/api/chat',
    headers: connection.apiKey ? { authorization: `Bearer ${connection.apiKey}` } : {},
    body: ollamaRequest(request, connection.keepAlive),
    format: 'lines',
  });
  for await (const batch of lines) {
    const events: ModelEvent[] = [];
    try {
      for (const { data } of batch) events.push(...decoder.push(parseLine(data, connection.vendor)));
    } finally {
      // Emit the events that came before a broken part.
      yield events;
    }
    if (decoder.isDone) return;
  }
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

function parseLine(data: string, vendor: string): JsonObject {
  const parsed = parseJson(data);
  if (isJsonObject(parsed)) return parsed;
  throw new StreamFailure({
    code: 'protocol',
    message: `${vendor}: a part of the answer is not JSON, so the rest was given up. It begins: ${data.slice(0, 120)}`,
    retryable: true,
  });
}
