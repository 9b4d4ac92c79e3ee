import { randomUUID } from 'node:crypto';
import {
  type Access,
  type AgentEvent,
  type JsonObject,
  type Message,
  type ModelRef,
  type ShellRun,
  textOf,
  toolCallsOf,
  type UserMessage,
} from '@robota-sdk/agent-core';
import type { EntryDraft } from '../entry/entry.ts';
import { projectEntry } from '../entry/project-entry.ts';
import { runFactOf, runFacts } from '../entry/run-fact.ts';
import { type ISessionLogger, SilentSessionLogger } from '../log/session-logger.ts';
import type { SessionHandle } from '../store/session-handle.ts';
import { cacheBreak } from './cache-break.ts';
import { ParkedRun } from './parked-run.ts';
import type { PrefixLoss } from './prefix-watch.ts';
import type { Compaction, ConversationOptions } from './session-options.ts';

type RecorderOptions = Pick<ConversationOptions, 'logger' | 'isParentLeaving'>;

/** Records a run as it happens: the conversation in the session's file, the rest in its log. */
export class SessionRecorder {
  readonly #handle: SessionHandle | undefined;
  readonly #logger: ISessionLogger;
  /** The wait of a run for a limit. */
  readonly parked: ParkedRun;
  /** Messages whose entries are stored already. */
  readonly #kept = new Set<string>();
  /** True if written lines could be lost by a power failure. */
  #unsafe = false;
  #last: Message | undefined;
  /** The pending sync of the last written lines. */
  #saving: Promise<void> | undefined;
  /** Tools that had a call which could change something. */
  readonly #changing = new Set<string>();

  constructor(
    handle: SessionHandle | undefined,
    { logger = new SilentSessionLogger(), isParentLeaving = () => false }: RecorderOptions,
  ) {
    this.#handle = handle;
    this.#logger = logger;
    this.parked = new ParkedRun((draft) => this.append(draft), isParentLeaving);
  }

  /** Returns a promise only if something must be awaited. */
  record(event: AgentEvent): Promise<void> | undefined {
    const parked = this.parked.take(event);
    return parked === undefined ? this.#record(event) : parked.then(() => this.#record(event));
  }

  #record(event: AgentEvent): Promise<void> | undefined {
    switch (event.type) {
      case 'message-append':
        this.#last = event.message;
        this.#logMessage(event.message);
        return this.#keep(event.message);
      case 'tool-start':
        // A tool may take long, or crash the program.
        void this.#logger.flush();
        if (event.access.length > 0 && event.access.every(isReading)) return undefined;
        if (event.access.length > 0) this.#changing.add(event.call.name);
        return this.#makeSafe();
      case 'turn-end':
        return this.flush();
      case 'run-start':
        this.#logger.log('pre_run', loggedModel(event.model));
        return undefined;
      case 'turn-start':
        this.#logger.log('request', { ...loggedModel(event.model), turn: event.turn });
        // While waiting for the model, the log shows what led there.
        void this.#logger.flush();
        return undefined;
      default:
        this.#logEvent(event);
        return this.#keepFact(event);
    }
  }

  #keepFact(event: AgentEvent): Promise<void> | undefined {
    const isInterrupted = event.type === 'run-end' && event.outcome.status === 'aborted';
    const fact = isInterrupted && this.parked.isLeaving ? undefined : runFactOf(event, this.#last);
    if (!fact || !this.#handle || this.#handle.readOnly) return undefined;
    // A disk that fails is reported with the messages.
    return this.#handle.append(runFacts.draft({ ...fact })).then(
      () => {},
      () => {},
    );
  }

  async append(draft: EntryDraft): Promise<void> {
    await this.#handle?.append(draft, { durable: true });
  }

  /** Stores a command that the user ran; returns the message for the model, unless it is private. */
  async keepShell(run: ShellRun): Promise<UserMessage | undefined> {
    const message = { id: randomUUID(), timestamp: Date.now() };
    const entry = await this.#handle?.append({ type: 'shell', ...run, message }, { durable: true });
    const told = entry && projectEntry(entry);
    if (told) this.#kept.add(told.id);
    return told;
  }

  /** Stores the outcome of a compaction; the originals stay in the file. */
  async keepCompaction(
    { kind, entries, tokensBefore, tokensAfter, cost, receipt }: Compaction,
    reason: string,
  ): Promise<void> {
    const { model = null, notice = null } = receipt;
    this.#logger.log('compaction', { kind, reason, tokensBefore, tokensAfter, model, cost, notice });
    await this.#handle?.appendAll(entries, { durable: true });
  }

  /** The next message starts a new branch at the root. */
  async restart(): Promise<void> {
    const from = this.#handle?.leafId ?? null;
    await this.#handle?.setLeaf(null);
    this.logMove(from);
  }

  /** Stores why the vendor's cache was not used for a request, and the cost. */
  keepPrefixBreak(found: PrefixLoss): void {
    const { reason, detail, model, tokens, cost } = found;
    this.#logger.log('prefix_break', { reason, detail, tokens, cost });
    if (tokens === 0 || this.#handle?.readOnly) return;
    const data = { reason, detail, model, tokens, cost };
    // A disk that fails is reported with the messages.
    void this.#handle?.append(cacheBreak.draft(data)).catch(() => {});
  }

  /** Logs a change of the leaf. */
  logMove(from: string | null): void {
    this.#logger.log('branch', { from, to: this.#handle?.leafId ?? null });
  }

  async flush(): Promise<void> {
    await this.#logger.flush();
    await this.#makeSafe();
  }

  async close(): Promise<void> {
    if (!this.#handle?.isUnused) this.#logger.log('session_shutdown', {});
    await this.#logger.close();
    await this.#handle?.close();
  }

  /**
   * A prompt must be safe before the model is called. Calls are made safe before one that can change something starts,
   * everything else at the end of the turn.
   */
  async #keep(message: Message): Promise<void> {
    if (this.#kept.delete(message.id)) return;
    if (message.role === 'tool' && this.parked.isWaiting(message.toolCallId)) return;
    const durable = message.role === 'user';
    this.#unsafe = !durable;
    await this.#handle?.append({ type: 'message', message }, { durable });
    // The disk works while the calls are judged; they wait for it when they start.
    if (message.role === 'assistant' && toolCallsOf(message).some(({ name }) => this.#changing.has(name)))
      void this.#makeSafe();
  }

  /** Waits until written lines survive a power loss; calls that start together share one wait. */
  #makeSafe(): Promise<void> | undefined {
    if (this.#unsafe) this.#saving = this.#handle?.flush();
    this.#unsafe = false;
    return this.#saving;
  }

  #logMessage(message: Message): void {
    const text = textOf(message.content);
    if (message.role === 'user') this.#logger.log('user', { text, origin: message.origin ?? 'prompt' });
    if (message.role === 'assistant') {
      const { stopReason, usage, cost, error } = message;
      this.#logger.log('assistant', { text, stopReason, usage, cost, ...(error ? { error } : {}) });
      for (const { id, name, input } of toolCallsOf(message))
        this.#logger.log('tool_call', { id, name, input });
    }
  }

  #logEvent(event: AgentEvent): void {
    switch (event.type) {
      case 'tool-end': {
        const { call, status, result, durationMs } = event;
        const output = textOf(result.content);
        const name = status === 'denied' ? 'tool_denied' : 'tool_result';
        this.#logger.log(name, { id: call.id, name: call.name, status, output, durationMs });
        return;
      }
      case 'server-tool': {
        const { id, name, phase, summary } = event.content;
        this.#logger.log('server_tool', { id, name, phase, summary });
        return;
      }
      case 'text-restart':
        this.#logger.log('answer_restart', {});
        return;
      case 'notice-show':
        this.#logger.log('notice', { level: event.level, text: event.text });
        return;
      case 'retry-wait':
        this.#logger.log('retry', { failure: event.failure, attempt: event.attempt, delayMs: event.delayMs });
        return;
      case 'limit-wait':
        this.#logger.log('limit_wait', { model: event.model, failure: event.failure, until: event.until });
        return;
      case 'limit-end':
        this.#logger.log('limit_end', { model: event.model });
        return;
      case 'model-switch':
        this.#logger.log('model_switch', { from: event.from, to: event.to, failure: event.failure });
        return;
      case 'run-end': {
        const { status, turns, usage, cost, error } = event.outcome;
        const told = { status, turns, usage, cost, ...(error ? { error } : {}) };
        this.#logger.log(status === 'failed' ? 'error' : 'run_end', told);
        return;
      }
    }
  }
}

function loggedModel({ vendor, api, id }: ModelRef): JsonObject {
  return { provider: vendor, apiKind: api, model: id };
}

function isReading({ kind }: Access): boolean {
  return kind === 'read' || kind === 'search';
}
