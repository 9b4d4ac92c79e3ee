import { AgentError, type AgentEvent } from '@robota-sdk/agent-core';
import type { IExecutionResult } from '../contract/session-events.ts';
import type { InteractiveSession } from './interactive-session.ts';

/** What a question needs to be asked: a session that is being opened, and how it is asked in it. */
export interface QueryWork {
  open(): Promise<InteractiveSession>;
  ask(session: InteractiveSession, signal: AbortSignal): Promise<IExecutionResult | undefined>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A question on its way: awaited it is the answer, iterated it is every event of the loop. Whoever leaves the iteration
 * early interrupts it.
 */
export class Query implements Promise<string>, AsyncIterable<AgentEvent> {
  readonly [Symbol.toStringTag] = 'Query';
  readonly #controller = new AbortController();
  readonly #streams = new Set<EventStream>();
  readonly #result: Promise<IExecutionResult>;
  readonly #answer: Promise<string>;
  readonly #session: Promise<InteractiveSession>;

  constructor(work: QueryWork) {
    this.#session = work.open();
    this.#result = this.#run(work);
    this.#answer = this.#result.then(answerOf);
    // The answer is what is waited for; the others are there for whoever asks for them.
    this.#session.catch(() => {});
    this.#result.catch(() => {});
    // Who does not wait for the answer is not to be ended by it either.
    this.#answer.catch(() => {});
  }

  /** The session it is asked in; it ends with the answer. */
  get session(): Promise<InteractiveSession> {
    return this.#session;
  }

  /** How it ended: the answer with its cost, its denials, its structured part. Fails only where no session could be had. */
  get result(): Promise<IExecutionResult> {
    // Whoever looks at the result has seen how it ended.
    this.#answer.catch(() => {});
    return this.#result;
  }

  /** Interrupts it; the answer is what there is so far. */
  abort(): void {
    this.#controller.abort();
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<A = string, B = never>(
    onAnswer?: ((answer: string) => A | PromiseLike<A>) | null,
    onFailure?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answer.then(onAnswer, onFailure);
  }

  catch<B = never>(onFailure?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<string | B> {
    return this.#answer.catch(onFailure);
  }

  finally(onEnd?: (() => void) | null): Promise<string> {
    return this.#answer.finally(onEnd);
  }

  /** The events from now on; from the first one if it is called at once. Throws where awaiting it would. */
  [Symbol.asyncIterator](): AsyncIterator<AgentEvent, undefined> {
    const stream = new EventStream(async () => {
      this.abort();
      await this.#answer.catch(() => {});
    });
    this.#streams.add(stream);
    this.#answer.then(
      () => stream.end(),
      (reason: unknown) => stream.fail(reason),
    );
    return stream;
  }

  async #run({ ask, signal }: QueryWork): Promise<IExecutionResult> {
    const session = await this.#session;
    const signals = signal ? [this.#controller.signal, signal] : [this.#controller.signal];
    const stop = session.on('event', (event) => {
      for (const stream of this.#streams) stream.push(event);
    });
    try {
      const result = await ask(session, AbortSignal.any(signals));
      if (result) return result;
      throw new AgentError('session', 'The question was not asked: another run is going in its session.');
    } finally {
      stop();
      await session.shutdown();
    }
  }
}

function answerOf({ error, response }: IExecutionResult): string {
  if (error) throw new AgentError(error.code, error.message);
  return response;
}

/** Events between the loop, which does not wait, and whoever takes them one by one. */
class EventStream implements AsyncIterator<AgentEvent, undefined> {
  readonly #waiting: AgentEvent[] = [];
  readonly #leave: () => Promise<void>;
  #wake: (() => void) | undefined;
  #ending: { readonly reason?: unknown } | undefined;

  constructor(leave: () => Promise<void>) {
    this.#leave = leave;
  }

  push(event: AgentEvent): void {
    if (this.#ending) return;
    this.#waiting.push(event);
    this.#wake?.();
  }

  end(): void {
    this.#ending ??= {};
    this.#wake?.();
  }

  fail(reason: unknown): void {
    this.#ending ??= { reason };
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<AgentEvent, undefined>> {
    while (this.#waiting.length === 0 && !this.#ending) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    const event = this.#waiting.shift();
    if (event) return { done: false, value: event };
    const ending = this.#ending;
    // Said once; whoever asks again hears that it is over.
    this.#ending = {};
    if (ending && 'reason' in ending) throw ending.reason;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<AgentEvent, undefined>> {
    this.#waiting.length = 0;
    this.#ending = {};
    await this.#leave();
    return { done: true, value: undefined };
  }
}
