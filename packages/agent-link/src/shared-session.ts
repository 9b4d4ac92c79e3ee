import { type Answer, errorMessage, Listeners } from '@robota-sdk/agent-core';
import {
  type ContextPart,
  configuredServers,
  type InteractiveSession,
  type QuestionChange,
  type QuestionSource,
  type SessionEvent,
  textOf,
} from '@robota-sdk/agent-sdk/front-end';
import type {
  AnswerOutcome,
  Front,
  HandOverOutcome,
  LinkChange,
  LinkedFacts,
  LinkedSession,
  QueuedMessageText,
  WaitingQuestion,
} from './linked-session.ts';
import { LiveFold } from './live-fold.ts';
import { answerText, questionDigest } from './question-text.ts';

export interface SharedSessionOptions {
  readonly session: InteractiveSession;
  readonly front: Front;
  readonly questions: QuestionSource;
  /** Events of the active run that came before. */
  readonly heard?: readonly SessionEvent[];
  /** Tells the user that the session goes elsewhere, and releases it; its lock is free afterwards. */
  release(): Promise<void>;
}

interface SettledAnswer {
  readonly by: Front | 'gone';
  readonly text: string;
}

const mostSettled = 200;
/** Facts are told at most this often. */
const factsMs = 100;

/** A session of this process that others may watch. Costs a few assignments per event while no one does. */
export class SharedSession implements LinkedSession {
  readonly sessionId: string;
  readonly holder: LinkedSession['holder'];
  readonly session: InteractiveSession;
  readonly #options: SharedSessionOptions;
  readonly #fold = new LiveFold();
  readonly #listeners = new Listeners<LinkChange>();
  readonly subscribe = this.#listeners.add;
  readonly #digests = new Map<string, WaitingQuestion>();
  readonly #settled = new Map<string, SettledAnswer>();
  readonly #stop: (() => void)[];
  /** The front whose answer is being given. */
  #answering: Front | undefined;
  #runningSince: number | null = null;
  #turn = 0;
  #factsTimer: NodeJS.Timeout | undefined;
  #models: readonly string[] | undefined;
  #isOver = false;

  constructor(options: SharedSessionOptions) {
    const { session, front, questions } = options;
    this.#options = options;
    this.session = session;
    this.sessionId = session.id;
    this.holder = { front, pid: process.pid };
    if (session.isRunning) this.#runningSince = Date.now();
    for (const event of options.heard ?? []) this.#fold.take(slimEvent(event));
    this.#stop = [
      session.subscribe((event) => this.#take(event)),
      questions.subscribe((change) => this.#questionChanged(change)),
      session.permissions.onModeChange(() => this.changed()),
    ];
  }

  facts(): LinkedFacts {
    const { session } = this;
    const { usedTokens, maxTokens, parts, reserveTokens } = session.context.report();
    const { vendor, id } = session.model;
    return {
      runningSince: this.#runningSince,
      turn: this.#turn,
      model: `${vendor}/${id}`,
      models: this.#usableModels(`${vendor}/${id}`),
      mode: session.permissions.mode,
      todos: session.todos.map(({ content, status }) => ({ content, status })),
      context: {
        used: usedTokens,
        max: maxTokens,
        compactsAt: maxTokens === 0 ? 1 : (maxTokens - reserveTokens) / maxTokens,
        parts: partsByKind(parts),
      },
      queue: queueOf(session),
    };
  }

  live(): readonly SessionEvent[] {
    return this.#fold.events();
  }

  questions(): readonly WaitingQuestion[] {
    return this.#options.questions.waiting().map(({ id, question, since }) => {
      const known = this.#digests.get(id);
      if (known?.question === question) return known;
      const waiting = { id, question, since, digest: questionDigest(question) };
      this.#digests.set(id, waiting);
      return waiting;
    });
  }

  async answer(
    request: { readonly id: string; readonly digest: string; readonly answer: Answer },
    by: Front = 'web',
  ): Promise<AnswerOutcome> {
    const asked = this.questions().find(({ id }) => id === request.id);
    if (!asked) return { isTaken: false, ...(this.#settled.get(request.id) ?? { by: 'gone', text: '' }) };
    if (asked.digest !== request.digest) return { isTaken: false, by: 'changed', text: '' };
    this.#answering = by;
    const isTaken = this.#options.questions.answer(request.id, request.answer);
    this.#answering = undefined;
    return isTaken ? { isTaken } : { isTaken: false, by: 'gone', text: '' };
  }

  async handOver({ stop }: { readonly stop: boolean }): Promise<HandOverOutcome> {
    if (this.#isOver) return { isFree: true };
    const { session } = this;
    if (session.isRunning && !stop)
      return { isFree: false, why: 'run-active', text: 'A run is active in this session.' };
    try {
      if (session.isRunning) await session.abort();
      await this.#options.release();
    } catch (thrown) {
      return { isFree: false, why: 'refused', text: errorMessage(thrown) };
    }
    this.close();
    return { isFree: true };
  }

  /** Tells that facts changed which no event tells of, such as the model. */
  changed(): void {
    if (this.#listeners.size === 0 || this.#factsTimer || this.#isOver) return;
    this.#factsTimer = setTimeout(() => {
      this.#factsTimer = undefined;
      this.#listeners.tell({ type: 'facts' });
    }, factsMs);
    this.#factsTimer.unref();
  }

  /** Ends the sharing; the session itself stays as it is. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#factsTimer);
    for (const stop of this.#stop) stop();
    this.#listeners.tell({ type: 'end' });
    this.#listeners.clear();
  }

  #take(event: SessionEvent): void {
    const slim = slimEvent(event);
    this.#fold.take(slim);
    if (event.type === 'run-start') [this.#runningSince, this.#turn] = [Date.now(), 0];
    if (event.type === 'turn-start') this.#turn = event.turn;
    if (event.type === 'run-end') this.#runningSince = null;
    if (event.type === 'settings-change') this.#models = undefined;
    if (event.type === 'session-close') return this.close();
    this.#listeners.tell({ type: 'event', event: slim });
    if (changesFacts.has(event.type)) this.changed();
  }

  #questionChanged(change: QuestionChange): void {
    if (change.type === 'settled') {
      const question = this.#digests.get(change.id)?.question;
      this.#digests.delete(change.id);
      const by = { user: this.holder.front, elsewhere: this.#answering ?? 'web', withdrawn: 'gone' } as const;
      const text = question ? answerText(question, change.answer) : '';
      this.#settled.set(change.id, { by: by[change.by], text });
      const [oldest] = this.#settled.keys();
      if (oldest !== undefined && this.#settled.size > mostSettled) this.#settled.delete(oldest);
    } else if (this.#listeners.size > 0) this.questions();
    this.#listeners.tell({ type: 'questions' });
  }

  #usableModels(current: string): readonly string[] {
    this.#models ??= usableModels(this.session);
    return this.#models.includes(current) ? this.#models : [current, ...this.#models];
  }
}

const changesFacts: ReadonlySet<SessionEvent['type']> = new Set([
  'run-start',
  'run-end',
  'turn-start',
  'tool-end',
  'queue-change',
  'context-change',
  'settings-change',
  'model-switch',
]);

/** Kinds of content by the group that a small plot shows; all others are conversation. */
const groups: Readonly<Partial<Record<ContextPart['kind'], string>>> = {
  system: 'Instructions',
  instructions: 'Instructions',
  reminders: 'Instructions',
  pins: 'Instructions',
  tool: 'Tools',
  'tool-calls': 'Tool results',
  'tool-results': 'Tool results',
};

/** Four groups, always in the same order; single tools and files are of no interest here. */
function partsByKind(parts: readonly ContextPart[]): LinkedFacts['context']['parts'] {
  const tokens = new Map(['Instructions', 'Tools', 'Tool results', 'Conversation'].map((name) => [name, 0]));
  for (const part of parts) {
    const name = groups[part.kind] ?? 'Conversation';
    tokens.set(name, (tokens.get(name) ?? 0) + part.tokens);
  }
  return [...tokens].map(([name, count]) => ({ name, tokens: count }));
}

function usableModels(session: InteractiveSession): readonly string[] {
  const config = session.live?.config;
  if (!config) return [];
  const vendors = new Set(configuredServers(config).map(({ vendor }) => vendor.id));
  return session
    .listModels()
    .filter(({ vendor }) => vendors.has(vendor))
    .map(({ vendor, id }) => `${vendor}/${id}`);
}

/** Queued messages are named by their kind and position, and by their text, so that another is never removed. */
function queueOf({ queue }: InteractiveSession): readonly QueuedMessageText[] {
  const named = (as: QueuedMessageText['as'], messages: typeof queue.steering) =>
    messages.map(({ content }, index) => {
      const text = textOf(content);
      return { id: `${as}-${index}-${questionDigest({ kind: 'text', title: text }).slice(0, 8)}`, as, text };
    });
  return [...named('steer', queue.steering), ...named('queue', queue.followUp)];
}

/** An event without content that stands in an entry anyway: messages may hold images, results whole files. */
function slimEvent(event: SessionEvent): SessionEvent {
  if (event.type === 'message-append') return { ...event, message: { ...event.message, content: [] } };
  if (event.type !== 'tool-end') return event;
  const { display: _, ...result } = event.result;
  return { ...event, result: { ...result, content: [] } };
}
