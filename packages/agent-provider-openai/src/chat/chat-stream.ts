import {
  countAt,
  type JsonObject,
  type JsonValue,
  type ModelEvent,
  type ModelRequest,
  noUsage,
  objectAt,
  objectsAt,
  parseToolInput,
  type StopReason,
  textAt,
  textOf,
  type Usage,
} from '@robota-sdk/agent-core';
import { PayloadDecoder } from '../wire/payload-decoder.ts';
import { ReasoningDetails } from './reasoning-details.ts';
import { type BeginsInside, type TaggedPiece, ThinkTags } from './think-tags.ts';
import { thinkingFormatOf } from './thinking-format.ts';
import { type PartialCall, ToolCallMerger } from './tool-call-merger.ts';
import { writtenCallOpener } from './written-tool-call.ts';

type BlockKind = 'text' | 'thinking';

const thinkingFields = ['reasoning_content', 'reasoning', 'reasoning_text'] as const;

const stopReasons: Readonly<Record<string, StopReason>> = {
  stop: 'end',
  eos: 'end',
  eos_token: 'end',
  stop_sequence: 'end',
  end_turn: 'end',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  content_filter: 'refusal',
  sensitive: 'refusal',
};

/** Finish reasons that are failures of the vendor in truth. */
const failedReasons: Readonly<Record<string, string>> = {
  error: 'server_error',
  network_error: 'server_error',
  insufficient_system_resource: 'overloaded',
};

/** Decodes a stream of Chat Completions chunks. */
export class ChatStream extends PayloadDecoder {
  readonly #keepsDetails: boolean;
  readonly #tags: ThinkTags | undefined;
  readonly #merger: ToolCallMerger;
  readonly #request: ModelRequest;
  #text = '';
  #hasThinking = false;
  readonly #details = new ReasoningDetails();
  #open: { readonly kind: BlockKind; readonly index: number; hasText: boolean } | undefined;
  #finishReason = '';
  #refused = false;

  constructor(request: ModelRequest, vendor: string, begins: BeginsInside = 'no') {
    super(request, vendor);
    this.#request = request;
    this.#merger = new ToolCallMerger(request.tools.map(({ name }) => name));
    this.#keepsDetails = thinkingFormatOf(request.model).returnedIn === 'reasoning_details';
    this.#tags = request.model.compat?.thinkingFormat === 'openai' ? undefined : new ThinkTags(begins);
  }

  /** How the texts of the model begin, as this answer showed. */
  get begins(): BeginsInside {
    return this.#tags?.begins ?? 'no';
  }

  abandon(said: ModelEvent[]): void {
    this.events = said;
    this.#release(this.#tags?.end());
  }

  protected read(chunk: JsonObject): void {
    this.#assertNoError(chunk);
    this.usage = chatUsage(chunk) ?? this.usage;
    this.#readProgress(objectAt(chunk, 'prompt_progress'));
    // Chunks without choices carry usage, or nothing at all.
    const choice = objectsAt(chunk, 'choices').find(({ index }) => index === undefined || index === 0);
    if (choice) this.#readChoice(choice);
  }

  protected end(): void {
    this.#release(this.#tags?.end());
    if (!this.isComplete) return;
    for (const call of this.#merger.calls) this.#endCall(call);
    this.#close();
    this.#keepLateDetails();
    const isKnown = this.#finishReason === '' || this.#finishReason in stopReasons;
    const note = `${this.vendor} ended the answer with an unknown reason: "${this.#finishReason}".`;
    const stopReason = this.#stopReason(stopReasons[this.#finishReason] ?? 'end');
    const usage = this.usage ?? noUsage;
    const message = stopReason === 'end' ? this.#missing() : undefined;
    if (message !== undefined) {
      const failure = { code: 'protocol', message: `${this.vendor}: ${message}`, retryable: false } as const;
      this.events.push({ type: 'error', failure, usage });
    } else this.events.push({ type: 'end', stopReason, usage, ...(isKnown ? {} : { note }) });
  }

  /** Why an answer without calls is none: servers lose calls and answers that their parsers do not recognize. */
  #missing(): string | undefined {
    const { tools, messages, model, answerSchema } = this.#request;
    const opener = writtenCallOpener(this.#text, tools);
    if (opener !== undefined)
      return `${model.id} wrote a tool call as text (${opener}), and the server did not recognize it. Start the server with the parser for this model (vLLM: --enable-auto-tool-choice --tool-call-parser NAME; llama.cpp: --jinja), or set "toolProtocol": "xnl" for it in models.json.`;
    const last = messages.at(-1);
    // After the results of tools, a model may have nothing to add; an answer by a schema is asked for again elsewhere.
    const isFirst = last?.role === 'user' && !textOf(last.content).includes('<tool_resp');
    if (answerSchema !== undefined || this.#text.trim() !== '' || !isFirst) return undefined;
    const what = this.#hasThinking ? 'has thinking and no text' : 'is empty';
    return `the answer of ${model.id} ${what}. Try again; if it stays like that, start the server with the reasoning parser for this model or without one, use --thinking off, or another model.`;
  }

  /** llama.cpp's server tells how far it has read the prompt; the part that it kept from before takes no time. */
  #readProgress(progress: JsonObject | undefined): void {
    if (!progress) return;
    const kept = countAt(progress, 'cache');
    const total = countAt(progress, 'total') - kept;
    const processed = Math.min(total, Math.max(0, countAt(progress, 'processed') - kept));
    if (total > 0) this.events.push({ type: 'prompt-progress', processed, total });
  }

  #readChoice(choice: JsonObject): void {
    const delta = objectAt(choice, 'delta') ?? objectAt(choice, 'message');
    if (delta) this.#readDelta(delta);
    const reason = textAt(choice, 'finish_reason');
    // A whole message is complete, whether or not it says so.
    this.isComplete ||= objectAt(choice, 'message') !== undefined;
    if (reason === '') return;
    const failed = failedReasons[reason];
    if (failed !== undefined) this.fail({ type: failed, message: textAt(delta, 'content') || reason });
    this.#finishReason = reason;
    this.isComplete = true;
  }

  #readDelta(delta: JsonObject): void {
    const details = this.#details.push(objectsAt(delta, 'reasoning_details'));
    const field = thinkingFields.find((name) => textAt(delta, name) !== '');
    if (field || details !== '') this.#release(this.#tags?.plain());
    this.#write('thinking', field ? textAt(delta, field) : details);
    this.#readContent(delta.content);
    const refusal = textAt(delta, 'refusal');
    this.#refused ||= refusal !== '';
    this.#write('text', refusal);
    for (const call of objectsAt(delta, 'tool_calls')) this.#readCall(call);
    const legacy = objectAt(delta, 'function_call');
    if (legacy) this.#readCall({ index: 0, function: legacy });
  }

  /** Text, or an array of typed parts. */
  #readContent(content: JsonValue | undefined): void {
    if (typeof content === 'string') {
      if (!this.#tags) return this.#write('text', content);
      this.#release(this.#tags.push(content));
      return;
    }
    for (const part of objectsAt({ content: content ?? null }, 'content')) {
      this.#write('text', textAt(part, 'text'));
      for (const thought of objectsAt(part, 'thinking')) this.#write('thinking', textAt(thought, 'text'));
    }
  }

  #readCall(delta: JsonObject): void {
    this.#release(this.#tags?.plain());
    const { call, json } = this.#merger.push(delta);
    if (call.block === undefined) this.#announceCalls();
    else this.#addJson(call, json);
  }

  #release(pieces: readonly TaggedPiece[] = []): void {
    for (const piece of pieces) {
      if (piece.kind === 'was-thinking') this.#rethink();
      else this.#write(piece.kind, piece.text);
    }
  }

  /** The text so far was thinking. */
  #rethink(): void {
    if (this.#open?.kind !== 'text') return;
    this.#open = { ...this.#open, kind: 'thinking' };
    this.#text = '';
    this.events.push({ type: 'text-was-thinking', index: this.#open.index });
    this.#close();
  }

  /** Calls are announced in their order; one without an id waits for the end, since its id may still come. */
  #announceCalls(): void {
    for (const call of this.#merger.calls) {
      if (call.block !== undefined) continue;
      if (call.name === '' || call.id === '' || this.#merger.mayGrow(call)) return;
      this.#startCall(call);
    }
  }

  #startCall(call: PartialCall): void {
    this.#close();
    call.block = this.blocks++;
    this.events.push({ type: 'tool-call-start', index: call.block, id: call.id, name: call.name });
    this.#addJson(call, call.json);
  }

  #addJson(call: PartialCall, json: string): void {
    if (call.block === undefined || json === '') return;
    this.events.push({ type: 'tool-call-delta', index: call.block, json });
  }

  #endCall(call: PartialCall): void {
    if (call.name === '' && call.json === '') return;
    const nameless = call.name === '' ? { invalid: 'The call came without the name of a tool.' } : {};
    call.name ||= 'unknown';
    if (call.block === undefined) this.#startCall(call);
    if (call.block === undefined) return;
    const input = { ...parseToolInput(call.json), ...nameless };
    const vendorData = call.extra ? { vendorData: { extra_content: call.extra } } : {};
    this.events.push({ type: 'tool-call-end', index: call.block, ...input, ...vendorData });
  }

  #write(kind: BlockKind, text: string): void {
    if (text === '') return;
    const open = this.#openBlock(kind);
    open.hasText = true;
    if (kind === 'text') this.#text += text;
    this.events.push({ type: `${kind}-delta`, index: open.index, text });
  }

  #openBlock(kind: BlockKind) {
    if (this.#open?.kind === kind) return this.#open;
    this.#close();
    const open = { kind, index: this.blocks++, hasText: false };
    this.events.push({ type: `${kind}-start`, index: open.index });
    this.#hasThinking ||= kind === 'thinking';
    this.#open = open;
    return open;
  }

  #close(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    if (open.kind === 'text') {
      this.events.push({ type: 'text-end', index: open.index });
      return;
    }
    const details = this.#details.take();
    const vendorData =
      this.#keepsDetails && details.length > 0 ? { vendorData: { reasoning_details: details } } : {};
    const redacted = open.hasText ? {} : { redacted: true };
    this.events.push({ type: 'thinking-end', index: open.index, ...redacted, ...vendorData });
  }

  /** Encrypted details may come after the thinking they belong to; a block without text carries them. */
  #keepLateDetails(): void {
    if (!this.#keepsDetails || this.#details.isEmpty) return;
    this.#openBlock('thinking');
    this.#close();
  }

  /** Several vendors say `stop` although they call tools; some the reverse. */
  #stopReason(known: StopReason): StopReason {
    if (known !== 'end' && known !== 'tool-calls') return known;
    if (this.#merger.calls.some((call) => call.block !== undefined)) return 'tool-calls';
    return this.#refused ? 'refusal' : 'end';
  }

  #assertNoError(chunk: JsonObject): void {
    const { error } = chunk;
    if (error !== undefined && error !== null) this.fail(error);
    if (chunk.object === 'error') this.fail(chunk);
  }
}

/** The usage a chunk reports, wherever the vendor puts it; undefined where there is none. */
function chatUsage(chunk: JsonObject): Usage | undefined {
  const usage =
    objectAt(chunk, 'usage') ??
    objectAt(objectsAt(chunk, 'choices')[0], 'usage') ??
    objectAt(objectAt(chunk, 'x_groq'), 'usage');
  return usage && readUsage(usage);
}

function readUsage(usage: JsonObject): Usage {
  const details = objectAt(usage, 'prompt_tokens_details');
  const prompt = countAt(usage, 'prompt_tokens');
  const cacheRead =
    countAt(details, 'cached_tokens') ||
    countAt(usage, 'prompt_cache_hit_tokens') ||
    countAt(usage, 'cached_tokens');
  const cacheWrite = countAt(details, 'cache_write_tokens');
  const reasoning = countAt(objectAt(usage, 'completion_tokens_details'), 'reasoning_tokens');
  const completion = countAt(usage, 'completion_tokens');
  // Most count thinking as completion; where the total shows that it was left out, it is added.
  const isLeftOut = reasoning > 0 && countAt(usage, 'total_tokens') === prompt + completion + reasoning;
  return {
    input: Math.max(0, prompt - cacheRead - cacheWrite),
    output: completion + (isLeftOut ? reasoning : 0),
    cacheRead,
    cacheWrite,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}
