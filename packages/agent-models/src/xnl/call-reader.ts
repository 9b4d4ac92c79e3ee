import { isJsonObject, type ModelEvent } from '@robota-sdk/agent-core';
import { type Extracted, XnlExtractor } from '@robota-sdk/xnl';
import { copiedHint } from './copied-calls.ts';
import { ResultWatch } from './result-watch.ts';
import type { ToolRoutes } from './tool-routes.ts';
import { callForProblem, type WrittenCall, writtenCall } from './written-call.ts';

const madeUp =
  'The model made up the result of a tool; what it said after that was left out, and the tools answer it instead.';

type NativeStart = Extract<ModelEvent, { type: 'tool-call-start' }>;

export interface CallReaderOptions {
  readonly routes: ToolRoutes;
  readonly takenIds: Iterable<string>;
  /** True if an element stands word for word in what the model was given. */
  isCopied(element: string): boolean;
}

/**
 * Turns what a model says into text, thoughts and calls: each call the moment it is complete, and nothing of its block in
 * the text. Calls that come by the API are taken, too.
 */
export class CallReader {
  readonly #routes: ToolRoutes;
  readonly #isCopied: CallReaderOptions['isCopied'];
  readonly #takenIds: Set<string>;
  readonly #native = new Map<number, NativeStart>();
  readonly #others = new Map<number, number>();
  readonly #seen = new Set<string>();
  #extractor: XnlExtractor | undefined;
  #open: { readonly kind: 'text' | 'thinking'; readonly index: number } | undefined;
  #next = 0;
  #calls = 0;
  #isMadeUp = false;
  readonly #results = new ResultWatch();
  #events: ModelEvent[] = [];

  constructor({ routes, takenIds, isCopied }: CallReaderOptions) {
    this.#routes = routes;
    this.#takenIds = new Set(takenIds);
    this.#isCopied = isCopied;
  }

  /** Converts events. */
  read(events: readonly ModelEvent[]): readonly ModelEvent[] {
    this.#events = [];
    for (const event of events) this.#read(event);
    return this.#events;
  }

  #read(event: ModelEvent): void {
    switch (event.type) {
      case 'text-start':
        this.#extractor = new XnlExtractor();
        return;
      case 'text-delta':
        return this.#take(this.#extractor?.push(event.text));
      case 'text-end':
        this.#take(this.#extractor?.end());
        this.#extractor = undefined;
        return this.#close();
      case 'tool-call-start':
        return void this.#native.set(event.index, event);
      case 'tool-call-delta':
        return;
      case 'tool-call-end':
        return this.#readNative(event);
      case 'end':
        return this.#end(event);
      case 'prompt-progress':
        return void this.#events.push(event);
      case 'error':
        this.#close();
        return void this.#events.push(event);
      default:
        this.#close();
        return void this.#events.push({ ...event, index: this.#indexOf(event.index) });
    }
  }

  #indexOf(index: number): number {
    const known = this.#others.get(index);
    if (known !== undefined) return known;
    this.#others.set(index, this.#next);
    return this.#next++;
  }

  #take(found: readonly Extracted[] = []): void {
    for (const each of found) {
      if (this.#isMadeUp) return;
      if (each.kind === 'text' || each.kind === 'thinking') this.#say(each.kind, each.text);
      else if (each.kind === 'problem') this.#call(callForProblem(each.problem, each.message), each.raw);
      else this.#takeElement(each);
    }
  }

  /** The same element twice in one answer is one call. */
  #takeElement({ element, raw }: Extract<Extracted, { kind: 'element' }>): void {
    const call = writtenCall(element, this.#routes);
    this.#isMadeUp = element.tag === 'tool_resp';
    // A model that was asked for nothing hears that results are not its to write.
    if (this.#isMadeUp && this.#calls > 0) return;
    const written = raw.slice(Math.max(0, raw.indexOf('<tool_call')));
    if (this.#seen.size === this.#seen.add(written).size) return;
    const isCopied = call.invalid === undefined && this.#isCopied(written);
    this.#call(isCopied ? { ...call, invalid: copiedHint } : call, raw);
  }

  /** After a call, a model may invent its result. */
  #say(kind: 'text' | 'thinking', text: string): void {
    const isWatched = kind === 'text' && this.#calls > 0;
    const sure = isWatched ? this.#results.push(text) : text;
    this.#isMadeUp ||= this.#results.isFound;
    if (sure !== '') this.#write(kind, sure);
  }

  #write(kind: 'text' | 'thinking', text: string): void {
    if (this.#open?.kind !== kind) {
      this.#endBlock();
      this.#open = { kind, index: this.#next++ };
      this.#events.push({ type: `${kind}-start`, index: this.#open.index });
    }
    this.#events.push({ type: `${kind}-delta`, index: this.#open.index, text });
  }

  #close(): void {
    const held = this.#results.end();
    if (held !== '') this.#write('text', held);
    this.#endBlock();
  }

  #endBlock(): void {
    if (this.#open) this.#events.push({ type: `${this.#open.kind}-end`, index: this.#open.index });
    this.#open = undefined;
  }

  #call({ id, name, input, invalid }: WrittenCall, raw: string): void {
    this.#close();
    const index = this.#next++;
    this.#calls++;
    const extra = invalid === undefined ? { raw } : { invalid, raw };
    this.#events.push(
      { type: 'tool-call-start', index, id: this.#freeId(id), name },
      { type: 'tool-call-delta', index, json: JSON.stringify(input) },
      { type: 'tool-call-end', index, input, ...extra },
    );
  }

  /** Small models restart the numbering of calls in every answer; a conversation needs unique ids. */
  #freeId(wanted = `call_${this.#calls}`): string {
    let id = wanted;
    for (let count = 2; this.#takenIds.has(id); count++) id = `${wanted}_${count}`;
    this.#takenIds.add(id);
    return id;
  }

  #readNative(event: Extract<ModelEvent, { type: 'tool-call-end' }>): void {
    const start = this.#native.get(event.index);
    if (!start) return;
    this.#native.delete(event.index);
    this.#close();
    const route = isJsonObject(event.input) ? this.#routes.find(start.name, event.input) : undefined;
    const { name, input } = route?.ok ? route : { name: start.name, input: event.input };
    const index = this.#next++;
    this.#calls++;
    this.#events.push({ ...start, index, id: this.#freeId(start.id), name }, { ...event, index, input });
  }

  #end(event: Extract<ModelEvent, { type: 'end' }>): void {
    this.#close();
    const stopReason = event.stopReason === 'end' && this.#calls > 0 ? 'tool-calls' : event.stopReason;
    const note = this.#isMadeUp ? madeUp : event.note;
    this.#events.push({ ...event, stopReason, ...(note === undefined ? {} : { note }) });
  }
}
