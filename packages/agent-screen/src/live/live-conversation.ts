import { type InteractiveSession, isLoopEvent, type SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import { type Item, ItemReducer, type ToolItem } from '@robota-sdk/agent-sessions';
import { oneLine } from '@robota-sdk/agent-tui';
import { indent } from '../items/classic-item.ts';
import { leadOf } from '../items/render-item.ts';
import { renderThinking } from '../items/render-thinking.ts';
import type { AppStyle } from '../theme/app-tokens.ts';
import { type Activity, activityAfter, activityOfTools, paceOf } from './activity.ts';
import { renderLiveTools } from './render-live-tools.ts';
import { RetryLine, type VendorName } from './retry-line.ts';
import { StreamingAnswer } from './streaming-answer.ts';
import type { Transcript } from './transcript.ts';

export interface LiveConversationOptions {
  readonly look: AppStyle;
  readonly transcript: Transcript;
  readonly isThinkingHidden: () => boolean;
  /** Takes secrets out of a text. */
  redact(text: string): string;
  readonly now?: () => number;
  /** The session that is shown, which knows the names of vendors. */
  session?(): InteractiveSession | undefined;
}

/** Vendors count tokens only at the end of a turn. */
const lettersOfToken = 4;
/** The number grows by so many at once: each change is a row to paint. */
const tokenStep = 100;
/** Visible rows of live thinking. */
const thinkingRows = 4;
/** Only the end of long live thinking is laid out. */
const laidOutThinking = 2000;

/** The part of a conversation that may still change; what is finished goes into the transcript and is not kept. */
export class LiveConversation {
  readonly #options: LiveConversationOptions;
  readonly #items = new ItemReducer();
  readonly #now: () => number;
  readonly #retries: RetryLine;
  readonly #vendorName: VendorName;
  #answer: StreamingAnswer | undefined;
  #activity: Activity | undefined;
  #isRunning = false;
  /** When the user interrupted the run, which may take a moment to end. */
  #interruptedAt: number | undefined;
  /** Characters that the model has written in this turn. */
  #writtenLength = 0;

  constructor(options: LiveConversationOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#vendorName = (id) => {
      const vendors = options.session?.()?.live?.config.catalogue.vendors;
      return vendors?.find((vendor) => vendor.id === id)?.name ?? id;
    };
    this.#retries = new RetryLine(this.#vendorName);
  }

  /** The current activity; undefined between runs. */
  get activity(): Activity | undefined {
    if (!this.#activity) return undefined;
    if (this.#interruptedAt !== undefined) return { what: 'Interrupting', since: this.#interruptedAt };
    const { look, transcript } = this.#options;
    // Asked for with every frame: only the arguments are needed, and they may hold secrets.
    const running = this.#runningTools.map(({ display: _, ...item }) =>
      transcript.redacted({ ...item, output: '' }),
    );
    const what = activityOfTools(running, { look, format: transcript.format });
    if (what !== undefined) return { ...this.#activity, what };
    const tokens = this.writtenTokens;
    return tokens === 0 ? this.#activity : { ...this.#activity, tokens };
  }

  /** True in a run and while a conversation is compacted. */
  get isBusy(): boolean {
    return this.#activity !== undefined;
  }

  /** Milliseconds between two changes of the time that is shown, where that is all that changes. */
  get pace(): number | undefined {
    return this.#activity && paceOf(this.#activity, this.#now());
  }

  /** Tokens that the model has written in this turn, in steps. */
  get writtenTokens(): number {
    return tokenStep * Math.floor(this.#writtenLength / lettersOfToken / tokenStep);
  }

  /** True if the answer is being written. */
  get isAnswering(): boolean {
    return this.#answer !== undefined;
  }

  /** True if calls run, and not the model. */
  get isWaitingForTools(): boolean {
    return this.#runningTools.length > 0;
  }

  /** Items on screen that are not, or not all of them, in the stored messages. */
  get pending(): readonly Item[] {
    return this.#items.pending;
  }

  /** The user interrupts the run. */
  interrupt(): void {
    if (this.#isRunning) this.#interruptedAt ??= this.#now();
  }

  take(event: SessionEvent): void {
    if (!isLoopEvent(event)) return;
    if (event.type === 'notice-show' && event.about === 'check') return this.#waitForCheck(event.text);
    this.#wait(event);
    if (event.type === 'turn-start') this.#writtenLength = 0;
    if (event.type === 'text-delta' || event.type === 'thinking-delta')
      this.#writtenLength += event.text.length;
    if (event.type === 'retry-wait') this.#retries.add(event, this.#now());
    if (event.type === 'limit-wait')
      this.#retries.add({ ...event, delayMs: event.until - this.#now() }, this.#now());
    this.#tellRetries(event);
    this.#items.apply({ event, at: this.#now() });
    if (event.type === 'text-restart') this.#answer = undefined;
    if (event.type === 'run-end') this.#endAnswer();
    for (const item of this.#items.takeFinished()) this.#print(item);
    if (event.type === 'text-delta') this.#write(event.text);
    if (event.type === 'text-end') this.#endAnswer();
    this.#tellRetries(event);
  }

  /** The lines that became finished since the last time. */
  takeFinished(columns: number): readonly string[] {
    return this.#answer?.takeFinished(columns) ?? [];
  }

  /** The lines that may still change. */
  render(columns: number): readonly string[] {
    const { look, transcript } = this.#options;
    const redacted = (item: ToolItem) => transcript.redacted(item);
    const held = transcript.renderHeld(columns);
    const { format } = transcript;
    const previous = held.length > 0 ? ({ kind: 'reads' } as const) : transcript.previous;
    const view = { look, columns, previous, format, now: this.#now(), redacted };
    const answer = this.#answer?.render(columns) ?? [];
    return [
      ...held,
      ...this.#renderThinking(columns),
      ...answer,
      ...renderLiveTools(this.#items.items, view),
    ];
  }

  get #runningTools(): readonly ToolItem[] {
    return this.#items.items.flatMap((item) =>
      item.kind === 'tool' && item.state === 'running' ? [item] : [],
    );
  }

  #wait(event: SessionEvent): void {
    if (event.type === 'run-start') this.#isRunning = true;
    if (event.type === 'run-end') this.#isRunning = false;
    if (event.type === 'run-start' || event.type === 'run-end') this.#interruptedAt = undefined;
    if (event.type === 'run-end' || (event.type === 'compaction-end' && !this.#isRunning)) {
      this.#activity = undefined;
      return;
    }
    if (event.type === 'tool-start') this.#activity = { what: '', since: this.#now() };
    const { look } = this.#options;
    const before = this.#activity;
    const next = activityAfter(event, this.#now(), { look, vendorName: this.#vendorName, before });
    // Further events of an activity do not reset its start.
    const isNew = next?.what !== this.#activity?.what || event.type === 'turn-start';
    if (next && isNew) this.#activity = next;
  }

  /** Shows a running check of the goal; its outcome is a notice. */
  #waitForCheck(text: string): void {
    this.#activity = { what: oneLine(this.#options.redact(text)), since: this.#now() };
  }

  /** Retries leave one line behind; those in the middle of an answer after it. */
  #tellRetries(event: SessionEvent): void {
    if (this.#answer) return;
    const text = this.#retries.after(event, this.#now());
    if (text !== undefined) this.#options.transcript.print({ kind: 'notice', level: 'warning', text });
  }

  #print(item: Item): void {
    if (isToldElsewhere(item)) return;
    const { transcript, redact } = this.#options;
    if (item.kind === 'answer' && this.#answer) this.#endAnswer();
    else if (item.kind === 'shell') transcript.print({ ...item, output: redact(item.output) });
    else transcript.print(item);
  }

  #write(text: string): void {
    this.#answer ??= new StreamingAnswer(this.#options.look, this.#options.transcript);
    this.#answer.append(text);
  }

  #endAnswer(): void {
    this.#answer?.finish();
    this.#answer = undefined;
  }

  #renderThinking(columns: number): readonly string[] {
    const block = this.#items.openBlock;
    if (block?.kind !== 'thinking' || this.#options.isThinkingHidden()) return [];
    const { look, transcript } = this.#options;
    const end = block.text.slice(-laidOutThinking);
    const lines = renderThinking(end, { look, columns, indent }).slice(-thinkingRows);
    const { previous, format } = transcript;
    return [...leadOf({ kind: 'thinking' }, { look, columns, previous, format }), ...lines];
  }
}

/** Live, the answer of a command and the end of the run say the same as these items. */
function isToldElsewhere(item: Item): boolean {
  return (
    item.kind === 'note' || item.kind === 'cut' || (item.kind === 'compaction' && item.reason === 'manual')
  );
}
