import {
  type Connection,
  findVendor,
  loadCatalogue,
  type Model,
  type ModelProvider,
  type ModelRequest,
  type ModelStream,
  streamAnswer,
} from '@robota-sdk/agent-core';
import { bearer } from '../wire/payload-decoder.ts';
import { chatRequest } from './chat-request.ts';
import { ChatStream } from './chat-stream.ts';
import type { BeginsInside } from './think-tags.ts';

/** A provider for OpenAI's Chat Completions and everything compatible; how servers differ is in `model.compat`. */
export function createOpenAIChatProvider(connection: Connection): ModelProvider {
  /** How the texts of a model begin, as its last answer showed. */
  const begins = new Map<string, BeginsInside>();
  return {
    vendor: connection.vendor,
    stream: async function* (request: ModelRequest): ModelStream & AsyncGenerator {
      const { id } = request.model;
      const decoder = new ChatStream(
        request,
        connection.vendor,
        begins.get(id) ?? beginning(request.model, connection),
      );
      yield* streamAnswer(
        {
          connection,
          request,
          path: '/chat/completions',
          headers: bearer(connection.apiKey),
          body: chatRequest(request),
        },
        decoder,
      );
      begins.set(id, decoder.begins);
    },
  };
}

/**
 * A server that its user runs may leave the thinking of a model in the text, where the template opened it before the
 * text. Vendors of the catalogue do not; llama.cpp and LM Studio tell whether a model thinks.
 */
function beginning({ id, compat, thinking }: Model, { vendor, baseUrl, account }: Connection): BeginsInside {
  if (compat?.thinkingFormat === 'think-tags') return 'unsure';
  const catalogue = loadCatalogue();
  const name = id.slice(id.lastIndexOf('/') + 1);
  const isVendors =
    account !== undefined ||
    findVendor(catalogue, vendor)?.baseUrl === baseUrl ||
    // A gateway to a vendor whose own API is another one.
    catalogue.models.some((known) => known.id === name && known.api !== 'openai' && known.api !== 'ollama');
  const isTold = compat?.server === 'llama.cpp' || compat?.server === 'lmstudio';
  return isVendors || (isTold && thinking === 'none') ? 'no' : 'unsure';
}
