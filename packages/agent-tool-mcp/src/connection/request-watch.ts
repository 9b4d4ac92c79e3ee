import type { Client, Progress, RequestOptions } from '@modelcontextprotocol/client';
import { type LongTimer, startTimer } from '@robota-sdk/agent-core';
import { unlimitedMs } from './connect-server.ts';

/** How a request to a server is watched. */
export interface McpRequestOptions {
  readonly signal?: AbortSignal;
  /** Told of progress the server reports, as a line of text. */
  progress?(text: string): void;
}

/** Something that is asked of a server. */
export type McpWork<T> = (client: Client, options: RequestOptions) => Promise<T>;

/** Sees to it that requests end: when they are cancelled, which the server is told, or when it is silent for too long. */
export class RequestWatch {
  readonly #limitMs: number;
  readonly #clocks = new Set<CallClock>();
  readonly #controllers = new Set<AbortController>();

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  async run<T>(client: Client, work: McpWork<T>, { signal, progress }: McpRequestOptions): Promise<T> {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const silence = new SilenceError(this.#limitMs);
    const clock = new CallClock(this.#limitMs, () => controller.abort(silence));
    const cancel = () => controller.abort(signal?.reason);
    signal?.addEventListener('abort', cancel, { once: true });
    this.#clocks.add(clock);
    this.#controllers.add(controller);
    try {
      return await work(client, {
        signal: controller.signal,
        timeout: unlimitedMs,
        ...(progress ? { onprogress: (step) => this.#report(clock, progress, step) } : {}),
      });
    } catch (thrown) {
      throw controller.signal.aborted ? controller.signal.reason : thrown;
    } finally {
      clock.stop();
      this.#clocks.delete(clock);
      this.#controllers.delete(controller);
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Pauses all requests while the user is asked, until the returned function is called. */
  hold(): () => void {
    const releases = [...this.#clocks].map((clock) => clock.hold());
    return () => {
      for (const release of releases) release();
    };
  }

  /** A sign of life that belongs to no request. */
  touch(): void {
    for (const clock of this.#clocks) clock.touch();
  }

  /** Ends all requests: no answer will come any more. */
  fail(reason: Error): void {
    for (const controller of this.#controllers) controller.abort(reason);
  }

  #report(clock: CallClock, progress: (text: string) => void, step: Progress): void {
    clock.touch();
    // The library counts its own rounds of questions in the same way.
    if (!step.message?.startsWith('Fulfilling input required by')) progress(progressLine(step));
  }
}

/** Nothing was heard for too long. */
export class SilenceError extends Error {
  readonly limitMs: number;

  constructor(limitMs: number) {
    super(`no answer within ${limitMs} ms`);
    this.limitMs = limitMs;
  }
}

/** A server's progress as a line to append to the live view. */
function progressLine({ progress, total, message }: Progress): string {
  const count = total === undefined ? String(progress) : `${progress}/${total}`;
  return `${message === undefined ? count : `${count} ${message}`}\n`;
}

/** Limits the silence of a server: every message resets it, and it pauses while the user is asked. */
class CallClock {
  readonly #limitMs: number;
  readonly #expire: () => void;
  #timer: LongTimer | undefined;
  #holds = 0;

  constructor(limitMs: number, expire: () => void) {
    this.#limitMs = limitMs;
    this.#expire = expire;
    this.touch();
  }

  touch(): void {
    this.#timer?.cancel();
    if (this.#holds === 0) this.#timer = startTimer(this.#limitMs, this.#expire);
  }

  /** Stops the clock until the returned function is called. */
  hold(): () => void {
    this.#holds += 1;
    this.#timer?.cancel();
    return () => {
      this.#holds -= 1;
      this.touch();
    };
  }

  stop(): void {
    this.#holds = Number.POSITIVE_INFINITY;
    this.#timer?.cancel();
  }
}
