import type { WatchdogLimits } from '@robota-sdk/agent-config';
import type { AgentEvent } from '@robota-sdk/agent-core';
import { repeats } from './repeats.ts';
import type { TimeoutReason } from './task-state.ts';

/** Why a task was stopped, for programs and for people. */
export interface WatchdogStop {
  readonly reason: TimeoutReason;
  readonly message: string;
}

/** Looks at the events of an agent and calls once when it is stuck or has run away. */
export class TaskWatchdog {
  readonly #limits: WatchdogLimits;
  readonly #stop: (stop: WatchdogStop) => void;
  readonly #runtime: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isPaused = false;
  #hasStopped = false;
  #bytes = 0;
  #deltas = 0;
  #tail = '';
  #unchecked = 0;

  constructor(limits: WatchdogLimits, stop: (stop: WatchdogStop) => void) {
    this.#limits = limits;
    this.#stop = stop;
    const { maxRuntimeMs, idleTimeoutMs } = limits;
    this.#runtime = timer(maxRuntimeMs, () =>
      this.#end('runtime', `It ran longer than ${duration(maxRuntimeMs)} (tasks.maxRuntimeMs).`),
    );
    this.#idle = timer(idleTimeoutMs, () => this.#onIdle());
  }

  observe(event: AgentEvent): void {
    this.#idle?.refresh();
    if (event.type !== 'text-delta' && event.type !== 'thinking-delta') return;
    this.#deltas++;
    this.#bytes += Buffer.byteLength(event.text);
    this.#checkAmount();
    this.#checkRepetition(event.text);
  }

  /** Someone else has to act, so its silence says nothing. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#idle?.refresh();
  }

  dispose(): void {
    this.#hasStopped = true;
    clearTimeout(this.#idle);
    clearTimeout(this.#runtime);
  }

  #onIdle(): void {
    const { idleTimeoutMs } = this.#limits;
    if (this.#isPaused) {
      this.#idle = timer(idleTimeoutMs, () => this.#onIdle());
      return;
    }
    this.#end('idle', `Nothing came from it for ${duration(idleTimeoutMs)} (tasks.idleTimeoutMs).`);
  }

  #checkAmount(): void {
    const { outputLimitBytes, maxTextDeltas } = this.#limits;
    if (outputLimitBytes > 0 && this.#bytes > outputLimitBytes)
      this.#end('output', `It wrote more than ${outputLimitBytes} bytes (tasks.outputLimitBytes).`);
    if (maxTextDeltas > 0 && this.#deltas > maxTextDeltas)
      this.#end('text_deltas', `It wrote more than ${maxTextDeltas} pieces of text (tasks.maxTextDeltas).`);
  }

  /** Looked at from time to time only, so that the cost per character stays the same. */
  #checkRepetition(text: string): void {
    const { repetitionWindow, repetitionThreshold } = this.#limits;
    if (repetitionWindow === 0 || repetitionThreshold === 0) return;
    this.#tail += text;
    this.#unchecked += text.length;
    if (this.#tail.length < repetitionWindow || this.#unchecked < repetitionWindow / 4) return;
    this.#tail = this.#tail.slice(-repetitionWindow);
    this.#unchecked = 0;
    if (repeats(this.#tail, repetitionThreshold))
      this.#end(
        'repetition',
        `It said the same over and over for ${repetitionWindow} characters (tasks.repetitionWindow).`,
      );
  }

  #end(reason: TimeoutReason, message: string): void {
    if (this.#hasStopped) return;
    this.dispose();
    this.#stop({ reason, message });
  }
}

/** Nobody has to wait for a watchdog: the program may end before it. */
function timer(milliseconds: number, call: () => void): NodeJS.Timeout | undefined {
  // Longer than this a timer would fire at once.
  const longest = 2 ** 31 - 1;
  return milliseconds > 0 ? setTimeout(call, Math.min(milliseconds, longest)).unref() : undefined;
}

function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds} ms`;
  return milliseconds < 120_000
    ? `${Math.round(milliseconds / 1000)} s`
    : `${Math.round(milliseconds / 60_000)} min`;
}
