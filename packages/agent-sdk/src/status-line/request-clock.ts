import type { SessionEvent } from '../contract/session-event.ts';

/** Adds up the time that models take to answer, by the events of a session. */
export class RequestClock {
  #askedAt: number | undefined;
  #elapsedMs = 0;

  take(event: SessionEvent): void {
    const isAnswer = event.type === 'message-append' && event.message.role === 'assistant';
    if (isAnswer || event.type === 'turn-start' || event.type === 'turn-end') this.stop();
    if (event.type === 'turn-start') this.#askedAt = performance.now();
  }

  /** Ends the request that is measured, if any. */
  stop(): void {
    if (this.#askedAt !== undefined) this.#elapsedMs += performance.now() - this.#askedAt;
    this.#askedAt = undefined;
  }

  /** Milliseconds of the requests that ended. */
  get elapsedMs(): number {
    return Math.round(this.#elapsedMs);
  }
}
