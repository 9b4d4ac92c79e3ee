import {
  countAt,
  type JsonObject,
  type JsonValue,
  type ModelEvent,
  noUsage,
  objectAt,
  objectsAt,
  parseToolInput,
  type StopReason,
  textAt,
  type Usage,
} from '@robota-sdk/agent-core';
import { PayloadDecoder } from '../wire/payload-decoder.ts';

/** An output item that has begun: the block it is, and what has been passed on of it. */
interface OpenItem {
  readonly kind: 'text' | 'thinking' | 'tool-call';
  readonly index: number;
  sent: string;
}

type Handler = (stream: ResponsesStream, event: JsonObject) => void;

/** Decodes the event stream of a Responses call. Events it does not know are passed over. */
export class ResponsesStream extends PayloadDecoder {
  readonly #items = new Map<JsonValue, OpenItem>();
  #hasFinished = false;
  #hasCalls = false;
  #refused = false;
  #end: ModelEvent | undefined;

  static readonly #handlers: Readonly<Record<string, Handler>> = {
    'response.output_item.added': (stream, event) => stream.#startItem(event),
    'response.output_item.done': (stream, event) => stream.#finishItem(event),
    'response.output_text.delta': (stream, event) => stream.#write('text', event),
    'response.refusal.delta': (stream, event) => stream.#refuse(event),
    'response.reasoning_summary_part.added': (stream, event) => stream.#separateSummary(event),
    'response.reasoning_summary_text.delta': (stream, event) => stream.#write('thinking', event),
    'response.reasoning_text.delta': (stream, event) => stream.#write('thinking', event),
    'response.function_call_arguments.delta': (stream, event) => stream.#addArguments(event),
    'response.completed': (stream, event) => stream.#complete(event),
    'response.done': (stream, event) => stream.#complete(event),
    'response.incomplete': (stream, event) => stream.#complete(event),
    'response.failed': (stream, event) => stream.#failAnswer(event),
    'response.cancelled': (stream, event) => stream.#failAnswer(event),
    error: (stream, event) => stream.#failAnswer(event),
  };

  protected read(event: JsonObject): void {
    const type = textAt(event, 'type') || (event.error ? 'error' : '');
    if (type === '' && Array.isArray(event.output)) return this.#readWhole(event);
    const handler = Object.hasOwn(ResponsesStream.#handlers, type) && ResponsesStream.#handlers[type];
    if (handler && !this.#end) handler(this, event);
  }

  protected end(): void {
    if (this.#end) this.events.push(this.#end);
  }

  /** An answer that is not streamed. */
  #readWhole(response: JsonObject): void {
    if (response.status === 'failed') this.#failAnswer({ response });
    else this.#complete({ response });
  }

  /** Thinking and calls begin at once, so that it is seen what the model does; text begins with its first words. */
  #startItem(event: JsonObject): void {
    const item = objectAt(event, 'item');
    const type = textAt(item, 'type');
    if (type === 'reasoning') this.#open('thinking', event);
    if (item && type === 'function_call') this.#startCall(event, item);
  }

  #startCall(event: JsonObject, item: JsonObject): OpenItem {
    const open: OpenItem = { kind: 'tool-call', index: this.blocks++, sent: '' };
    this.#items.set(keyOf(event), open);
    this.#hasCalls = true;
    const id = textAt(item, 'call_id');
    const name = textAt(item, 'name') || 'unknown';
    this.events.push({ type: 'tool-call-start', index: open.index, id, name });
    return open;
  }

  #open(kind: 'text' | 'thinking', event: JsonObject): OpenItem {
    const key = keyOf(event);
    const known = this.#items.get(key);
    if (known) return known;
    const open: OpenItem = { kind, index: this.blocks++, sent: '' };
    this.#items.set(key, open);
    this.events.push({ type: `${kind}-start`, index: open.index });
    return open;
  }

  #write(kind: 'text' | 'thinking', event: JsonObject): void {
    const text = textAt(event, 'delta');
    if (text === '') return;
    this.#send(this.#open(kind, event), text);
  }

  #refuse(event: JsonObject): void {
    this.#refused = true;
    this.#write('text', event);
  }

  #separateSummary(event: JsonObject): void {
    const open = this.#items.get(keyOf(event));
    if (open?.kind === 'thinking' && open.sent !== '') this.#send(open, '\n\n');
  }

  #addArguments(event: JsonObject): void {
    const open = this.#items.get(keyOf(event));
    const json = textAt(event, 'delta');
    if (open?.kind === 'tool-call' && json !== '') this.#send(open, json);
  }

  #send(open: OpenItem, text: string): void {
    open.sent += text;
    if (open.kind === 'tool-call')
      this.events.push({ type: 'tool-call-delta', index: open.index, json: text });
    else this.events.push({ type: `${open.kind}-delta`, index: open.index, text });
  }

  /** The finished item is the truth: what its deltas left out is made up for. */
  #finishItem(event: JsonObject): void {
    const item = objectAt(event, 'item');
    if (!item) return;
    this.#hasFinished = true;
    const type = textAt(item, 'type');
    if (type === 'message') this.#finishMessage(event, item);
    if (type === 'reasoning') this.#finishReasoning(event, item);
    if (type === 'function_call') this.#finishCall(event, item);
    if (type === 'web_search_call') this.#finishWebSearch(item);
    this.#items.delete(keyOf(event));
  }

  #finishMessage(event: JsonObject, item: JsonObject): void {
    const parts = objectsAt(item, 'content');
    this.#refused ||= parts.some((part) => part.type === 'refusal');
    const whole = parts.map((part) => textAt(part, 'text') || textAt(part, 'refusal')).join('');
    if (whole === '' && !this.#items.has(keyOf(event))) return;
    const open = this.#open('text', event);
    this.#sendRest(open, whole);
    // Models that mark their messages as commentary or answer want the mark back.
    const phase = textAt(item, 'phase');
    const vendorData = phase === '' ? {} : { vendorData: { phase } };
    this.events.push({ type: 'text-end', index: open.index, ...vendorData });
  }

  #finishReasoning(event: JsonObject, item: JsonObject): void {
    const open = this.#open('thinking', event);
    const summary = objectsAt(item, 'summary');
    const texts = (summary.length > 0 ? summary : objectsAt(item, 'content')).map((part) =>
      textAt(part, 'text'),
    );
    this.#sendRest(open, texts.join('\n\n'));
    const encrypted = textAt(item, 'encrypted_content');
    const kept = { type: 'reasoning', summary, encrypted_content: encrypted };
    this.events.push({
      type: 'thinking-end',
      index: open.index,
      ...(open.sent === '' ? { redacted: true } : {}),
      ...(encrypted === '' ? {} : { vendorData: kept }),
    });
  }

  #finishCall(event: JsonObject, item: JsonObject): void {
    const known = this.#items.get(keyOf(event));
    const open = known?.kind === 'tool-call' ? known : this.#startCall(event, item);
    const whole = textAt(item, 'arguments');
    this.#sendRest(open, whole);
    this.events.push({ type: 'tool-call-end', index: open.index, ...parseToolInput(whole || open.sent) });
  }

  #finishWebSearch(item: JsonObject): void {
    const { id, ...kept } = item;
    const action = objectAt(item, 'action');
    const summary = textAt(action, 'query') || textAt(action, 'url') || textAt(action, 'type');
    const content = {
      type: 'server-tool',
      phase: 'call',
      name: 'web_search',
      summary,
      vendorData: kept,
    } as const;
    this.events.push({
      type: 'server-tool',
      index: this.blocks++,
      content: { ...content, id: String(id) },
    });
  }

  #sendRest(open: OpenItem, whole: string): void {
    if (whole.length > open.sent.length && whole.startsWith(open.sent)) {
      this.#send(open, whole.slice(open.sent.length));
    }
  }

  #complete(event: JsonObject): void {
    const response = objectAt(event, 'response');
    this.#finishLateItems(response);
    this.isComplete = true;
    this.usage = usageOf(response);
    const reason = textAt(objectAt(response, 'incomplete_details'), 'reason');
    const isIncomplete = event.type === 'response.incomplete' || reason !== '';
    const stop = isIncomplete ? this.#incompleteStop(reason) : { stopReason: this.#stopReason() };
    this.#end = { type: 'end', usage: this.usage ?? noUsage, ...stop };
  }

  /** A server that ends no item on its own has them in the final response; what is not there ends as it is. */
  #finishLateItems(response: JsonObject | undefined): void {
    const late = this.#hasFinished || this.#items.has(null) ? [] : objectsAt(response, 'output');
    for (const [position, item] of late.entries()) {
      const key = this.#items.has(item.id ?? null)
        ? { item_id: item.id ?? null }
        : { output_index: position };
      this.#finishItem({ ...key, item });
    }
    for (const [key, open] of this.#items) {
      this.#items.delete(key);
      if (open.kind !== 'tool-call') this.events.push({ type: `${open.kind}-end`, index: open.index });
      else this.events.push({ type: 'tool-call-end', index: open.index, ...parseToolInput(open.sent) });
    }
  }

  #stopReason(): StopReason {
    if (this.#hasCalls) return 'tool-calls';
    return this.#refused ? 'refusal' : 'end';
  }

  #incompleteStop(reason: string): { stopReason: StopReason; note?: string } {
    if (reason === 'max_output_tokens') return { stopReason: 'length' };
    if (reason === 'content_filter') return { stopReason: 'refusal' };
    const note = `${this.vendor} left the answer incomplete for an unknown reason: "${reason}".`;
    return { stopReason: this.#stopReason(), note };
  }

  #failAnswer(event: JsonObject): never {
    const response = objectAt(event, 'response');
    this.usage = usageOf(response);
    this.fail(objectAt(response, 'error') ?? objectAt(event, 'error') ?? described(event));
  }
}

/** Items are told apart by their place in the output; servers that do not number them send ids. */
function keyOf(event: JsonObject): JsonValue {
  return event.output_index ?? event.item_id ?? objectAt(event, 'item')?.id ?? null;
}

function described(event: JsonObject): JsonObject {
  const { type, ...rest } = event;
  const ending = type === 'error' ? 'an error' : String(type).replace('response.', '');
  return textAt(rest, 'message') === ''
    ? { ...rest, type: 'server_error', message: `the answer ended as ${ending}` }
    : rest;
}

function usageOf(response: JsonObject | undefined): Usage | undefined {
  const usage = objectAt(response, 'usage');
  if (!usage) return undefined;
  const details = objectAt(usage, 'input_tokens_details');
  const cacheRead = countAt(details, 'cached_tokens');
  const cacheWrite = countAt(details, 'cache_write_tokens');
  const reasoning = countAt(objectAt(usage, 'output_tokens_details'), 'reasoning_tokens');
  return {
    input: Math.max(0, countAt(usage, 'input_tokens') - cacheRead - cacheWrite),
    output: countAt(usage, 'output_tokens'),
    cacheRead,
    cacheWrite,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}
