import { setMaxListeners } from 'node:events';
import { applyInputHooks } from '../hook/apply-input-hooks.ts';
import { type ToolCallContent, textOf, type UserContent } from '../message/content.ts';
import {
  createMessage,
  type Message,
  type MessageDraft,
  type ToolMessage,
  type UserMessage,
} from '../message/message.ts';
import type { ModelFailure } from '../message/model-event.ts';
import type { Denial, RunOutcome } from '../message/run-outcome.ts';
import { addUsage, costOf, noUsage, type Usage } from '../message/usage.ts';
import type { ToolSpec } from '../model/provider.ts';
import { endSentence } from '../problem/end-sentence.ts';
import type { AgentRun, EventSink, PendingResolution } from './agent-run.ts';
import { callWithoutSecrets } from './call-without-secrets.ts';
import { type Ending, ended, endedBy, repeatedCalls, tooManyTurns } from './ending.ts';
import { type BatchResult, executeTools, refuseAll } from './execute-tools.ts';
import { LimitWaits } from './limit-waits.ts';
import { pendingCalls } from './pending-calls.ts';
import { findPending } from './prepare-call.ts';
import { nudgeText, ProgressGuard } from './progress-guard.ts';
import { refOf, streamTurn, type TurnAnswer } from './stream-turn.ts';

const cutOff =
  'Your message was cut off by the output limit, so this call was not run. Send it again in smaller parts.';

const notices = {
  cutOff:
    'The answer was cut off by the output limit. Say "continue" to get the rest, or raise "maxOutputTokens" in the model\'s profile.',
  filled:
    'The answer was cut off because the context window is full. Say "continue": the conversation is then compacted first.',
  empty: 'The model gave no answer. Try again, or use another model.',
};

/** Limits a hook that never lets the model stop. */
const maxSentBack = 20;

/** Runs the loop from one prompt to its end. Stateless; never throws for anything but a failing sink. */
export async function runAgent(run: AgentRun, emit: EventSink): Promise<RunOutcome> {
  // Every call of a message adds a listener, and removes it at its end.
  setMaxListeners(0, run.signal);
  const loop = new Loop(run, emit);
  await emit({ type: 'run-start', model: refOf(run.models[0]) });
  const ending = await loop.work().catch((thrown: unknown): Ending => {
    if (run.signal.aborted) return { status: 'aborted' };
    throw thrown;
  });
  const outcome = loop.outcome(ending);
  if (run.hooks.has('run-end')) await run.hooks.run('run-end', { outcome }, new AbortController().signal);
  await emit({ type: 'run-end', outcome });
  return outcome;
}

interface CallBatch {
  readonly calls: readonly ToolCallContent[];
  readonly parentId: string;
  readonly isTruncated: boolean;
  readonly pending?: ReadonlyMap<string, PendingResolution>;
}

class Loop {
  readonly #run: AgentRun;
  readonly #emit: EventSink;
  readonly #tools: readonly ToolSpec[];
  readonly #guard = new ProgressGuard();
  readonly #limits: LimitWaits;
  readonly #denials: Denial[] = [];
  #messages: Message[];
  #modelIndex = 0;
  #turns = 0;
  #usage: Usage = noUsage;
  #cost = 0;
  #text = '';
  #answer: Pick<RunOutcome, 'stopReason' | 'model'> = {};
  #stopHookRan = false;
  /** A summary was paid for since the limits were checked. */
  #hasSpent = false;
  #sentBack = 0;

  constructor(run: AgentRun, emit: EventSink) {
    this.#run = run;
    this.#emit = emit;
    this.#limits = new LimitWaits(run, emit);
    this.#messages = [...run.history];
    this.#tools = run.tools.map(({ name, description, input }) => ({ name, description, input: input.json }));
  }

  outcome(ending: Ending): RunOutcome {
    return {
      ...ending,
      text: this.#text,
      ...this.#answer,
      turns: this.#turns,
      usage: this.#usage,
      cost: this.#cost,
      denials: this.#denials,
    };
  }

  async work(): Promise<Ending> {
    const { prompt, reminder, parked } = this.#run;
    const ending = await this.#resumeCalls();
    if (ending) return ending;
    const limited = parked && (await this.#limits.resume(parked));
    if (limited) return endedBy(limited);
    if (prompt) {
      const { content, origin, shown } = prompt;
      await this.#appendUser(content, origin, shown);
    }
    if (prompt?.attachments?.length) await this.#appendUser(prompt.attachments, 'reminder');
    if (reminder !== undefined) await this.#appendUser([{ type: 'text', text: reminder }], 'reminder');
    // A run on queued messages alone has nothing to answer if hooks block all of them.
    const last = this.#messages.at(-1);
    let isAnswered =
      !prompt &&
      !parked &&
      last?.role === 'assistant' &&
      !last.content.some(({ type }) => type === 'tool-call');
    for (;;) {
      const hasSteering = await this.#appendQueued('steering');
      const hasReminders = await this.#appendReminders();
      if (isAnswered && !hasSteering && !hasReminders) {
        const ending = await this.#maybeStop();
        if (ending) return ending;
        isAnswered = false;
        continue;
      }
      const limit = await this.#limitReached();
      if (limit) return limit;
      const next = await this.#turn();
      if (typeof next === 'object') return next;
      isAnswered = next === 'answered';
    }
  }

  /** Settles the calls that an earlier process made and did not finish. */
  async #resumeCalls(): Promise<Ending | undefined> {
    const run = this.#run;
    const made = run.resolvePending && pendingCalls(this.#messages);
    if (!run.resolvePending || !made) return undefined;
    const pending = new Map<string, PendingResolution>();
    for (const call of made.calls) {
      const found = await findPending(run, call);
      pending.set(call.id, await run.resolvePending(found, run.toolEnvironment, run.signal));
    }
    return this.#runCalls({ ...made, pending });
  }

  /** One model call and its tools; returns how the run ended, or undefined to continue. */
  async #turn(): Promise<Ending | 'answered' | undefined> {
    const turn = ++this.#turns;
    const choice = this.#run.models[this.#modelIndex] ?? this.#run.models[0];
    await this.#emit({ type: 'turn-start', turn, model: refOf(choice) });
    const answer = await this.#ask();
    this.#answer = { stopReason: answer.stopReason, model: refOf(answer.choice) };
    const cost = costOf(answer.usage, answer.choice.model.price) + answer.wasted.cost;
    const usage = addUsage(answer.usage, answer.wasted.usage);
    this.#usage = addUsage(this.#usage, usage);
    this.#cost += cost;
    const ending = await this.#settle(answer, cost);
    await this.#emit({ type: 'turn-end', turn, usage, cost });
    return ending;
  }

  /** Asks the model; a conversation that no longer fits is shortened once and sent again. */
  async #ask(): Promise<TurnAnswer> {
    await this.#fit('threshold');
    const answer = await this.#stream();
    if (answer.failure?.code === 'invalid-request') return this.#askWithoutRefused(answer, answer.failure);
    if (answer.failure?.code !== 'context-overflow') return answer;
    const again = (await this.#fit('overflow')) ? await this.#stream() : answer;
    return this.#explained(again);
  }

  #explained(answer: TurnAnswer): TurnAnswer {
    const { failure } = answer;
    if (failure?.code !== 'context-overflow' || !this.#run.explainOverflow) return answer;
    const message = `${endSentence(failure.message)} ${this.#run.explainOverflow()}`;
    return { ...answer, failure: { ...failure, message } };
  }

  /** Retries a refused request once without the likely cause; the omission is kept only if accepted. */
  async #askWithoutRefused(refused: TurnAnswer, failure: ModelFailure): Promise<TurnAnswer> {
    const whole = this.#messages;
    const remedy = this.#run.findRemedy?.(whole, failure);
    if (!remedy) return refused;
    this.#messages = [...remedy.messages];
    const answer = await this.#stream();
    if (!answer.failure) {
      await remedy.keep();
      return answer;
    }
    this.#messages = whole;
    return answer.failure.code === 'invalid-request' ? refused : answer;
  }

  async #fit(reason: 'threshold' | 'overflow'): Promise<boolean> {
    const shorter = await this.#run.fitWindow?.(this.#messages, reason);
    if (shorter) this.#messages = [...shorter];
    this.#hasSpent ||= shorter !== undefined;
    return shorter !== undefined;
  }

  async #stream(): Promise<TurnAnswer> {
    const run = this.#run;
    const replaced = run.hooks.has('request-before')
      ? (await run.hooks.run('request-before', { messages: this.#messages }, run.signal)).messages
      : undefined;
    const messages = replaced ?? this.#messages;
    const answer = await streamTurn({
      run,
      messages: run.repairHistory?.(messages) ?? messages,
      tools: this.#tools,
      modelIndex: this.#modelIndex,
      limits: this.#limits,
      hasSpent: this.#hasSpent,
      emit: this.#emit,
    });
    this.#hasSpent = false;
    this.#modelIndex = answer.modelIndex;
    return answer;
  }

  /** Stores the answer, runs its calls and decides whether to continue. */
  async #settle(answer: TurnAnswer, cost: number): Promise<Ending | 'answered' | undefined> {
    const { failure } = answer;
    if (answer.content.length > 0) await this.#appendAnswer(answer, cost);
    if (failure) return endedBy(failure);
    if (answer.stopReason === 'refusal')
      return ended('failed', 'refusal', answer.note ?? 'The model declined to answer.');
    if (answer.note !== undefined) await this.#warn(answer.note);
    const last = this.#messages.at(-1);
    // The original calls: the stored ones may lack secrets, and the judged calls must be the ones that run.
    const calls = answer.content.filter((block) => block.type === 'tool-call');
    if (last && calls.length > 0) {
      const isTruncated = answer.stopReason === 'length';
      return this.#runCalls({ calls, parentId: last.id, isTruncated });
    }
    if (answer.stopReason === 'pause') return undefined;
    if (answer.note === undefined && answer.stopReason === 'length')
      await this.#warn(fillsWindow(answer) ? notices.filled : notices.cutOff);
    else if (textOf(answer.content).trim() === '') await this.#warn(notices.empty);
    return 'answered';
  }

  async #warn(text: string): Promise<void> {
    await this.#emit({ type: 'notice-show', level: 'warning', text, about: 'answer' });
  }

  async #runCalls({ calls, isTruncated, ...about }: CallBatch): Promise<Ending | undefined> {
    const keep = (result: ToolMessage) =>
      this.#keep(Object.assign({}, result, { parentId: this.#messages.at(-1)?.id ?? null }));
    const { results, denials, stop, endsRun }: BatchResult = isTruncated
      ? { results: refuseAll(calls, cutOff, about.parentId), denials: [] }
      : await executeTools({ run: this.#run, emit: this.#emit, ...about, keep }, calls);
    this.#denials.push(...denials);
    if (isTruncated) for (const result of results) await keep(result);
    if (this.#run.signal.aborted) return { status: 'aborted' };
    if (stop !== undefined) return ended('failed', 'blocked', `A hook ended the run: ${stop}`);
    if (endsRun !== undefined) {
      this.#text = endsRun.text ?? this.#text;
      return { status: 'completed' };
    }
    return this.#checkProgress(calls, results);
  }

  async #checkProgress(
    calls: readonly ToolCallContent[],
    results: Parameters<ProgressGuard['observe']>[1],
  ): Promise<Ending | undefined> {
    const progress = this.#guard.observe(calls, results);
    if (progress === 'ok') return undefined;
    if (progress === 'nudge') {
      await this.#appendUser([{ type: 'text', text: nudgeText }], 'reminder');
      return undefined;
    }
    const names = [...new Set(calls.map((call) => call.name))].join(', ');
    return repeatedCalls(names);
  }

  /** The model has nothing more to do: the stop hook and follow-ups may send it back to work. */
  async #maybeStop(): Promise<Ending | undefined> {
    if (this.#turns > 0 && this.#run.hooks.has('run-stop')) {
      const input = { text: this.#text, repeated: this.#stopHookRan };
      const { continueWith, unproven } = await this.#run.hooks.run('run-stop', input, this.#run.signal);
      this.#stopHookRan = true;
      if (this.#run.signal.aborted) return { status: 'aborted' };
      if (continueWith !== undefined && ++this.#sentBack > maxSentBack)
        return ended(
          'limit',
          'no-progress',
          `Stopped: hooks sent the model back to work ${maxSentBack} times.`,
        );
      if (continueWith !== undefined) {
        await this.#appendUser([{ type: 'text', text: continueWith }], 'reminder');
        return undefined;
      }
      if (unproven !== undefined) return ended('failed', 'unproven', unproven);
    }
    return (await this.#appendQueued('follow-up')) ? undefined : { status: 'completed' };
  }

  async #limitReached(): Promise<Ending | undefined> {
    const { maxTurns, signal } = this.#run;
    if (signal.aborted) return { status: 'aborted' };
    if (maxTurns !== undefined && this.#turns >= maxTurns) return tooManyTurns(maxTurns);
    const stop = await this.#run.checkSpending?.(signal);
    return stop && ended('limit', stop.code, stop.message);
  }

  async #appendQueued(origin: 'steering' | 'follow-up'): Promise<boolean> {
    const { queue } = this.#run;
    const waiting = origin === 'steering' ? queue.drainSteering() : queue.drainFollowUp();
    if (waiting.length === 0) return false;
    let appended = 0;
    for (const [index, { content }] of waiting.entries()) {
      const accepted = await this.#appendInput(content, origin).catch((thrown: unknown) => {
        // An interrupt must not lose typed text.
        for (const unseen of waiting.slice(index)) this.#putBack(unseen.content, origin);
        throw thrown;
      });
      if (accepted) appended++;
    }
    await this.#emit({
      type: 'queue-change',
      steering: queue.steering.length,
      followUp: queue.followUp.length,
    });
    return appended > 0;
  }

  async #appendReminders(): Promise<boolean> {
    const reminders = this.#run.queue.drainReminders();
    for (const { content, message } of reminders) {
      if (message) await this.#keep({ ...message, parentId: this.#messages.at(-1)?.id ?? null });
      else await this.#appendUser(content, 'reminder');
    }
    return reminders.length > 0;
  }

  #putBack(content: readonly UserContent[], origin: 'steering' | 'follow-up'): void {
    if (origin === 'steering') this.#run.queue.steer(content);
    else this.#run.queue.follow(content);
  }

  /** Appends a message that hooks allow; a blocked one is reported and dropped. */
  async #appendInput(content: readonly UserContent[], origin: UserMessage['origin']): Promise<boolean> {
    const input = await applyInputHooks(this.#run.hooks, content, this.#run.signal);
    if (input.kind === 'accepted') {
      await this.#appendUser(input.content, origin);
      return true;
    }
    const text = `A hook blocked your message: ${input.reason}`;
    await this.#warn(text);
    return false;
  }

  async #appendUser(
    content: readonly UserContent[],
    origin: UserMessage['origin'],
    shown?: string,
  ): Promise<void> {
    const about = { ...(origin === undefined ? {} : { origin }), ...(shown === undefined ? {} : { shown }) };
    await this.#append({ role: 'user', content, ...about });
  }

  async #appendAnswer(answer: TurnAnswer, cost: number): Promise<void> {
    const { stopReason, usage, failure } = answer;
    const content = this.#withoutSecrets(answer.content);
    this.#text = textOf(content);
    await this.#append({
      role: 'assistant',
      content,
      model: refOf(answer.choice),
      usage,
      cost,
      stopReason,
      ...(failure ? { error: { code: failure.code, message: failure.message } } : {}),
    });
  }

  /** Removes keys that the model repeats, from its text and from the arguments of calls. */
  #withoutSecrets(content: TurnAnswer['content']): TurnAnswer['content'] {
    const { hideSecrets } = this.#run;
    if (!hideSecrets) return content;
    return content.map((block) => {
      if (block.type === 'text') return { ...block, text: hideSecrets(block.text) };
      return block.type === 'tool-call' ? callWithoutSecrets(block, hideSecrets) : block;
    });
  }

  async #append(draft: MessageDraft): Promise<void> {
    await this.#keep(createMessage(draft, this.#messages.at(-1)?.id ?? null));
  }

  async #keep(message: Message): Promise<void> {
    this.#messages.push(message);
    await this.#emit({ type: 'message-append', message });
  }
}

/** Local servers stop only at the end of the window, some one token before it. */
function fillsWindow({ usage, choice }: TurnAnswer): boolean {
  const { input, cacheRead, cacheWrite, output } = usage;
  return input + cacheRead + cacheWrite + output >= choice.model.contextWindow - 1;
}
