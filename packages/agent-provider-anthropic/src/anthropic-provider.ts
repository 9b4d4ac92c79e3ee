import {
  type Connection,
  decodeAnswer,
  type EventStreamCall,
  encodeBody,
  endWithError,
  isSameModel,
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
  StreamFailure,
} from '@robota-sdk/agent-core';
import { type BuiltRequest, buildRequest } from './build-request.ts';
import { MessageDecoder } from './message-decoder.ts';

const apiVersion = '2023-06-01';
/** Lets models with a thinking budget think between tool calls too; models that don't know it ignore it. */
const interleavedThinking = 'interleaved-thinking-2025-05-14';

/** Speaks the Anthropic Messages API over a connection. */
export function createAnthropicProvider(connection: Connection): ModelProvider {
  const refusedThinking = new Set<string>();
  return {
    vendor: connection.vendor,
    stream: (request) => {
      const decoder = new MessageDecoder({ vendor: connection.vendor, model: request.model.id });
      return endWithError(answer({ connection, request, decoder, refusedThinking }), {
        usage: () => decoder.usage,
        idleTimeoutMs: connection.idleTimeoutMs,
      });
    },
  };
}

/** Builds and encodes a conversation; requests that begin with the same messages reuse it. */
export function prepareAnthropicRequest(request: ModelRequest): void {
  encodeBody(buildRequest(request, new Set()).body);
}

interface Exchange {
  readonly connection: Connection;
  readonly request: ModelRequest;
  readonly decoder: MessageDecoder;
  /** Ids of messages whose thinking was refused, for as long as the provider lives. */
  readonly refusedThinking: Set<string>;
}

/**
 * Signed thinking holds only behind the conversation it was made in: after a compaction or a changed prompt the API may
 * refuse it, and would refuse every later request as well. Nothing has been said then, so the call is made once more
 * without it.
 */
async function* answer(exchange: Exchange): AsyncGenerator<readonly ModelEvent[]> {
  const { request, decoder, refusedThinking } = exchange;
  const built = buildRequest(request, refusedThinking);
  try {
    yield* decodeAnswer(callFor(exchange, built), decoder);
  } catch (thrown) {
    if (!built.containsThinking || !isThinkingRefusal(thrown)) throw thrown;
    for (const message of request.messages) {
      if (message.role !== 'assistant' || !isSameModel(message.model, request.model)) continue;
      refusedThinking.add(message.id);
    }
    yield* decodeAnswer(callFor(exchange, buildRequest(request, refusedThinking)), decoder);
  }
}

function isThinkingRefusal(thrown: unknown): boolean {
  if (!(thrown instanceof StreamFailure) || thrown.failure.status !== 400) return false;
  return /thinking/.test(thrown.message) && /signature|block/.test(thrown.message);
}

function callFor(exchange: Exchange, built: BuiltRequest): EventStreamCall {
  const connection = withBetas(exchange.connection, built);
  const headers = {
    'anthropic-version': apiVersion,
    ...(connection.apiKey === undefined ? {} : { 'x-api-key': connection.apiKey }),
  };
  const path = pathBehind(connection.baseUrl);
  return { connection, request: exchange.request, path, headers, body: built.body };
}

/** Betas the user asked for stay beside ours. */
function withBetas(connection: Connection, { interleavesThinking }: BuiltRequest): Connection {
  if (!interleavesThinking) return connection;
  const given = connection.headers?.['anthropic-beta'];
  const betas = given ? `${given},${interleavedThinking}` : interleavedThinking;
  return { ...connection, headers: { ...connection.headers, 'anthropic-beta': betas } };
}

/** The base URL may or may not include the version. */
function pathBehind(baseUrl: string): string {
  return /\/v1\/*$/.test(baseUrl) ? '/messages' : '/v1/messages';
}
