import type { FromAttempt, ToAttempt, WorkOutcome } from '../contract/attempt.ts';
import type { ReserveResult } from '../contract/steps.ts';

/** The part of a process with an IPC channel that is used here. */
export interface IpcPort {
  send(message: FromAttempt, sent: (error: Error | null) => void): void;
}

type Reply = Extract<ToAttempt, { readonly request: number }>;

/** The way of an attempt to its worker: requests with answers, and reports. */
export class WorkerChannel {
  readonly #port: IpcPort;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #count = 0;

  constructor(port: IpcPort) {
    this.#port = port;
  }

  /** Hands an answer to the request that waits for it. */
  receive(reply: Reply): void {
    const settle = this.#waiting.get(reply.request);
    this.#waiting.delete(reply.request);
    settle?.(reply);
  }

  async reserve(amount: number | undefined, model: string): Promise<ReserveResult> {
    const price = amount === undefined ? {} : { amount };
    const reply = await this.#ask((request) => ({ type: 'reserve', request, ...price, model }));
    if (reply.type === 'reserved') return { kind: 'reserved', id: reply.id };
    if (reply.type === 'refused') return { kind: 'refused', reason: reply.reason };
    throw unexpected(reply);
  }

  settle(id: string, cost: number): void {
    this.#send({ type: 'settle', id, cost });
  }

  /** The tree of a snapshot of the files as they are now. */
  async snapshot(): Promise<string> {
    const reply = await this.#ask((request) => ({ type: 'snapshot', request }));
    if (reply.type === 'snapshot-taken') return reply.tree;
    throw unexpected(reply);
  }

  /** The difference of the files to a snapshot, or to the base; undefined if it is not known. */
  async difference(tree: string | undefined): Promise<string | undefined> {
    const about = tree === undefined ? {} : { tree };
    const reply = await this.#ask((request) => ({ type: 'difference', request, ...about }));
    if (reply.type === 'difference') return reply.text;
    throw unexpected(reply);
  }

  progress(report: { readonly turns: number; readonly cost: number; readonly activity: string }): void {
    this.#send({ type: 'progress', ...report });
  }

  /** Says that an answer of the user was carried out. */
  answerUsed(hash: string): void {
    this.#send({ type: 'answer-used', hash });
  }

  /** Resolves when the message is on its way; nothing may be sent after it. */
  end(outcome: WorkOutcome): Promise<void> {
    return new Promise((resolve) => this.#port.send({ type: 'end', outcome }, () => resolve()));
  }

  #ask(message: (request: number) => FromAttempt): Promise<Reply> {
    const request = ++this.#count;
    return new Promise((resolve) => {
      this.#waiting.set(request, resolve);
      this.#send(message(request));
    });
  }

  /** A worker that is gone ends this process by the closed channel. */
  #send(message: FromAttempt): void {
    this.#port.send(message, () => {});
  }
}

function unexpected(reply: Reply): Error {
  return new Error(`The worker answered "${reply.type}" to another request.`);
}
