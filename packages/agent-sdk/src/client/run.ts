import { callback, checkArguments, having, objectInstance, text as textShape } from '@robota-sdk/agent-core';
import type { RunResult } from '../contract/run-result.ts';
import type { SessionEvent } from '../contract/session-event.ts';
import { EventStream } from './event-stream.ts';
import type { Session } from './session.ts';

/** The part of a session that a run uses. */
export interface RunWork<T> {
  readonly session: Session;
  /** Runs the prompt; never rejects. */
  execute(run: RunControl): Promise<RunResult<T>>;
  /** Sends a message to the run; resolves to whether the model got it. */
  steer(text: string): Promise<boolean>;
}

/** The session's side of a run. */
export interface RunControl {
  readonly signal: AbortSignal;
  push(event: SessionEvent): void;
}

/**
 * A running prompt. Await it for the answer, iterate it for its events; `result` has the outcome and never rejects. A
 * failure that is not handled by any of these is an unhandled rejection.
 */
export class Run<T = string> implements Promise<T>, AsyncIterable<SessionEvent> {
  readonly [Symbol.toStringTag] = 'Run';
  /** The session it runs in. */
  readonly session: Session;
  readonly #work: RunWork<T>;
  readonly #controller = new AbortController();
  readonly #streams = new Set<EventStream>();
  readonly #settled: Promise<RunResult<T>>;
  readonly #answer: Promise<T>;
  #isHandled = false;

  constructor(work: RunWork<T>) {
    checkArguments('new Run (write query or session.run)', {
      work: [work, having({ session: objectInstance, execute: callback, steer: callback })],
    });
    this.session = work.session;
    this.#work = work;
    const { signal } = this.#controller;
    const push = (event: SessionEvent) => {
      for (const stream of this.#streams) stream.push(event);
    };
    this.#settled = work.execute({ signal, push });
    // Registered before the answer exists, so that it runs before the answer can reject.
    void this.#settled.then(({ status }) => {
      if (status === 'aborted' || this.#isHandled) this.#answer.catch(() => {});
    });
    this.#answer = this.#settled.then(answerOf);
  }

  /** How it ended; never rejects. */
  get result(): Promise<RunResult<T>> {
    this.#handle();
    return this.#settled;
  }

  /** Only the text of the answer, in pieces. Fails like awaiting the run. */
  get textStream(): AsyncIterable<string> {
    const events = this[Symbol.asyncIterator]();
    return textOf({ [Symbol.asyncIterator]: () => events });
  }

  /** Sends another message to the run; resolves to whether the model got it before the run ended. */
  steer(text: string): Promise<boolean> {
    checkArguments('Run.steer', { text: [text, textShape] });
    return this.#work.steer(text);
  }

  /** Interrupts it. Awaiting it then throws an `AbortError` with the partial `result`. */
  abort(reason?: unknown): void {
    this.#controller.abort(reason);
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<A = T, B = never>(
    onAnswer?: ((answer: T) => A | PromiseLike<A>) | null,
    onFailure?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#handle();
    return this.#answer.then(onAnswer, onFailure);
  }

  catch<B = never>(onFailure?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onFailure);
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    this.#handle();
    return this.#answer.finally(onEnd);
  }

  /** The events from now on; all of them if called immediately. Throws after the last one if awaiting would. */
  [Symbol.asyncIterator](): AsyncIterator<SessionEvent, undefined> {
    this.#handle();
    const stream = new EventStream(async () => {
      this.abort();
      await this.#settled;
    });
    this.#streams.add(stream);
    this.#answer.then(
      () => stream.end(),
      (reason: unknown) => stream.fail(reason),
    );
    return stream;
  }

  #handle(): void {
    this.#isHandled = true;
    this.#answer.catch(() => {});
  }
}

function answerOf<T>(result: RunResult<T>): T {
  if (result.status === 'completed') return result.output;
  throw result.error;
}

async function* textOf(events: AsyncIterable<SessionEvent>): AsyncGenerator<string> {
  for await (const event of events)
    if (event.type === 'text-delta' && event.agentId === undefined) yield event.text;
}
