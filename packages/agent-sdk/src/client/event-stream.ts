import type { SessionEvent } from '../contract/session-event.ts';

/** Buffers events between a run, which does not wait, and a reader that takes them one by one. */
export class EventStream implements AsyncIterator<SessionEvent, undefined> {
  readonly #waiting: SessionEvent[] = [];
  readonly #leave: () => Promise<void>;
  #wake: (() => void) | undefined;
  #ending: { readonly reason?: unknown } | undefined;

  /** `leave` is called when the reader stops early. */
  constructor(leave: () => Promise<void>) {
    this.#leave = leave;
  }

  /** Deltas that wait are joined, so that a slow reader costs no more memory than the text. */
  push(event: SessionEvent): void {
    if (this.#ending) return;
    const joined = joinedDelta(this.#waiting.at(-1), event);
    if (joined) this.#waiting.splice(-1, 1, joined);
    else this.#waiting.push(event);
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

  async next(): Promise<IteratorResult<SessionEvent, undefined>> {
    while (this.#waiting.length === 0 && !this.#ending) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    const event = this.#waiting.shift();
    if (event) return { done: false, value: event };
    const ending = this.#ending;
    // Thrown once; later calls say that it is over.
    this.#ending = {};
    if (ending && 'reason' in ending) throw ending.reason;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<SessionEvent, undefined>> {
    this.#waiting.length = 0;
    this.#ending = {};
    await this.#leave();
    return { done: true, value: undefined };
  }
}

function joinedDelta(last: SessionEvent | undefined, next: SessionEvent): SessionEvent | undefined {
  if (next.type !== 'text-delta' && next.type !== 'thinking-delta') return undefined;
  if (last?.type !== next.type || last.agentId !== next.agentId) return undefined;
  return { ...next, text: last.text + next.text };
}
