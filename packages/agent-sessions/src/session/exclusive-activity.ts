import { AgentError } from '@robota-sdk/agent-core';

/** How long listeners are waited for after an interruption. */
const afterAbortMs = 100;

/** Runs one activity at a time, and can cancel it. */
export class ExclusiveActivity<A extends string> {
  #controller: AbortController | undefined;
  #current: A | undefined;
  #running: Promise<unknown> | undefined;
  #isClosed = false;

  /** The running activity. */
  get current(): A | undefined {
    return this.#current;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Runs an activity; throws while another one runs. */
  async run<T>(
    activity: A,
    outer: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    this.assertIdle();
    const controller = new AbortController();
    this.#controller = controller;
    this.#current = activity;
    const forward = () => controller.abort();
    outer?.addEventListener('abort', forward, { once: true });
    if (outer?.aborted) forward();
    const running = work(controller.signal);
    this.#running = running;
    try {
      return await running;
    } catch (thrown) {
      // Tools that still run must not outlive the run that started them.
      controller.abort();
      throw thrown;
    } finally {
      outer?.removeEventListener('abort', forward);
      this.#controller = undefined;
      this.#current = undefined;
      this.#running = undefined;
    }
  }

  /** Cancels the activity and resolves when it has stopped. */
  async abort(): Promise<void> {
    this.#controller?.abort();
    await this.whenIdle();
  }

  /**
   * Waits for listeners, but hardly longer than until everything is to stop: one of them may be waiting for just that.
   */
  async waitFor(listeners: Promise<void>): Promise<void> {
    const signal = this.#controller?.signal;
    if (!signal) return listeners;
    const settled = new AbortController();
    const options = { once: true, signal: settled.signal };
    const stopped = new Promise<void>((resolve) => {
      const give = () => setTimeout(resolve, afterAbortMs);
      if (signal.aborted) give();
      else signal.addEventListener('abort', give, options);
    });
    await Promise.race([listeners, stopped]).finally(() => settled.abort());
  }

  async whenIdle(): Promise<void> {
    await this.#running?.catch(() => {});
  }

  /** Rejects new activities. */
  close(): void {
    this.#isClosed = true;
  }

  assertIdle(): void {
    if (this.#isClosed) throw new AgentError('session', 'The session is closed. Open it again to continue.');
    if (this.#current === undefined) return;
    throw new AgentError('session', 'The session is busy; wait for the run to end, or steer it.');
  }
}
