import { type Chunk, eventStream, jsonReply, type Reply, sse } from './model-server.ts';

/** An answer of a model that speaks one of OpenAI's formats, described without the format. */
export interface OpenAIAnswer {
  /** One delta each; a single text is one delta. */
  readonly reasoning?: string | readonly string[];
  readonly text?: string | readonly string[];
  readonly calls?: readonly OpenAICall[];
  readonly usage?: OpenAIUsage;
  /** The vendor's own word for the end of the answer, where it is not the usual one. */
  readonly stop?: string;
}

export interface OpenAICall {
  /** Numbered when left out. */
  readonly id?: string;
  readonly name: string;
  /** Arguments; a text is sent as it stands, also when it is no JSON. */
  readonly input: unknown;
  /** How many deltas the arguments are cut into; 2 unless given. */
  readonly pieces?: number;
}

export interface OpenAIUsage {
  /** All input tokens, cached ones included. */
  readonly input?: number;
  readonly output?: number;
  readonly cached?: number;
  readonly reasoning?: number;
}

/** A whole Chat Completions answer. */
export function openaiChatReply(answer: OpenAIAnswer, extra: Omit<Reply, 'chunks'> = {}): Reply {
  return eventStream(openaiChatChunks(answer), extra);
}

/** The same answer as one chunk per event, to be cut, reordered or interrupted. */
export function openaiChatChunks(answer: OpenAIAnswer): readonly Chunk[] {
  const calls = answer.calls ?? [];
  return [
    delta({ role: 'assistant', content: '' }),
    ...deltas(answer.reasoning).map((text) => delta({ reasoning_content: text })),
    ...deltas(answer.text).map((text) => delta({ content: text })),
    ...calls.flatMap((call, index) => callDeltas(call, index)),
    openaiChatChunk({ delta: {}, finish_reason: answer.stop ?? (calls.length > 0 ? 'tool_calls' : 'stop') }),
    sse({ ...chunkBase, choices: [], usage: usageOf(answer.usage ?? {}) }),
    sse('[DONE]'),
  ];
}

/** One Chat Completions event with the given choice; for answers no description covers. */
export function openaiChatChunk(choice: Readonly<Record<string, unknown>>): string {
  return sse({ ...chunkBase, choices: [{ index: 0, finish_reason: null, ...choice }], usage: null });
}

/** An error answer in OpenAI's shape; a text becomes its message. */
export function openaiError(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const error = { message: body, type: 'invalid_request_error', param: null, code: null };
  return jsonReply(status, typeof body === 'string' ? { error } : body, headers);
}

/** The deltas of a text that may be given as one. */
export function deltas(text: string | readonly string[] | undefined): readonly string[] {
  if (text === undefined) return [];
  return typeof text === 'string' ? [text] : text;
}

/** The argument text of a call. */
export function argumentsOf({ input }: OpenAICall): string {
  return typeof input === 'string' ? input : JSON.stringify(input);
}

/** The argument text of a call, cut into its deltas. */
export function argumentDeltas(call: OpenAICall): readonly string[] {
  const text = argumentsOf(call);
  const size = Math.max(1, Math.ceil(text.length / (call.pieces ?? 2)));
  const parts: string[] = [];
  for (let start = 0; start < text.length; start += size) parts.push(text.slice(start, start + size));
  return parts;
}

const chunkBase = {
  id: 'chatcmpl-test',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'test-model',
};

function delta(fields: Readonly<Record<string, unknown>>): string {
  return openaiChatChunk({ delta: fields });
}

function callDeltas(call: OpenAICall, index: number): readonly string[] {
  const id = call.id ?? `call_${index}`;
  const start = { index, id, type: 'function', function: { name: call.name, arguments: '' } };
  const rest = argumentDeltas(call).map((text) => ({ index, function: { arguments: text } }));
  return [start, ...rest].map((part) => delta({ tool_calls: [part] }));
}

function usageOf({ input = 0, output = 0, cached = 0, reasoning = 0 }: OpenAIUsage) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
