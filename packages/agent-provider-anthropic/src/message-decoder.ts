import {
  type AnswerDecoder,
  countAt,
  failureOfText,
  incompleteStream,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelEvent,
  noUsage,
  parseJson,
  type SseEvent,
  type StopReason,
  StreamFailure,
  type Usage,
} from '@robota-sdk/agent-core';
import { openBlock, type StreamedBlock } from './streamed-block.ts';

const stopReasons: Readonly<Record<string, StopReason>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  pause_turn: 'pause',
  refusal: 'refusal',
};

/** The usual spelling of a piece of text, around the number of its block and its characters. */
const deltaStart = '{"type":"content_block_delta","index":';
const textStart = ',"delta":{"type":"text_delta","text":"';
const textEnd = '"}}';

/** Turns the API's events into model events; what it does not know it passes over. */
export class MessageDecoder implements AnswerDecoder {
  readonly #origin: { readonly vendor: string; readonly model: string };
  readonly #open = new Map<JsonValue | undefined, StreamedBlock>();
  #blocks = 0;
  #toolCalls = 0;
  #usage: Usage | undefined;
  #stop: { readonly reason: string; readonly details: JsonValue | undefined } | undefined;
  #isDone = false;
  /** The block of text that was opened last, by how its pieces usually begin. */
  #text: { readonly start: string; readonly block: StreamedBlock } | undefined;

  constructor(origin: { readonly vendor: string; readonly model: string }) {
    this.#origin = origin;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  get isComplete(): boolean {
    return this.#isDone;
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  push(event: SseEvent, said: ModelEvent[]): void {
    const plain = this.#plainText(event.data);
    if (plain) return void said.push(plain);
    const data = parseEvent(event);
    switch (data.type) {
      case 'content_block_delta':
        return this.#delta(data, said);
      case 'content_block_start':
        return this.#startBlock(data, said);
      case 'content_block_stop':
        return this.#endBlock(data.index, said);
      case 'message_start':
        return isJsonObject(data.message) ? this.#addUsage(data.message.usage) : undefined;
      case 'message_delta':
        this.#addUsage(data.usage);
        return this.#noteStop(data.delta);
      case 'message_stop':
        return this.#end(said);
      case 'message':
        return this.#readWhole(data, said);
      case 'error':
        throw this.#failure(data.error);
    }
  }

  /** The connection closed: once the reason to stop was given, nothing of the answer can be missing. */
  finish(said: ModelEvent[]): void {
    if (this.#isDone) return;
    if (!this.#stop || this.#open.size > 0) throw new StreamFailure(incompleteStream);
    this.#end(said);
  }

  /** An answer that is not streamed. */
  #readWhole({ content, usage, ...delta }: JsonObject, said: ModelEvent[]): void {
    const blocks = Array.isArray(content) ? content : [];
    for (const [index, block] of blocks.entries()) {
      this.#startBlock({ index, content_block: block }, said);
      this.#endBlock(index, said);
    }
    this.#addUsage(usage);
    this.#noteStop(delta);
    this.#end(said);
  }

  #startBlock(data: JsonObject, said: ModelEvent[]): void {
    if (!isJsonObject(data.content_block)) return;
    this.#endBlock(data.index, said);
    const block = openBlock(data.content_block, this.#blocks++);
    this.#open.set(data.index, block);
    const isText = data.content_block.type === 'text' && typeof data.index === 'number';
    this.#text = isText ? { start: deltaStart + data.index + textStart, block } : undefined;
    if (block.isToolCall) this.#toolCalls++;
    said.push(...block.start());
  }

  /** A piece of text without a character that JSON escapes: nearly every event of an answer, and parsing is most of its cost. */
  #plainText(data: string): ModelEvent | undefined {
    if (!this.#text || !data.startsWith(this.#text.start) || !data.endsWith(textEnd)) return undefined;
    const text = data.slice(this.#text.start.length, -textEnd.length);
    return text.includes('"') || text.includes('\\') ? undefined : this.#text.block.delta({ text });
  }

  #delta({ index, delta }: JsonObject, said: ModelEvent[]): void {
    const event = isJsonObject(delta) ? this.#open.get(index)?.delta(delta) : undefined;
    if (event) said.push(event);
  }

  #endBlock(index: JsonValue | undefined, said: ModelEvent[]): void {
    const block = this.#open.get(index);
    this.#open.delete(index);
    if (block === this.#text?.block) this.#text = undefined;
    if (block) said.push(...block.end());
  }

  #end(said: ModelEvent[]): void {
    this.#isDone = true;
    for (const index of [...this.#open.keys()]) this.#endBlock(index, said);
    said.push({ type: 'end', usage: this.#usage ?? noUsage, ...this.#stopReason() });
  }

  #noteStop(delta: JsonValue | undefined): void {
    if (!isJsonObject(delta) || typeof delta.stop_reason !== 'string') return;
    this.#stop = { reason: delta.stop_reason, details: delta.stop_details };
  }

  #stopReason(): { stopReason: StopReason; note?: string } {
    const { reason, details } = this.#stop ?? { reason: 'end_turn', details: undefined };
    const stopReason = Object.hasOwn(stopReasons, reason) ? stopReasons[reason] : undefined;
    if (!stopReason)
      return {
        stopReason: 'end',
        note: `${this.#origin.vendor} stopped for a reason not known here: ${reason}.`,
      };
    if (reason === 'model_context_window_exceeded') {
      return { stopReason, note: `The answer was cut off: the window of ${this.#origin.model} is full.` };
    }
    if (stopReason === 'refusal') return { stopReason, note: refusalNote(this.#origin.model, details) };
    // Compatible servers name the natural end also when they want tools to run.
    return { stopReason: stopReason === 'end' && this.#toolCalls > 0 ? 'tool-calls' : stopReason };
  }

  /** Counts are totals so far, repeated in part: the largest of each is the latest. */
  #addUsage(usage: JsonValue | undefined): void {
    if (!isJsonObject(usage)) return;
    const known: Usage = this.#usage ?? noUsage;
    const details = usage.output_tokens_details;
    const reasoning = Math.max(
      known.reasoning ?? 0,
      isJsonObject(details) ? countAt(details, 'thinking_tokens') : 0,
    );
    this.#usage = {
      input: Math.max(known.input, countAt(usage, 'input_tokens')),
      output: Math.max(known.output, countAt(usage, 'output_tokens')),
      cacheRead: Math.max(known.cacheRead, countAt(usage, 'cache_read_input_tokens')),
      cacheWrite: Math.max(known.cacheWrite, countAt(usage, 'cache_creation_input_tokens')),
      ...(reasoning > 0 ? { reasoning } : {}),
    };
  }

  #failure(error: JsonValue | undefined): StreamFailure {
    const { type, message } = isJsonObject(error)
      ? error
      : { type: '', message: JSON.stringify(error ?? '') };
    return new StreamFailure(
      failureOfText({ ...this.#origin, type: String(type ?? ''), text: String(message ?? '') }),
    );
  }
}

function parseEvent({ event, data }: SseEvent): JsonObject {
  const parsed = parseJson(data);
  if (isJsonObject(parsed)) return parsed;
  const isForeign = !/^(message$|message_|content_block_|error$)/.test(event) || data === '[DONE]';
  if (parsed !== undefined || isForeign) return {};
  throw new StreamFailure({
    code: 'protocol',
    message: `An event of the answer is damaged; it begins: ${data.slice(0, 120)}`,
    retryable: true,
  });
}

function refusalNote(model: string, details: JsonValue | undefined): string {
  const explanation = isJsonObject(details) ? details.explanation : undefined;
  return `${model} declined to answer${typeof explanation === 'string' ? `: ${explanation}` : '.'}`;
}
