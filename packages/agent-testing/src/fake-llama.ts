import type { JsonObject } from '@robota-sdk/agent-core';
import { conforms } from './conforms.ts';
import { Gbnf } from './gbnf.ts';
import {
  eventStream,
  jsonReply,
  type ModelServer,
  type RecordedRequest,
  type Reply,
  sse,
  startModelServer,
} from './model-server.ts';

export interface FakeLlamaOptions {
  /** Tokens. */
  readonly window: number;
  /** The Jinja template of the model, of which clients read what it can do. */
  readonly template?: string;
  readonly supportsTools?: boolean;
  /** Texts that the model would like to write, the most likely first; a grammar makes it take the next one that fits. */
  answer(prompt: string): readonly string[];
}

/** One prompt as the server read it. */
export interface PromptUse {
  /** Tokens that the server still had from before, and all. */
  readonly cached: number;
  readonly total: number;
  readonly written: string;
}

export interface FakeLlama extends ModelServer {
  readonly uses: readonly PromptUse[];
}

interface ChatBody {
  readonly messages?: readonly unknown[];
  readonly tools?: readonly unknown[];
  readonly grammar?: string;
  readonly response_format?: { readonly json_schema?: { readonly schema?: JsonObject } };
  readonly cache_prompt?: boolean;
  readonly return_progress?: boolean;
}

const charactersPerToken = 4;
/** The name of a model is the path of its file, unless the server was given an alias. */
const modelFile = '/models/tiny.gguf';
const batches = 4;

/**
 * Starts a server that behaves as llama.cpp's does: it refuses a prompt that does not fit its window, keeps the last
 * prompt, tells its progress, and lets a model write only what the grammar allows. The chat endpoint takes no
 * triggers for lazy grammars from clients: a grammar holds from the first character.
 */
export async function startFakeLlama(options: FakeLlamaOptions): Promise<FakeLlama> {
  const server = await startModelServer();
  let former = '';
  const uses: PromptUse[] = [];
  const complete = (body: ChatBody): Reply => {
    const prompt = [...(body.tools ?? []), ...(body.messages ?? [])]
      .map((each) => JSON.stringify(each))
      .join('\n');
    const refusal = refusalOf(body, prompt, options);
    if (refusal) return refusal;
    const cached = body.cache_prompt === false ? 0 : commonStart(former, prompt);
    const wishes = options.answer(prompt);
    const schema = body.response_format?.json_schema?.schema;
    const written = schema
      ? (wishes.find((wish) => conforms(wish, schema)) ?? '')
      : constrained(wishes, body.grammar);
    former = prompt;
    const use = { cached: tokens(cached), total: tokens(prompt.length), written };
    uses.push(use);
    return stream(use, body.return_progress === true);
  };
  server.handle(({ path, body }) =>
    path === '/v1/chat/completions' ? complete((body ?? {}) as ChatBody) : notFound(),
  );
  server.handleQuestions((request) => describe(request, options));
  return { ...server, uses };
}

function describe({ path }: RecordedRequest, options: FakeLlamaOptions): Reply {
  const { window, template = '{{ messages }}', supportsTools = true } = options;
  switch (path.replace(/\?.*/, '')) {
    case '/props':
      return jsonReply(200, {
        default_generation_settings: { n_ctx: window },
        total_slots: 1,
        model_path: '/models/tiny.gguf',
        chat_template: template,
        chat_template_caps: { supports_tools: supportsTools },
        modalities: { vision: false },
      });
    case '/health':
      return jsonReply(200, { status: 'ok' });
    case '/v1/models':
      return jsonReply(200, {
        object: 'list',
        data: [
          {
            id: modelFile,
            object: 'model',
            owned_by: 'llamacpp',
            meta: { n_ctx: window, n_ctx_train: 131_072 },
          },
        ],
      });
    default:
      return notFound();
  }
}

function notFound(): Reply {
  return jsonReply(404, { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } });
}

function refusalOf(
  { grammar, tools = [], response_format: format }: ChatBody,
  prompt: string,
  { window }: FakeLlamaOptions,
): Reply | undefined {
  const refuse = (message: string, type = 'invalid_request_error') =>
    jsonReply(400, { error: { code: 400, message, type } });
  if (grammar !== undefined && tools.length > 0)
    return refuse('Cannot use custom grammar constraints with tools.');
  if (JSON.stringify(format ?? {}).includes('"$ref":"http'))
    return refuse(
      'Unable to generate parser for this template. Automatic parser generation failed: unsupported $ref',
    );
  if (tokens(prompt.length) >= window)
    return refuse(
      `request (${tokens(prompt.length)} tokens) exceeds the available context size (${window} tokens), try increasing it`,
      'exceed_context_size_error',
    );
  try {
    if (grammar !== undefined) new Gbnf(grammar);
    return undefined;
  } catch {
    return refuse('Failed to initialize samplers: failed to parse grammar');
  }
}

/** The text that a model writes: the likeliest one, up to where the grammar forbids it, then one that begins alike. */
function constrained(wishes: readonly string[], grammar: string | undefined): string {
  if (grammar === undefined) return wishes[0] ?? '';
  const matcher = new Gbnf(grammar).start();
  let written = '';
  for (const wish of wishes) {
    if (!wish.startsWith(written)) continue;
    for (const character of wish.slice(written.length)) {
      if (!matcher.accept(character)) break;
      written += character;
    }
    if (written === wish && matcher.canEnd) return written;
  }
  return written;
}

function stream({ cached, total, written }: PromptUse, withProgress: boolean): Reply {
  const chunk = (delta: object, more: object = {}) =>
    sse({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, finish_reason: null, delta }],
      ...more,
    });
  const steps = withProgress ? Array.from({ length: batches + 1 }, (_, index) => index / batches) : [];
  const progress = steps.map((part) => {
    const processed = cached + Math.floor((total - cached) * part);
    return chunk({}, { prompt_progress: { total, cache: cached, processed, time_ms: 1 } });
  });
  const end = sse({ choices: [{ index: 0, finish_reason: 'stop', delta: {} }] });
  const usage = sse({
    choices: [],
    usage: {
      prompt_tokens: total,
      completion_tokens: tokens(written.length),
      prompt_tokens_details: { cached_tokens: cached },
    },
  });
  const text = written.split(/(?<= )/).map((content) => chunk({ content }));
  return eventStream([
    ...progress,
    chunk({ role: 'assistant', content: null }),
    ...text,
    end,
    usage,
    sse('[DONE]'),
  ]);
}

function tokens(characters: number): number {
  return Math.floor(characters / charactersPerToken);
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
