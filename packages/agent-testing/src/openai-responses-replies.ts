import { type Chunk, eventStream, type Reply, sse } from './model-server.ts';
import {
  argumentDeltas,
  argumentsOf,
  deltas,
  type OpenAIAnswer,
  type OpenAICall,
} from './openai-chat-replies.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An answer of the Responses API; `stop` is the reason of an incomplete one. */
export interface OpenAIResponsesAnswer extends OpenAIAnswer {
  /** The encrypted form of the reasoning. */
  readonly encrypted?: string;
  /** `commentary` or the answer, if the model reports it. */
  readonly phase?: string;
}

/** A whole Responses answer. */
export function openaiResponsesReply(
  answer: OpenAIResponsesAnswer,
  extra: Omit<Reply, 'chunks'> = {},
): Reply {
  return eventStream(openaiResponsesChunks(answer), extra);
}

/** The same answer as one chunk per event, to be cut, reordered or interrupted. */
export function openaiResponsesChunks(answer: OpenAIResponsesAnswer): readonly Chunk[] {
  const items: Item[] = [];
  if (answer.reasoning !== undefined || answer.encrypted !== undefined) items.push(reasoningItem(answer));
  if (answer.text !== undefined) items.push(messageItem(answer));
  for (const [position, call] of (answer.calls ?? []).entries()) items.push(callItem(call, position));
  const numbered = items.flatMap((item, index) => itemEvents(item, index));
  const output = items.map(({ done }) => done);
  const begun = { ...responseBase, status: 'in_progress', output: [], usage: null };
  const events: Fields[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...numbered,
    finalEvent(answer, output),
  ];
  return events.map((event, index) => openaiResponsesEvent({ ...event, sequence_number: index }));
}

/** One event of the Responses API; for answers no description covers. */
export function openaiResponsesEvent(event: Fields): string {
  return sse(event, String(event.type));
}

const responseBase = { id: 'resp_test', object: 'response', created_at: 1_700_000_000, model: 'test-model' };

interface Item {
  readonly added: Fields;
  readonly between: readonly Fields[];
  readonly done: Fields;
}

function itemEvents({ added, between, done }: Item, index: number): readonly Fields[] {
  return [
    { type: 'response.output_item.added', output_index: index, item: added },
    ...between.map((event) => ({ ...event, output_index: index, item_id: done.id })),
    { type: 'response.output_item.done', output_index: index, item: done },
  ];
}

function reasoningItem({ reasoning, encrypted }: OpenAIResponsesAnswer): Item {
  const parts = deltas(reasoning);
  const base = {
    id: 'rs_0',
    type: 'reasoning',
    ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
  };
  const text = parts.join('');
  const summary = { type: 'summary_text', text };
  const part = { summary_index: 0 };
  const between = [
    { type: 'response.reasoning_summary_part.added', ...part, part: { ...summary, text: '' } },
    ...parts.map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...part, delta })),
    { type: 'response.reasoning_summary_text.done', ...part, text },
    { type: 'response.reasoning_summary_part.done', ...part, part: summary },
  ];
  return {
    added: { ...base, summary: [] },
    between: parts.length === 0 ? [] : between,
    done: { ...base, summary: parts.length === 0 ? [] : [summary] },
  };
}

function messageItem({ text, phase }: OpenAIResponsesAnswer): Item {
  const parts = deltas(text);
  const base = { id: 'msg_0', type: 'message', role: 'assistant', ...(phase === undefined ? {} : { phase }) };
  const content = { type: 'output_text', annotations: [], logprobs: [], text: parts.join('') };
  const part = { content_index: 0 };
  return {
    added: { ...base, status: 'in_progress', content: [] },
    between: [
      { type: 'response.content_part.added', ...part, part: { ...content, text: '' } },
      ...parts.map((delta) => ({ type: 'response.output_text.delta', ...part, delta, logprobs: [] })),
      { type: 'response.output_text.done', ...part, text: content.text, logprobs: [] },
      { type: 'response.content_part.done', ...part, part: content },
    ],
    done: { ...base, status: 'completed', content: [content] },
  };
}

function callItem(call: OpenAICall, position: number): Item {
  const base = {
    id: `fc_${position}`,
    type: 'function_call',
    call_id: call.id ?? `call_${position}`,
    name: call.name,
  };
  const text = argumentsOf(call);
  return {
    added: { ...base, status: 'in_progress', arguments: '' },
    between: [
      ...argumentDeltas(call).map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
      { type: 'response.function_call_arguments.done', arguments: text },
    ],
    done: { ...base, status: 'completed', arguments: text },
  };
}

function finalEvent({ stop, usage }: OpenAIResponsesAnswer, output: readonly Fields[]): Fields {
  const { input = 0, output: tokens = 0, cached = 0, reasoning = 0 } = usage ?? {};
  const ending = stop === undefined ? 'completed' : 'incomplete';
  return {
    type: `response.${ending}`,
    response: {
      ...responseBase,
      status: ending,
      incomplete_details: stop === undefined ? null : { reason: stop },
      output,
      usage: {
        input_tokens: input,
        input_tokens_details: { cached_tokens: cached },
        output_tokens: tokens,
        output_tokens_details: { reasoning_tokens: reasoning },
        total_tokens: input + tokens,
      },
    },
  };
}
