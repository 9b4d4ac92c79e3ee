import type { JsonObject } from '@robota-sdk/agent-core';
import { conforms } from './conforms.ts';
import {
  jsonReply,
  type ModelServer,
  type RecordedRequest,
  type Reply,
  startModelServer,
} from './model-server.ts';
import { openaiChatReply } from './openai-chat-replies.ts';

/** A model that a fake Ollama has. */
export interface OllamaModel {
  readonly name: string;
  /** The window it was trained with; 131,072 tokens unless given. */
  readonly trained?: number;
  /** `completion` and `tools` unless given. */
  readonly capabilities?: readonly string[];
  /** `PARAMETER` lines of its Modelfile, such as `num_ctx 8192`. */
  readonly parameters?: string;
}

/** The part of a prompt that is left when it was cut to the window. */
export interface SeenPrompt {
  readonly model: string;
  readonly numCtx: number;
  readonly text: string;
  /** Tools whose definition is still there as a whole. */
  readonly tools: readonly string[];
}

export interface OllamaAnswer {
  readonly thinking?: string;
  readonly text?: string;
  /** Texts that the model would write where a format forbids `text`, the most likely first. */
  readonly otherwise?: readonly string[];
  readonly calls?: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[];
}

export interface FakeOllamaOptions {
  readonly models: readonly OllamaModel[];
  answer(seen: SeenPrompt): OllamaAnswer;
  /** OLLAMA_CONTEXT_LENGTH of the server; 4,096 unless given. */
  readonly contextLength?: number;
}

/** A fake Ollama, and what it was asked. */
export interface FakeOllama extends ModelServer {
  /** The prompts that its models saw. */
  readonly seen: readonly SeenPrompt[];
  /** The window and the lifetime with which each loaded model runs. */
  readonly loaded: ReadonlyMap<string, { readonly numCtx: number; readonly keepAlive: string }>;
}

const charactersPerToken = 4;

interface ChatBody {
  readonly model?: string;
  readonly messages?: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly { readonly function?: { readonly name?: string } }[];
  readonly options?: { readonly num_ctx?: number };
  readonly think?: unknown;
  readonly format?: JsonObject;
  readonly truncate?: boolean;
  readonly keep_alive?: string;
}

/**
 * Starts a server that behaves as Ollama does: a prompt longer than the window loses its oldest messages without a
 * word, and is refused if the newest do not fit; the OpenAI-compatible endpoint has no way to ask for a larger window.
 */
export async function startFakeOllama({
  models,
  answer,
  contextLength = 4_096,
}: FakeOllamaOptions): Promise<FakeOllama> {
  const server = await startModelServer();
  const seen: SeenPrompt[] = [];
  const loaded = new Map<string, { numCtx: number; keepAlive: string }>();
  const find = (name = '') => models.find((model) => model.name === name || model.name === `${name}:latest`);

  const run = (body: ChatBody, numCtx: number): OllamaAnswer | Reply => {
    const model = find(body.model);
    if (!model) return jsonReply(404, { error: `model '${body.model}' not found` });
    const { capabilities = ['completion', 'tools'] } = model;
    if (body.tools?.length && !capabilities.includes('tools'))
      return jsonReply(400, { error: `registry.ollama.ai/library/${model.name} does not support tools` });
    if (body.think !== undefined && body.think !== false && !capabilities.includes('thinking'))
      return jsonReply(400, { error: `"${model.name}" does not support thinking` });
    const window = Math.min(numCtx, model.trained ?? 131_072);
    loaded.set(model.name, { numCtx: window, keepAlive: body.keep_alive ?? '5m' });
    const text = fitted(body, window);
    if (text === undefined) return jsonReply(400, { error: JSON.stringify({ error: tooLong(window) }) });
    const tools = (body.tools ?? []).filter((tool) => text.includes(JSON.stringify(tool)));
    const prompt = {
      model: model.name,
      numCtx: window,
      text,
      tools: tools.flatMap((tool) => tool.function?.name ?? []),
    };
    seen.push(prompt);
    return formatted(answer(prompt), body.format);
  };
  const answerTo = (request: RecordedRequest) => route(request, { models, find, run, loaded, contextLength });
  server.handle(answerTo);
  server.handleQuestions(answerTo);
  return { ...server, seen, loaded };
}

/** A format holds from the first token on: what does not conform to it cannot be written, and neither can a call. */
function formatted(answer: OllamaAnswer, format: JsonObject | undefined): OllamaAnswer {
  if (!format) return answer;
  const wishes = [answer.text ?? '', ...(answer.otherwise ?? [])];
  return { text: wishes.find((wish) => conforms(wish, format)) ?? '' };
}

interface Routing extends Pick<FakeOllamaOptions, 'models'> {
  readonly contextLength: number;
  readonly loaded: ReadonlyMap<string, { readonly numCtx: number }>;
  find(name?: string): OllamaModel | undefined;
  run(body: ChatBody, numCtx: number): OllamaAnswer | Reply;
}

function route({ method, path, body }: RecordedRequest, routing: Routing): Reply {
  const { models, find, run, loaded, contextLength } = routing;
  const sent = (body ?? {}) as ChatBody;
  const model = find(sent.model);
  const windowOf = Number(/num_ctx\s+(\d+)/.exec(model?.parameters ?? '')?.[1] ?? contextLength);
  switch (`${method} ${path}`) {
    case 'GET /api/version':
      return jsonReply(200, { version: '0.12.0' });
    case 'GET /api/tags':
      return jsonReply(200, { models: models.map(({ name }) => ({ name, model: name })) });
    case 'GET /v1/models':
      return jsonReply(200, { object: 'list', data: models.map(({ name }) => ({ id: name })) });
    case 'GET /api/ps':
      return jsonReply(200, {
        models: [...loaded].map(([name, { numCtx }]) => ({ name, model: name, context_length: numCtx })),
      });
    case 'POST /api/show':
      return model ? jsonReply(200, shown(model)) : jsonReply(404, { error: 'model not found' });
    case 'POST /v1/chat/completions': {
      const said = run(sent, windowOf);
      if ('chunks' in said) return said;
      const { text = '', calls = [] } = said;
      return openaiChatReply({ text: pieces(text), calls });
    }
    case 'POST /api/chat': {
      const said = run(sent, sent.options?.num_ctx ?? windowOf);
      return 'chunks' in said ? said : ollamaReply(said, sent.model);
    }
    default:
      return { status: 404, headers: { 'content-type': 'text/plain' }, chunks: ['404 page not found'] };
  }
}

function shown({ trained = 131_072, capabilities = ['completion', 'tools'], parameters = '' }: OllamaModel) {
  return {
    parameters,
    capabilities,
    details: { format: 'gguf', family: 'tiny' },
    model_info: { 'general.architecture': 'tiny', 'tiny.context_length': trained },
  };
}

/** The error of the llama.cpp that runs the model, which Ollama passes on as text. */
function tooLong(window: number): JsonObject {
  const message = `request exceeds the available context size (${window} tokens), try increasing it`;
  return { code: 400, message, type: 'exceed_context_size_error', n_ctx: window };
}

/** The prompt without its oldest messages; undefined where it does not fit the window, or must not be cut. */
function fitted(
  { messages = [], tools = [], truncate = true }: ChatBody,
  window: number,
): string | undefined {
  const limit = window * charactersPerToken;
  const definitions = tools.map((tool) => JSON.stringify(tool)).join('\n');
  for (let from = 0; from < Math.max(1, truncate ? messages.length : 1); from++) {
    const kept = messages.filter(({ role }, index) => role === 'system' || index >= from);
    const text = [definitions, ...kept.map((message) => JSON.stringify(message))].join('\n');
    if (text.length <= limit) return text;
  }
  return undefined;
}

/** A whole answer of Ollama, one line for each piece. */
export function ollamaReply({ thinking = '', text = '', calls = [] }: OllamaAnswer, model = 'tiny'): Reply {
  const part = (message: object) => ({
    model,
    message: { role: 'assistant', content: '', ...message },
    done: false,
  });
  const parts = [
    ...pieces(thinking).map((piece) => part({ thinking: piece })),
    ...pieces(text).map((piece) => part({ content: piece })),
    ...calls.map(({ name, input }, index) =>
      part({ tool_calls: [{ id: `call_${index}`, function: { index, name, arguments: input } }] }),
    ),
    {
      model,
      message: { role: 'assistant', content: '' },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 20,
      eval_count: 5,
    },
  ];
  return {
    headers: { 'content-type': 'application/x-ndjson' },
    chunks: parts.map((each) => `${JSON.stringify(each)}\n`),
  };
}

function pieces(text: string): string[] {
  return text === '' ? [] : text.split(/(?<= )/);
}
