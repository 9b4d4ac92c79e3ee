import {
  type AnswerDecoder,
  countAt,
  eventPayload,
  failureOfText,
  incompleteStream,
  isJsonObject,
  type JsonObject,
  type ModelEvent,
  objectAt,
  objectsAt,
  type SseEvent,
  StreamFailure,
  textAt,
  type Usage,
} from '@robota-sdk/agent-core';
import { PartialArguments } from './partial-arguments.ts';
import { endingOf, type ReplyEnding } from './reply-ending.ts';
import { type VendorData, writeVendorData } from './vendor-data.ts';

interface OpenBlock {
  readonly kind: 'text' | 'thinking';
  readonly index: number;
}

interface OpenCall {
  readonly index: number;
  readonly arguments: PartialArguments;
  readonly data: VendorData;
}

/** Reads the chunks of one streamed reply. */
export class ReplyReader implements AnswerDecoder {
  /** The stream is read to its end: usage may follow the finish reason. */
  readonly isDone = false;
  readonly #vendor: string;
  readonly #model: string;
  #nextIndex = 0;
  #block: OpenBlock | undefined;
  #call: OpenCall | undefined;
  #calls = 0;
  readonly #ids = new Set<string>();
  #usage: JsonObject = {};
  #ending: ReplyEnding | undefined;

  constructor(vendor: string, model: string) {
    this.#vendor = vendor;
    this.#model = model;
  }

  get isComplete(): boolean {
    return this.#ending !== undefined;
  }

  get usage(): Usage {
    return usageOf(this.#usage);
  }

  push(event: SseEvent, said: ModelEvent[]): void {
    said.push(...this.#read(eventPayload(event, this.#vendor)));
  }

  finish(said: ModelEvent[]): void {
    said.push(...this.#end());
  }

  *#read(chunk: JsonObject): Generator<ModelEvent> {
    this.#throwIfError(chunk);
    if (isJsonObject(chunk.usageMetadata)) this.#usage = { ...this.#usage, ...chunk.usageMetadata };
    const [candidate] = objectsAt(chunk, 'candidates');
    for (const part of objectsAt(objectAt(candidate, 'content'), 'parts')) yield* this.#part(part);
    this.#noticeEnding(chunk, candidate);
  }

  *#end(): Generator<ModelEvent> {
    if (!this.#ending) throw new StreamFailure(incompleteStream);
    yield* this.#closeBlock({});
    yield* this.#closeCall('The call was cut off before its arguments were complete.');
    const usage = this.usage;
    if (this.#ending.failure) {
      yield { type: 'error', failure: this.#ending.failure, usage };
      return;
    }
    const stopReason =
      this.#ending.stopReason === 'end' && this.#calls > 0 ? 'tool-calls' : this.#ending.stopReason;
    const note =
      this.#ending.note ?? (this.#nextIndex === 0 ? `${this.#vendor}: the answer was empty.` : undefined);
    yield { type: 'end', stopReason, usage, ...(note === undefined ? {} : { note }) };
  }

  #throwIfError(chunk: JsonObject): void {
    const { error } = chunk;
    if (!isJsonObject(error)) return;
    throw new StreamFailure(
      failureOfText({
        vendor: this.#vendor,
        model: this.#model,
        status: typeof error.code === 'number' ? error.code : undefined,
        type: textAt(error, 'status'),
        text: textAt(error, 'message'),
        body: error,
      }),
    );
  }

  #noticeEnding(chunk: JsonObject, candidate: JsonObject | undefined): void {
    this.#ending ??= endingOf({
      vendor: this.#vendor,
      finishReason: textAt(candidate, 'finishReason'),
      finishMessage: textAt(candidate, 'finishMessage'),
      blockReason: textAt(objectAt(chunk, 'promptFeedback'), 'blockReason'),
      hasOutput: this.#nextIndex > 0,
    });
  }

  *#part(part: JsonObject): Generator<ModelEvent> {
    const signature = part.thoughtSignature;
    const data: VendorData = typeof signature === 'string' ? { signature } : {};
    if (isJsonObject(part.functionCall)) return yield* this.#functionCall(part.functionCall, data);
    const text = textAt(part, 'text');
    if (text === '' && data.signature === undefined) return;
    const kind = part.thought === true ? 'thinking' : 'text';
    if (text === '' && this.#block?.kind !== kind) return yield* this.#loneSignature(kind, data);
    yield* this.#text(kind, text);
    // The signature belongs to the part it came with: text after it starts a new block.
    if (data.signature !== undefined) yield* this.#closeBlock(data);
  }

  *#text(kind: OpenBlock['kind'], text: string): Generator<ModelEvent> {
    if (this.#block?.kind !== kind) {
      yield* this.#closeBlock({});
      this.#block = { kind, index: this.#nextIndex++ };
      yield { type: `${kind}-start`, index: this.#block.index };
    }
    if (text !== '') yield { type: `${kind}-delta`, index: this.#block.index, text };
  }

  /** A signature on an empty part becomes an empty thinking block, which other vendors' adapters leave out. */
  *#loneSignature(kind: OpenBlock['kind'], data: VendorData): Generator<ModelEvent> {
    yield* this.#text('thinking', '');
    yield* this.#closeBlock(kind === 'text' ? { ...data, isText: true } : data);
  }

  *#closeBlock(data: VendorData): Generator<ModelEvent> {
    if (!this.#block) return;
    const { kind, index } = this.#block;
    this.#block = undefined;
    yield { type: `${kind}-end`, index, ...kept(data) };
  }

  *#functionCall(call: JsonObject, data: VendorData): Generator<ModelEvent> {
    yield* this.#closeBlock({});
    const name = textAt(call, 'name');
    if (name !== '' || !this.#call) {
      yield* this.#closeCall();
      const callId = this.#newId(textAt(call, 'id'));
      const index = this.#nextIndex++;
      this.#calls++;
      this.#call = {
        index,
        arguments: new PartialArguments(),
        data: callId === '' ? data : { ...data, callId },
      };
      yield { type: 'tool-call-start', index, id: callId, name };
    }
    this.#call.arguments.add(call.args, call.partialArgs);
    if (call.willContinue !== true) yield* this.#closeCall();
  }

  /** One that came before says nothing of the call it belongs to. */
  #newId(id: string): string {
    if (this.#ids.has(id)) return '';
    this.#ids.add(id);
    return id;
  }

  *#closeCall(problem?: string): Generator<ModelEvent> {
    if (!this.#call) return;
    const { index, arguments: collected, data } = this.#call;
    this.#call = undefined;
    const { input, invalid = problem } = collected.result();
    yield { type: 'tool-call-delta', index, json: JSON.stringify(input) };
    yield {
      type: 'tool-call-end',
      index,
      input,
      ...(invalid === undefined ? {} : { invalid }),
      ...kept(data),
    };
  }
}

function kept(data: VendorData): { vendorData?: JsonObject } {
  const vendorData = writeVendorData(data);
  return vendorData === undefined ? {} : { vendorData };
}

/** Google counts cached tokens into the prompt and thoughts beside the answer; `Usage` wants it the other way. */
function usageOf(metadata: JsonObject): Usage {
  const cacheRead = countAt(metadata, 'cachedContentTokenCount');
  const reasoning = countAt(metadata, 'thoughtsTokenCount');
  return {
    input:
      Math.max(0, countAt(metadata, 'promptTokenCount') - cacheRead) +
      countAt(metadata, 'toolUsePromptTokenCount'),
    output: countAt(metadata, 'candidatesTokenCount') + reasoning,
    cacheRead,
    cacheWrite: 0,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}
