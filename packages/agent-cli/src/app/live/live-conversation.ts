import { type AgentEvent, failureName, type ShellRun, spokenContent, textOf } from '@robota-sdk/agent-sdk';
import type { Item } from '@robota-sdk/agent-sessions';
import { indent, leadOf } from '../items/render-item.ts';
import { renderThinking } from '../items/render-thinking.ts';
import type { AppStyle } from '../theme/app-tokens.ts';
import { type Activity, activityAfter, activityOfTools } from './activity.ts';
import { describeCompaction } from './describe-compaction.ts';
import { LiveTools } from './live-tools.ts';
import { StreamingAnswer } from './streaming-answer.ts';
import type { Transcript } from './transcript.ts';

export interface LiveConversationOptions {
  readonly look: AppStyle;
  readonly transcript: Transcript;
  readonly isThinkingHidden: () => boolean;
  /** What the person entered that led to a message, where the message is something else; such as a command. */
  enteredFor(text: string, origin: string | undefined): string | undefined;
  /** Takes secrets out of a text. */
  redact(text: string): string;
  /** The tokens that fit the model's window. */
  contextWindow(): number;
  readonly now?: () => number;
}

/** How many rows of thinking are in sight while it goes on. */
const thinkingRows = 4;
/** Of long thinking only the end is laid out while it goes on. */
const laidOutThinking = 2000;

/** The part of a conversation that may still change: a fold over the events of a run. */
export class LiveConversation {
  readonly #options: LiveConversationOptions;
  readonly #tools: LiveTools;
  readonly #now: () => number;
  #answer: StreamingAnswer | undefined;
  #thinking = '';
  #activity: Activity | undefined;
  #run: { readonly startedAt: number; toolCount: number } | undefined;
  /** What is finished of an answer that is not a message yet. */
  #unstored: Item[] = [];

  constructor(options: LiveConversationOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#tools = new LiveTools(options.look, options.transcript);
  }

  /** What is being waited for; nothing between runs. */
  get activity(): Activity | undefined {
    if (!this.#activity) return undefined;
    const what = activityOfTools(this.#tools.running);
    return what === undefined ? this.#activity : { ...this.#activity, what };
  }

  /** Whether the answer is being written. */
  get isAnswering(): boolean {
    return this.#answer !== undefined;
  }

  /** Whether calls run, and not the model. */
  get isWaitingForTools(): boolean {
    return this.#tools.running.length > 0;
  }

  /** What is shown and not yet, or not yet all, in the messages of the session. */
  get pending(): readonly Item[] {
    const thinking: Item[] = this.#thinking === '' ? [] : [{ kind: 'thinking', text: this.#thinking }];
    const answer: Item[] = this.#answer ? [{ kind: 'answer', text: this.#answer.text }] : [];
    return [...this.#unstored, ...thinking, ...answer, ...this.#tools.pending];
  }

  take(event: AgentEvent): void {
    this.#wait(event);
    switch (event.type) {
      case 'run-start':
        this.#run = { startedAt: this.#now(), toolCount: 0 };
        return;
      case 'text-delta':
        return this.#write(event.text);
      case 'text-end':
        return this.#endAnswer();
      case 'text-restart':
        this.#answer = undefined;
        this.#unstored = [];
        return this.#tell('warning', 'Connection lost; restarting the answer.');
      case 'thinking-delta':
        this.#thinking += event.text;
        return;
      case 'thinking-end':
        return this.#endThinking();
      case 'tool-start':
        if (this.#run) this.#run.toolCount++;
        this.#activity = { what: '', since: this.#now() };
        return this.#tools.start(event, this.#now());
      case 'tool-progress':
        return this.#tools.progress(event.toolCallId, event.text);
      case 'tool-end':
        return this.#tools.end(event);
      case 'server-tool':
        return this.#tell('info', `${event.content.name} ${event.content.summary}`);
      case 'message-append':
        return this.#show(event.message);
      case 'shell-end':
        return this.#options.transcript.print({ kind: 'shell', ...this.#redacted(event.run) });
      case 'model-switch':
        return this.#tell(
          'warning',
          `${event.from.id} failed (${failureName(event.failure.code)}); continuing with ${event.to.id}.`,
        );
      case 'compaction-end':
        return this.#tellCompaction(event);
      case 'notice-show':
        // The line about a compaction has told more.
        return event.text.startsWith('Context compressed') ? undefined : this.#tell(event.level, event.text);
      case 'run-end':
        return this.#end(event);
    }
  }

  /** The lines that became finished since the last time. */
  takeFinished(columns: number): readonly string[] {
    return this.#answer?.takeFinished(columns) ?? [];
  }

  /** The lines that may still change. */
  render(columns: number): readonly string[] {
    const thinking = this.#renderThinking(columns);
    const answer = this.#answer?.render(columns) ?? [];
    return [...thinking, ...answer, ...this.#tools.render(columns, this.#now())];
  }

  #wait(event: AgentEvent): void {
    const next = activityAfter(event, this.#now());
    if (!next) return;
    // What goes on is not begun anew by each of its parts.
    if (next.what !== this.#activity?.what || event.type === 'turn-start') this.#activity = next;
  }

  #write(text: string): void {
    this.#endThinking();
    this.#answer ??= new StreamingAnswer(this.#options.look, this.#options.transcript);
    this.#answer.append(text);
  }

  #endAnswer(): void {
    if (this.#answer) this.#unstored.push({ kind: 'answer', text: this.#answer.text });
    this.#answer?.finish();
    this.#answer = undefined;
  }

  #endThinking(): void {
    const text = this.#thinking;
    this.#thinking = '';
    if (text.trim() === '') return;
    this.#unstored.push({ kind: 'thinking', text });
    this.#options.transcript.print({ kind: 'thinking', text });
  }

  #show(message: Extract<AgentEvent, { type: 'message-append' }>['message']): void {
    if (message.role === 'assistant') {
      this.#unstored = [];
      this.#tools.expect(message.content.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])));
    }
    if (message.role !== 'user' || hiddenOrigins.has(message.origin ?? '')) return;
    const said = textOf(spokenContent(message.content));
    const text = this.#options.enteredFor(said, message.origin) ?? said;
    this.#options.transcript.print({ kind: 'user', text });
  }

  #redacted(run: ShellRun): ShellRun {
    return { ...run, output: this.#options.redact(run.output) };
  }

  #tell(level: 'info' | 'warning' | 'error', text: string): void {
    this.#options.transcript.print({ kind: 'notice', level, text });
  }

  #tellCompaction(event: Extract<AgentEvent, { type: 'compaction-end' }>): void {
    if (!this.#run) this.#activity = undefined;
    // One that was asked for is told of by its command; a window that stays full has a warning of its own.
    if (event.reason === 'manual' || (event.kind === 'unchanged' && event.reason === 'threshold')) return;
    const level = event.notice === undefined ? 'info' : 'warning';
    this.#tell(level, describeCompaction(event, this.#options.contextWindow()));
  }

  #end({ outcome }: Extract<AgentEvent, { type: 'run-end' }>): void {
    this.#endThinking();
    this.#endAnswer();
    this.#tools.stop();
    this.#unstored = [];
    const { startedAt, toolCount } = this.#run ?? { startedAt: this.#now(), toolCount: 0 };
    this.#run = undefined;
    this.#activity = undefined;
    if (outcome.error) this.#tell('error', outcome.error.message);
    const durationMs = this.#now() - startedAt;
    this.#options.transcript.print({ kind: 'run-end', outcome, toolCount, durationMs });
  }

  #renderThinking(columns: number): readonly string[] {
    if (this.#thinking === '' || this.#options.isThinkingHidden()) return [];
    const { look, transcript } = this.#options;
    const end = this.#thinking.slice(-laidOutThinking);
    const lines = renderThinking(end, { look, columns, indent }).slice(-thinkingRows);
    return [...leadOf({ kind: 'thinking' }, { look, columns, previous: transcript.previous }), ...lines];
  }
}

/** Messages that nobody entered. */
const hiddenOrigins = new Set(['reminder', 'summary', 'pin', 'recall']);
