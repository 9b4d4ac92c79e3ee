import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@robota-sdk/agent-sdk/front-end';
import type { ChannelAnswer } from './input-message.ts';

/** Sends requests to the program at the other end, which answers them by their ids. Closed until it is opened. */
export class ControlChannel {
  readonly #pending = new Map<string, (answer: ChannelAnswer) => void>();
  readonly #asked = new Map<string, JsonObject>();
  #send: ((message: JsonObject) => void) | undefined;
  #settleOpening = () => {};
  /** Resolves when the channel was opened, or closed before. */
  readonly opened = new Promise<void>((resolve) => {
    this.#settleOpening = resolve;
  });

  /** True if a request would reach anybody. */
  get isOpen(): boolean {
    return this.#send !== undefined;
  }

  /** Requests without an answer, as they were sent. */
  get unanswered(): readonly JsonObject[] {
    return [...this.#asked.values()];
  }

  open(send: (message: JsonObject) => void): void {
    this.#send = send;
    this.#settleOpening();
  }

  /** Closes the channel: no answers will come. */
  close(): void {
    this.#send = undefined;
    this.#settleOpening();
    for (const id of [...this.#pending.keys()]) this.settle(id, { ok: false, error: 'the input has ended' });
  }

  /** Asks the program; nothing where the request was taken back. */
  request(request: JsonObject, signal?: AbortSignal): Promise<ChannelAnswer | undefined> {
    const send = this.#send;
    if (!send) return Promise.resolve({ ok: false, error: 'no program is connected' });
    const id = randomUUID();
    return new Promise((resolve) => {
      const cancel = () => {
        if (!this.#pending.delete(id)) return;
        this.#asked.delete(id);
        this.#send?.({ type: 'control_cancel_request', request_id: id });
        resolve(undefined);
      };
      this.#pending.set(id, (answer) => {
        signal?.removeEventListener('abort', cancel);
        resolve(answer);
      });
      const message = { type: 'control_request', request_id: id, request };
      this.#asked.set(id, message);
      send(message);
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) cancel();
    });
  }

  /** Takes an answer; returns false for an unknown id. */
  settle(id: string, answer: ChannelAnswer): boolean {
    const resolve = this.#pending.get(id);
    this.#pending.delete(id);
    this.#asked.delete(id);
    resolve?.(answer);
    return resolve !== undefined;
  }
}
