import { type Chunk, eventStream, jsonReply, type Reply, sse } from './model-server.ts';

export interface AnthropicToolCall {
  readonly name: string;
  /** `toolu_1`, `toolu_2`… unless given. */
  readonly id?: string;
  readonly input?: unknown;
  /** Sent in place of `input`, valid or not; an array is sent as one delta per piece. */
  readonly rawJson?: string | readonly string[];
}

export interface AnthropicSearch {
  readonly query: string;
  readonly id?: string;
  readonly results?: readonly { readonly title: string; readonly url: string }[];
  /** The search fails with this code, such as `max_uses_exceeded`. */
  readonly errorCode?: string;
}

/** The content of a Messages API answer; blocks are sent in the order of these fields. */
export interface AnthropicAnswer {
  readonly thinking?: { readonly text: string | readonly string[]; readonly signature: string };
  readonly redactedThinking?: string;
  readonly serverSearch?: AnthropicSearch;
  /** An array is sent as one delta per piece. */
  readonly text?: string | readonly string[];
  readonly citations?: readonly unknown[];
  readonly toolCalls?: readonly AnthropicToolCall[];
  /** `tool_use` where there are tool calls, else `end_turn`. */
  readonly stopReason?: string;
  readonly stopDetails?: unknown;
  readonly usage?: {
    readonly input?: number;
    readonly output?: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  };
  readonly model?: string;
}

/** An answer as the API streams it: 200, an event stream, one chunk per event. */
export function anthropicReply(answer: AnthropicAnswer, extra: Omit<Reply, 'chunks'> = {}): Reply {
  return eventStream(anthropicChunks(answer), extra);
}

/** The events of an answer, one string each, to cut, reorder or mix with faults. */
export function anthropicChunks(answer: AnthropicAnswer): string[] {
  const blocks = blocksOf(answer).flatMap((block, index) => blockEvents(block, index));
  return [messageStart(answer), named({ type: 'ping' }), ...blocks, ...messageEnd(answer)];
}

/** An `error` event in the middle of a stream. */
export function anthropicErrorEvent(type: string, message: string): Chunk {
  return named({ type: 'error', error: { type, message } });
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** An answer that is an error; its type follows from the status unless given. */
export function anthropicError(
  status: number,
  message: string,
  extra: { readonly type?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Reply {
  const type = extra.type ?? errorTypes[status] ?? 'api_error';
  return jsonReply(
    status,
    { type: 'error', error: { type, message }, request_id: 'req_test' },
    { 'request-id': 'req_test', ...extra.headers },
  );
}

interface Block {
  readonly start: Readonly<Record<string, unknown>>;
  readonly deltas: readonly Readonly<Record<string, unknown>>[];
}

function blocksOf(answer: AnthropicAnswer): Block[] {
  return [
    ...(answer.thinking ? [thinkingBlock(answer.thinking)] : []),
    ...(answer.redactedThinking === undefined
      ? []
      : [{ start: { type: 'redacted_thinking', data: answer.redactedThinking }, deltas: [] }]),
    ...(answer.serverSearch ? searchBlocks(answer.serverSearch) : []),
    ...(answer.text === undefined ? [] : [textBlock(answer.text, answer.citations)]),
    ...(answer.toolCalls ?? []).map(toolBlock),
  ];
}

function thinkingBlock({ text, signature }: NonNullable<AnthropicAnswer['thinking']>): Block {
  return {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...pieces(text).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature },
    ],
  };
}

function textBlock(text: string | readonly string[], citations: readonly unknown[] | undefined): Block {
  return {
    start: { type: 'text', text: '', ...(citations ? { citations: [] } : {}) },
    deltas: [
      ...(citations ?? []).map((citation) => ({ type: 'citations_delta', citation })),
      ...pieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
    ],
  };
}

function toolBlock({ id, name, input, rawJson }: AnthropicToolCall, index: number): Block {
  return {
    start: { type: 'tool_use', id: id ?? `toolu_${index + 1}`, name, input: {} },
    deltas: jsonDeltas(rawJson ?? (input === undefined ? '' : JSON.stringify(input))),
  };
}

function searchBlocks({ query, id = 'srvtoolu_1', results = [], errorCode }: AnthropicSearch): Block[] {
  const content = errorCode
    ? { type: 'web_search_tool_result_error', error_code: errorCode }
    : results.map(({ title, url }) => ({
        type: 'web_search_result',
        title,
        url,
        encrypted_content: Buffer.from(url).toString('base64'),
        page_age: null,
      }));
  return [
    {
      start: { type: 'server_tool_use', id, name: 'web_search', input: {} },
      deltas: jsonDeltas(JSON.stringify({ query })),
    },
    { start: { type: 'web_search_tool_result', tool_use_id: id, content }, deltas: [] },
  ];
}

/** The API begins with an empty piece and cuts anywhere; a string is cut in two. */
function jsonDeltas(json: string | readonly string[]): Block['deltas'] {
  const middle = Math.ceil(json.length / 2);
  const parts = typeof json === 'string' ? [json.slice(0, middle), json.slice(middle)] : json;
  return ['', ...parts.filter((part) => part !== '')].map((partial_json) => ({
    type: 'input_json_delta',
    partial_json,
  }));
}

function blockEvents({ start, deltas }: Block, index: number): string[] {
  return [
    named({ type: 'content_block_start', index, content_block: start }),
    ...deltas.map((delta) => named({ type: 'content_block_delta', index, delta })),
    named({ type: 'content_block_stop', index }),
  ];
}

function messageStart({ usage, model }: AnthropicAnswer): string {
  const message = {
    id: 'msg_test',
    type: 'message',
    role: 'assistant',
    model: model ?? 'claude-test',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: usage?.input ?? 10,
      cache_creation_input_tokens: usage?.cacheWrite ?? 0,
      cache_read_input_tokens: usage?.cacheRead ?? 0,
      output_tokens: 1,
    },
  };
  return named({ type: 'message_start', message });
}

function messageEnd(answer: AnthropicAnswer): string[] {
  const stop_reason = answer.stopReason ?? (answer.toolCalls?.length ? 'tool_use' : 'end_turn');
  const details = answer.stopDetails === undefined ? {} : { stop_details: answer.stopDetails };
  return [
    named({
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null, ...details },
      usage: { output_tokens: answer.usage?.output ?? 5 },
    }),
    named({ type: 'message_stop' }),
  ];
}

function pieces(text: string | readonly string[]): readonly string[] {
  return typeof text === 'string' ? [text] : text;
}

function named(data: { readonly type: string; readonly [key: string]: unknown }): string {
  return sse(data, data.type);
}
