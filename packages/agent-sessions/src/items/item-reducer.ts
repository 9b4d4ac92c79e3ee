import {
  type AgentEvent,
  type AssistantMessage,
  callStateOf,
  cutOf,
  failureName,
  given,
  type Message,
  type ShellRun,
  type ToolMessage,
  textOf,
} from '@robota-sdk/agent-core';
import type { CompactionEntry, CustomEntry, Entry } from '../entry/entry.ts';
import { isToldBy, type RunFact, runFactOf, runFacts } from '../entry/run-fact.ts';
import { compactionOfEntry, compactionOfEvent } from './compaction-item.ts';
import type { Item, ToolItem } from './item.ts';
import { userItem } from './user-item.ts';

/** An event or a stored entry of a session. */
export type ItemInput =
  /** `at`: Unix milliseconds. */
  { readonly event: AgentEvent; readonly at: number } | { readonly entry: Entry };

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

interface Slot {
  item: Item;
  isOpen: boolean;
  /** It was handed out by `takeFinished` and is not in the list any more. */
  isTaken: boolean;
}

/** Characters kept at the end of a running call's output. */
const keptOutput = 16_384;

/**
 * Builds the items of a conversation from its events while it happens, and from its entries when it is read again. A
 * delta costs the same however long the conversation is: only the item that is open changes.
 */
export class ItemReducer {
  #slots: Slot[] = [];
  /** The calls of the last answer; vendors may use the same ids again in later ones. */
  readonly #calls = new Map<string, Slot>();
  /** The blocks of the answer that is being written. The message replaces them when it is stored. */
  #written: Slot[] = [];
  #block: (Slot & { readonly startedAt: number }) | undefined;
  #hasFinished = false;
  #last: Message | undefined;
  /** The model of the answer before. */
  #model: string | undefined;
  #run: { readonly startedAt: number; toolCount: number } | undefined;
  /** A compaction whose receipt may be in one of the next entries. */
  #unreceipted: { readonly slot: Slot; readonly summary: string } | undefined;

  /** All items that were not taken. */
  get items(): readonly Item[] {
    return this.#slots.map(({ item }) => item);
  }

  /** Visible items that are not, or not fully, in the stored messages. */
  get pending(): readonly Item[] {
    const calls = this.#slots.filter((slot) => slot.item.kind === 'tool' && !this.#written.includes(slot));
    return [...this.#written, ...calls].map(({ item }) => item);
  }

  /** Ids of calls of the last answer without a result. */
  get openCalls(): readonly string[] {
    return [...this.#calls].filter(([, { isOpen }]) => isOpen).map(([id]) => id);
  }

  /** The block that is being written, an answer or thinking. */
  get openBlock(): Item | undefined {
    return this.#block?.item;
  }

  /**
   * Removes and returns items that cannot change any more, for front ends that print each item once. Calls leave in
   * order.
   */
  takeFinished(): readonly Item[] {
    if (!this.#hasFinished) return [];
    this.#hasFinished = false;
    const taken: Item[] = [];
    let isCallBefore = false;
    this.#slots = this.#slots.filter((slot) => {
      const isCall = slot.item.kind === 'tool';
      slot.isTaken = !slot.isOpen && !(isCall && isCallBefore);
      if (slot.isTaken) taken.push(slot.item);
      else isCallBefore ||= isCall;
      return !slot.isTaken;
    });
    return taken;
  }

  apply(input: ItemInput): void {
    if ('entry' in input) this.#applyEntry(input.entry);
    else this.#applyEvent(input.event, input.at);
  }

  #applyEntry(entry: Entry): void {
    const fact = runFacts.read(entry);
    if (fact) return isToldBy(this.#last, fact) ? undefined : this.#addFact(fact);
    if (entry.type === 'compaction' || entry.type === 'custom') return this.#addCompaction(entry);
    this.#unreceipted = undefined;
    if (entry.type === 'message') this.#addMessage(entry.message);
    else if (entry.type === 'shell') this.#addShell(entry);
    else if (entry.type === 'branch_summary')
      this.#add({ kind: 'note', text: withText('What was done on a branch that was left:', entry.summary) });
  }

  #applyEvent(event: AgentEvent, at: number): void {
    switch (event.type) {
      case 'text-delta':
        return this.#write('answer', event.text, at);
      case 'thinking-delta':
        return this.#write('thinking', event.text, at);
      case 'text-end':
      case 'thinking-end':
        return this.#endBlock(at);
      case 'tool-progress':
        return this.#printed(event);
      case 'tool-start':
        return this.#start(event, at);
      case 'tool-end':
        return this.#settle(event.result);
      case 'server-tool':
        return this.#useServerTool(event);
      case 'message-append':
        return this.#addMessage(event.message);
      case 'shell-end':
        return this.#addShell(event.run);
      case 'compaction-end':
        return this.#compacted(event);
      default:
        return this.#applyRunEvent(event, at);
    }
  }

  #applyRunEvent(event: AgentEvent, at: number): void {
    switch (event.type) {
      case 'run-start':
        this.#run = { startedAt: at, toolCount: 0 };
        return;
      case 'turn-start':
        return this.#dropWritten();
      case 'text-restart':
        this.#dropWritten();
        return this.#notice('warning', 'Connection lost; restarting the answer.');
      case 'model-switch':
        return this.#notice(
          'warning',
          `${event.from.id} failed (${failureName(event.failure.code)}); continuing with ${event.to.id}.`,
        );
      case 'notice-show':
        // A compaction has a separate item, and so has a fact about an answer.
        if (event.about === 'compaction' || event.about === 'answer') return this.#addFactOf(event);
        return this.#notice(event.level, event.text);
      case 'run-end':
        return this.#endRun(event, at);
      default:
        return;
    }
  }

  #addFact({ warning, ended, error }: RunFact): void {
    if (warning !== undefined) this.#add({ kind: 'notice', level: 'warning', text: warning, isStored: true });
    else if (error !== undefined || ended === 'aborted') this.#add({ kind: 'cut', ...given('error', error) });
  }

  #addMessage(message: Message): void {
    this.#last = message;
    if (message.role === 'user') {
      const item = userItem(message);
      return item && this.#add(item);
    }
    if (message.role === 'tool') return this.#settle(message);
    const written = this.#written;
    this.#dropWritten();
    if (message.content.length > 0) {
      this.#closeCalls();
      this.#calls.clear();
    }
    const blocks = this.#blocksOf(message);
    const shown = written.filter(({ isTaken }) => isTaken);
    for (const slot of blocks) {
      if (shown[0]?.item.kind === slot.item.kind) shown.shift();
      else this.#put(slot);
    }
    this.#addCut(message);
  }

  #addCut(message: AssistantMessage): void {
    const cut = cutOf(message);
    if (cut?.reason === 'length') this.#addFact({ warning: cut.text });
    else if (cut) this.#add({ kind: 'cut', ...(cut.reason === 'error' && { error: cut.text }) });
  }

  /** The items of an answer; its calls are open until their results arrive. */
  #blocksOf({ content, model }: AssistantMessage): readonly Slot[] {
    const slots: Slot[] = [];
    const name = `${model.vendor}/${model.id}`;
    if (this.#model !== undefined && this.#model !== name)
      slots.push(finished({ kind: 'note', text: `Model: ${name}` }));
    this.#model = name;
    for (const block of content) {
      if (block.type === 'text' || block.type === 'thinking') {
        const kind = block.type === 'text' ? 'answer' : 'thinking';
        if (block.text.trim() !== '') slots.push(finished({ kind, text: block.text }));
      } else if (block.type === 'tool-call') slots.push(this.#call(block));
      else if (block.phase === 'call') slots.push(this.#call({ ...block, input: { query: block.summary } }));
      else this.#settleServerTool(block.id, block.summary);
    }
    return slots;
  }

  /** Until its result arrives, a call counts as lost. */
  #call({ id, name, input }: Pick<ToolItem, 'name' | 'input'> & { readonly id: string }): Slot {
    const output = 'No result was recorded: it was cut off, or it still runs.';
    const item: ToolItem = { kind: 'tool', callId: id, name, input, state: 'lost', output };
    const slot: Slot = { item, isOpen: true, isTaken: false };
    this.#calls.set(id, slot);
    return slot;
  }

  #start({ call }: EventOf<'tool-start'>, at: number): void {
    if (this.#run) this.#run.toolCount++;
    const slot = this.#calls.get(call.id) ?? this.#put(this.#call(call));
    const { id: callId, name, input } = call;
    slot.item = { kind: 'tool', callId, name, input, state: 'running', output: '', startedAt: at };
  }

  #printed({ toolCallId, text }: EventOf<'tool-progress'>): void {
    const slot = this.#calls.get(toolCallId);
    if (slot?.item.kind !== 'tool' || slot.item.state !== 'running') return;
    const all = slot.item.output + text;
    const output = all.length > 2 * keptOutput ? all.slice(-keptOutput) : all;
    slot.item = { ...slot.item, output };
  }

  /** The event and the message of a result are equal; the first one counts. */
  #settle(result: ToolMessage): void {
    const { toolCallId: id, toolName, content, display, durationMs, exitCode, ran, permission } = result;
    const slot = this.#calls.get(id) ?? this.#put(this.#call({ id, name: toolName, input: {} }));
    if (slot.item.kind !== 'tool' || !slot.isOpen) return;
    const images = content.filter(({ type }) => type === 'image').map(() => '[image]');
    const output = [textOf(content), ...images].filter((part) => part !== '').join('\n');
    const { callId, name, input } = { ...slot.item, ...(ran ?? {}) };
    const state = callStateOf(result, input);
    const ended = { state, output, display, durationMs, exitCode, ...(permission && { permission }) };
    if (this.#run && permission?.kind === 'skipped') this.#run.toolCount--;
    slot.item = { kind: 'tool', callId, name, input, ...ended };
    this.#close(slot);
  }

  #useServerTool({ content }: EventOf<'server-tool'>): void {
    const { id, name, phase, summary } = content;
    if (phase === 'result') return this.#settleServerTool(id, summary);
    this.#endBlock();
    this.#put(this.#writing(this.#call({ id, name, input: { query: summary } })));
  }

  #settleServerTool(id: string, summary: string): void {
    const slot = this.#calls.get(id);
    if (slot?.item.kind !== 'tool' || !slot.isOpen) return;
    slot.item = { ...slot.item, state: 'done', output: summary };
    this.#close(slot);
  }

  #write(kind: 'answer' | 'thinking', text: string, at: number): void {
    if (this.#block?.item.kind !== kind) {
      this.#endBlock(at);
      this.#block = { item: { kind, text: '' }, isOpen: true, isTaken: false, startedAt: at };
      this.#put(this.#writing(this.#block));
    }
    const { item } = this.#block;
    if (item.kind === kind) this.#block.item = { kind, text: item.text + text };
  }

  /** Adds a block to the answer that is being written. */
  #writing(slot: Slot): Slot {
    this.#written.push(slot);
    return slot;
  }

  #endBlock(at?: number): void {
    const slot = this.#block;
    this.#block = undefined;
    if (!slot) return;
    if ('text' in slot.item && slot.item.text.trim() === '') return this.#remove([slot]);
    if (slot.item.kind === 'thinking' && at !== undefined)
      slot.item = { ...slot.item, durationMs: at - slot.startedAt };
    this.#close(slot);
  }

  /** A partial answer that did not become a message is dropped. */
  #dropWritten(): void {
    this.#block = undefined;
    this.#remove(this.#written);
    this.#written = [];
  }

  #remove(slots: readonly Slot[]): void {
    if (slots.length === 0) return;
    const removed = new Set(slots);
    this.#slots = this.#slots.filter((slot) => !removed.has(slot));
    if (this.#written !== slots) this.#written = this.#written.filter((slot) => !removed.has(slot));
  }

  #addShell({ command, output, omitted, exitCode, status, durationMs, isPrivate }: ShellRun): void {
    const known = { kind: 'shell', command, output, exitCode, status, isPrivate } as const;
    this.#add({ ...known, ...(omitted && { omitted }), ...(durationMs === undefined ? {} : { durationMs }) });
  }

  #compacted(event: EventOf<'compaction-end'>): void {
    const item = compactionOfEvent(event);
    if (item) return this.#add(item);
    // A manual compaction is reported by its command; a window that stays full has a separate warning.
    if (event.reason === 'overflow')
      this.#notice('warning', event.notice ?? 'The context could not be compressed any further.');
  }

  /** If a compaction has several entries, the last one has the receipt; those of other programs have none. */
  #addCompaction(entry: CompactionEntry | CustomEntry): void {
    const before = this.#unreceipted;
    if (entry.type === 'custom') {
      const item = compactionOfEntry(entry, before?.summary);
      if (item && before) before.slot.item = item;
      else if (item) this.#add(item);
      if (item) this.#unreceipted = undefined;
      return;
    }
    const { tokensBefore, tokensAfter, summary } = entry;
    const item = compactionOfEntry(entry, summary);
    const slot = this.#put(finished(item ?? { kind: 'compaction', tokensBefore, tokensAfter, summary }));
    this.#unreceipted = item ? undefined : { slot, summary };
  }

  #addFactOf(event: AgentEvent): void {
    const fact = runFactOf(event, this.#last);
    if (fact) this.#addFact(fact);
  }

  #endRun(event: EventOf<'run-end'>, at: number): void {
    const { outcome } = event;
    this.#dropWritten();
    this.#closeCalls();
    this.#addFactOf(event);
    const { startedAt, toolCount } = this.#run ?? { startedAt: at, toolCount: 0 };
    this.#run = undefined;
    if (outcome.error) this.#notice('error', outcome.error.message);
    this.#add({ kind: 'run-end', outcome, toolCount, durationMs: at - startedAt });
  }

  /** Marks open calls as lost, because no result can come. */
  #closeCalls(): void {
    for (const slot of this.#calls.values()) {
      if (!slot.isOpen) continue;
      if (slot.item.kind === 'tool' && slot.item.state === 'running')
        slot.item = { ...slot.item, state: 'lost', startedAt: undefined };
      this.#close(slot);
    }
  }

  #notice(level: 'info' | 'warning' | 'error', text: string): void {
    this.#add({ kind: 'notice', level, text });
  }

  /** Adds a finished item; before an answer that is still being written, as it will be stored. */
  #add(item: Item): void {
    this.#put(finished(item));
  }

  #put(slot: Slot): Slot {
    const first = this.#written.find(({ isTaken }) => !isTaken);
    const isWritten = this.#written.includes(slot) || first === undefined;
    if (isWritten) this.#slots.push(slot);
    else this.#slots.splice(this.#slots.lastIndexOf(first), 0, slot);
    if (!slot.isOpen) this.#hasFinished = true;
    return slot;
  }

  #close(slot: Slot): void {
    slot.isOpen = false;
    this.#hasFinished = true;
  }
}

function finished(item: Item): Slot {
  return { item, isOpen: false, isTaken: false };
}

function withText(heading: string, text: string): string {
  return text.trim() === '' ? heading : `${heading}\n\n${text.trim()}`;
}
