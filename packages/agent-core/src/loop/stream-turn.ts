import { MessageAssembler } from '../message/assemble.ts';
import type { AssistantContent } from '../message/content.ts';
import { createMessage, type Message } from '../message/message.ts';
import type { ModelEvent, ModelFailure } from '../message/model-event.ts';
import type { ModelRef, StopReason } from '../message/model-ref.ts';
import { addUsage, costOf, noUsage, type Usage } from '../message/usage.ts';
import { givenFields } from '../model/given.ts';
import type { Model } from '../model/model.ts';
import { batchOf, joinDeltas, type ModelRequest, type ToolSpec } from '../model/provider.ts';
import { defaultRetryPolicy, planRetry, waitForRetry } from '../model/retry.ts';
import type { AgentRun, EventSink, ModelChoice, SpendingStop } from './agent-run.ts';
import { hideInStream } from './hide-in-stream.ts';
import type { LimitWaits } from './limit-waits.ts';
import { TextResumer } from './resumed-text.ts';

/** The input of a turn. */
export interface TurnStart {
  readonly run: AgentRun;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** Index into `run.models` of the model to begin with. */
  readonly modelIndex: number;
  readonly limits: LimitWaits;
  /** True if money was spent since the spending limits were checked. */
  readonly hasSpent: boolean;
  readonly emit: EventSink;
}

/** The model's answer, complete or partial. */
export interface TurnAnswer {
  readonly content: readonly AssistantContent[];
  readonly stopReason: StopReason;
  readonly usage: Usage;
  /** Usage of earlier attempts: their answers are discarded, but paid for. */
  readonly wasted: Spending;
  readonly choice: ModelChoice;
  readonly modelIndex: number;
  readonly failure?: ModelFailure;
  /** A remark for the user about the answer. */
  readonly note?: string;
}

/** Tokens and US dollars. */
interface Spending {
  readonly usage: Usage;
  readonly cost: number;
}

interface Attempt {
  readonly end: Extract<ModelEvent, { type: 'end' | 'error' }>;
  readonly assembler: MessageAssembler;
  /** All text shown for this turn, earlier attempts included. */
  readonly shown: string;
}

const goOn =
  'The connection broke while you were answering. Your answer so far is above. Continue exactly where it stops; repeat nothing, and do not mention the interruption.';

/**
 * Asks the model for one answer: retries, then falls back to the next model, then waits for a limit that resets; text already
 * shown is kept.
 */
export async function streamTurn(start: TurnStart): Promise<TurnAnswer> {
  const { run } = start;
  const unpaid = start.hasSpent ? await run.checkSpending?.(run.signal) : undefined;
  if (unpaid) return unpaidAnswer(start, unpaid);
  const stream = hideInStream(start.emit, run.hideSecrets);
  const answer = await askInTurn({ ...start, emit: stream.emit });
  await stream.end();
  return answer;
}

function unpaidAnswer({ run, modelIndex }: TurnStart, stop: SpendingStop): TurnAnswer {
  return {
    content: [],
    stopReason: 'error',
    usage: noUsage,
    wasted: { usage: noUsage, cost: 0 },
    choice: run.models[modelIndex] ?? run.models[0],
    modelIndex,
    failure: { ...stop, retryable: false },
  };
}

async function askInTurn(start: TurnStart): Promise<TurnAnswer> {
  const { run, emit, limits } = start;
  const policy = run.retry ?? defaultRetryPolicy;
  let modelIndex = start.modelIndex;
  let shown = '';
  let retry = 0;
  let wasted: Spending = { usage: noUsage, cost: 0 };
  for (;;) {
    const choice = run.models[modelIndex] ?? run.models[0];
    const attempt = await streamOnce(start, choice, shown);
    shown = attempt.shown;
    const answerer = { choice, modelIndex, wasted };
    if (attempt.end.type === 'end') {
      limits.answered();
      return completeAnswer(attempt, answerer);
    }
    const decision = planRetry(attempt.end.failure, ++retry, policy);
    if (run.signal.aborted) return brokenAnswer(attempt, answerer, abortedFailure);
    if (decision.kind === 'wait') {
      const { failure } = attempt.end;
      const wait = { attempt: retry, maxAttempts: policy.maxRetries, delayMs: decision.delayMs };
      await emit({ type: 'retry-wait', model: refOf(choice), failure, ...wait });
      await waitForRetry(decision.delayMs, run.signal);
      if (run.signal.aborted) return brokenAnswer(attempt, answerer, abortedFailure);
      wasted = withAttempt(wasted, attempt, choice);
      continue;
    }
    limits.note(modelIndex, decision.failure);
    const next = await nextModel(start, modelIndex, decision.failure);
    if (typeof next !== 'number')
      return brokenAnswer(attempt, answerer, run.signal.aborted ? abortedFailure : next);
    wasted = withAttempt(wasted, attempt, choice);
    modelIndex = next;
    retry = 0;
  }
}

/** The index of the model to ask next, after a fallback or a wait; or the failure that remains. */
async function nextModel(
  { run, emit, limits }: TurnStart,
  modelIndex: number,
  failure: ModelFailure,
): Promise<number | ModelFailure> {
  if (!mayFallBack(failure)) return failure;
  const from = refAt(run, modelIndex);
  if (run.models[modelIndex + 1]) {
    await emit({ type: 'model-switch', from, to: refAt(run, modelIndex + 1), failure });
    return modelIndex + 1;
  }
  const free = await limits.wait(failure, (index) => refAt(run, index));
  if (run.signal.aborted || typeof free !== 'number' || free === modelIndex) return free;
  await emit({ type: 'model-switch', from, to: refAt(run, free), failure });
  return free;
}

function refAt({ models }: AgentRun, index: number): ModelRef {
  return refOf(models[index] ?? models[0]);
}

function withAttempt(before: Spending, { end }: Attempt, { model }: ModelChoice): Spending {
  const usage = end.usage ?? noUsage;
  return { usage: addUsage(before.usage, usage), cost: before.cost + costOf(usage, model.price) };
}

const abortedFailure: ModelFailure = { code: 'aborted', message: 'Interrupted.', retryable: false };

/** An interrupt is not a failure; an oversized conversation is compacted before another model is tried. */
function mayFallBack(failure: ModelFailure): boolean {
  return failure.code !== 'aborted' && failure.code !== 'context-overflow';
}

/** The identity of a chosen model. */
export function refOf({ model }: ModelChoice): ModelRef {
  const known = refs.get(model);
  if (known) return known;
  const ref = { vendor: model.vendor, id: model.id, api: model.api };
  refs.set(model, ref);
  return ref;
}

/** Shared, because thousands of answers name the same model. */
const refs = new WeakMap<Model, ModelRef>();

async function streamOnce(start: TurnStart, choice: ModelChoice, carried: string): Promise<Attempt> {
  const reader = new AnswerReader(start, carried);
  for await (const said of choice.provider.stream(requestOf(start, choice, carried))) {
    for (const event of joinDeltas(batchOf(said))) {
      const pending = reader.read(event);
      if (pending instanceof Promise) await pending;
    }
    if (reader.end) break;
  }
  const { assembler, shown, end = { type: 'error', failure: noAnswer } } = reader;
  return { assembler, shown, end: end.type === 'end' ? end : { ...end, ...reader.usageOf(end) } };
}

const noAnswer: ModelFailure = {
  code: 'protocol',
  message: 'The provider ended without an answer.',
  retryable: true,
};

const charactersPerToken = 4;

/** Processes the events of one attempt and forwards the visible ones. */
class AnswerReader {
  readonly assembler: MessageAssembler;
  end: Attempt['end'] | undefined;
  readonly #emit: EventSink;
  readonly #signal: AbortSignal;
  readonly #resumer: TextResumer | undefined;
  #resumed: string;
  #textEnded = false;
  #writtenLength = 0;

  constructor({ emit, run, messages }: TurnStart, carried: string) {
    this.assembler = new MessageAssembler(messages);
    this.#emit = emit;
    this.#signal = run.signal;
    this.#resumed = carried;
    this.#resumer = carried === '' ? undefined : new TextResumer(carried);
  }

  /** All text shown for this turn, including earlier attempts. */
  get shown(): string {
    return this.#resumer ? this.#resumed : this.assembler.text();
  }

  /** Vendors count an answer at its end: one that broke off used at least what it had written, which is paid for. */
  usageOf({ usage }: Extract<Attempt['end'], { type: 'error' }>): { readonly usage?: Usage } {
    const written = Math.ceil(this.#writtenLength / charactersPerToken);
    if (written <= (usage?.output ?? 0)) return usage ? { usage } : {};
    return { usage: { ...(usage ?? noUsage), output: written } };
  }

  /** Returns a promise only if the sink does: answers arrive in tens of thousands of pieces. */
  read(event: ModelEvent): void | Promise<void> {
    if (this.end) return;
    if ('text' in event) this.#writtenLength += event.text.length;
    else if (event.type === 'tool-call-delta') this.#writtenLength += event.json.length;
    if (this.#signal.aborted) return this.#skip(event);
    if (event.type === 'text-was-thinking') return this.#rethink(event);
    this.assembler.add(event);
    const announced = this.#announceTextEnd(event);
    return announced instanceof Promise ? announced.then(() => this.#pass(event)) : this.#pass(event);
  }

  /** Takes shown text back, and shows it as thinking. */
  async #rethink(event: ModelEvent): Promise<void> {
    const text = this.assembler.text();
    this.assembler.add(event);
    this.#resumed = '';
    await this.#emit({ type: 'text-restart' });
    await this.#emit({ type: 'thinking-delta', text });
  }

  /** Text after an interrupt is not shown, even if it has arrived; its cost still counts. */
  #skip(event: ModelEvent): void {
    if (event.type !== 'end' && event.type !== 'error') return;
    const { usage } = event;
    this.end = { type: 'error', failure: abortedFailure, ...(usage ? { usage } : {}) };
  }

  #pass(event: ModelEvent): void | Promise<void> {
    if (event.type === 'text-delta') return this.#resumer ? this.#resume(event.text) : this.#show(event.text);
    if (event.type === 'text-end') this.#textEnded = true;
    else if (event.type === 'end' || event.type === 'error') this.end = event;
    else return forward(event, this.#emit);
  }

  /** Not for text that broke off: the next attempt may complete the word. */
  #announceTextEnd(next: ModelEvent): void | Promise<void> {
    if (!this.#textEnded || next.type === 'error') return;
    this.#textEnded = false;
    return this.#emit({ type: 'text-end' });
  }

  #show(text: string): void | Promise<void> {
    return this.#emit({ type: 'text-delta', text });
  }

  async #resume(text: string): Promise<void> {
    const resumed = this.#resumer?.push(text) ?? { kind: 'text', text };
    if (resumed.kind === 'held') return;
    if (resumed.kind === 'restart') {
      await this.#emit({ type: 'text-restart' });
      this.#resumed = '';
    }
    this.#resumed += resumed.text;
    await this.#show(resumed.text);
  }
}

function requestOf({ run, messages, tools }: TurnStart, choice: ModelChoice, carried: string): ModelRequest {
  const { webSearch = run.webSearch } = choice;
  const { maxOutput, answerSchema, sessionId } = run;
  return {
    model: choice.model,
    system: run.system,
    messages: carried === '' ? messages : [...messages, ...continuation(carried, choice)],
    tools,
    thinking: run.thinking,
    signal: run.signal,
    ...givenFields({ webSearch, maxOutput, answerSchema, sessionId }),
  };
}

function continuation(carried: string, choice: ModelChoice): Message[] {
  const text = carried.trimEnd();
  const partial = createMessage(
    {
      role: 'assistant',
      content: [{ type: 'text', text }],
      model: refOf(choice),
      usage: noUsage,
      cost: 0,
      stopReason: 'error',
    },
    null,
  );
  const request = createMessage(
    { role: 'user', content: [{ type: 'text', text: goOn }], origin: 'reminder' },
    partial.id,
  );
  return text === '' ? [] : [partial, request];
}

function forward(event: ModelEvent, emit: EventSink): void | Promise<void> {
  switch (event.type) {
    case 'thinking-delta':
      return emit({ type: 'thinking-delta', text: event.text });
    case 'thinking-end':
      return emit({ type: 'thinking-end' });
    case 'server-tool':
      return emit({ type: 'server-tool', content: event.content });
    case 'prompt-progress':
      return emit(event);
  }
}

type Answerer = Pick<TurnAnswer, 'choice' | 'modelIndex' | 'wasted'>;

function completeAnswer({ end, assembler, shown }: Attempt, answerer: Answerer): TurnAnswer {
  if (end.type !== 'end') throw new TypeError('An answer is complete only at its end.');
  return {
    ...answerer,
    content: withShownText(assembler, shown),
    stopReason: end.stopReason,
    usage: end.usage,
    ...(end.note === undefined ? {} : { note: end.note }),
  };
}

/**
 * The blocks of the last attempt, after the text shown by earlier ones. Thinking must come first for vendors that check
 * its signature, so the text goes after it.
 */
function withShownText(assembler: MessageAssembler, shown: string): readonly AssistantContent[] {
  const content = assembler.content();
  const own = assembler.text();
  if (own === shown) return content;
  const continued = shown.endsWith(own);
  const blocks = continued ? content : content.filter((block) => block.type !== 'text');
  const carried = continued ? shown.slice(0, shown.length - own.length) : shown;
  const firstOther = blocks.findIndex((block) => block.type !== 'thinking');
  const at = firstOther < 0 ? blocks.length : firstOther;
  const next = blocks[at];
  if (next?.type !== 'text')
    return [...blocks.slice(0, at), { type: 'text', text: carried }, ...blocks.slice(at)];
  return [...blocks.slice(0, at), { type: 'text', text: carried + next.text }, ...blocks.slice(at + 1)];
}

/** Keeps only the text of a broken answer: its calls are incomplete and its thinking is unsigned. */
function brokenAnswer(attempt: Attempt, answerer: Answerer, failure: ModelFailure): TurnAnswer {
  return {
    ...answerer,
    content: attempt.shown === '' ? [] : [{ type: 'text', text: attempt.shown }],
    stopReason: failure.code === 'aborted' ? 'aborted' : 'error',
    usage: (attempt.end.type === 'error' ? attempt.end.usage : undefined) ?? noUsage,
    failure,
  };
}
