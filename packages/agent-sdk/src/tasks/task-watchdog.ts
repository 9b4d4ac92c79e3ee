import type { WatchdogLimits } from '@robota-sdk/agent-config';
import { type AgentEvent, type LongTimer, startTimer } from '@robota-sdk/agent-core';
import type { TimeoutReason } from './task-state.ts';

/** The reason why a task was stopped, for programs and users. */
export interface WatchdogStop {
  readonly reason: TimeoutReason;
  readonly message: string;
}

/** Watches the events of an agent and calls back once when it is stuck or runs away. */
export class TaskWatchdog {
  readonly #limits: WatchdogLimits;
  readonly #stop: (stop: WatchdogStop) => void;
  readonly #runtime: LongTimer | undefined;
  #idle: LongTimer | undefined;
  #isPaused = false;
  /** True while it waits for a vendor's limit to reset, which may take hours. */
  #isLimited = false;
  #hasStopped = false;
  #bytes = 0;
  #deltas = 0;
  #tail = '';
  #unchecked = 0;

  constructor(limits: WatchdogLimits, stop: (stop: WatchdogStop) => void) {
    this.#limits = limits;
    this.#stop = stop;
    const { maxRuntimeMs, idleTimeoutMs } = limits;
    this.#runtime = timer(maxRuntimeMs, () => this.#onRuntime());
    this.#idle = timer(idleTimeoutMs, () => this.#onIdle());
  }

  observe(event: AgentEvent): void {
    this.#isLimited = event.type === 'limit-wait';
    if (event.type === 'limit-end') this.#runtime?.refresh();
    this.#idle?.refresh();
    if (event.type !== 'text-delta' && event.type !== 'thinking-delta') return;
    this.#deltas++;
    this.#bytes += Buffer.byteLength(event.text);
    this.#checkAmount();
    this.#checkRepetition(event.text);
  }

  /** Pauses while something else must happen first. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#idle?.refresh();
  }

  dispose(): void {
    this.#hasStopped = true;
    this.#idle?.cancel();
    this.#runtime?.cancel();
  }

  #onIdle(): void {
    const { idleTimeoutMs } = this.#limits;
    if (this.#isPaused || this.#isLimited) {
      this.#idle = timer(idleTimeoutMs, () => this.#onIdle());
      return;
    }
    this.#end('idle', `Nothing came from it for ${duration(idleTimeoutMs)} (tasks.idleTimeoutMs).`);
  }

  #onRuntime(): void {
    const { maxRuntimeMs } = this.#limits;
    if (this.#isLimited) this.#runtime?.refresh();
    else this.#end('runtime', `It ran longer than ${duration(maxRuntimeMs)} (tasks.maxRuntimeMs).`);
  }

  #checkAmount(): void {
    const { outputLimitBytes, maxTextDeltas } = this.#limits;
    if (outputLimitBytes > 0 && this.#bytes > outputLimitBytes)
      this.#end('output', `It wrote more than ${outputLimitBytes} bytes (tasks.outputLimitBytes).`);
    if (maxTextDeltas > 0 && this.#deltas > maxTextDeltas)
      this.#end('text_deltas', `It wrote more than ${maxTextDeltas} pieces of text (tasks.maxTextDeltas).`);
  }

  /** Checked only from time to time, so that the cost per character stays constant. */
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
        `It repeated itself for ${repetitionWindow} characters (tasks.repetitionWindow).`,
      );
  }

  #end(reason: TimeoutReason, message: string): void {
    if (this.#hasStopped) return;
    this.dispose();
    this.#stop({ reason, message });
  }
}

/** 0 means no limit. */
function timer(milliseconds: number, call: () => void): LongTimer | undefined {
  return milliseconds > 0 ? startTimer(milliseconds, call) : undefined;
}

function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds} ms`;
  return milliseconds < 120_000
    ? `${Math.round(milliseconds / 1000)} s`
    : `${Math.round(milliseconds / 60_000)} min`;
}

/** True if a text repeats a shorter one at least `times` times; the last repetition may be incomplete. */
export function repeats(text: string, times: number): boolean {
  if (text === '' || times <= 1) return text !== '';
  return text.length / periodOf(text) >= times;
}

/** The length of the shortest prefix that, repeated, gives the text. */
function periodOf(text: string): number {
  // For each position, the length of the prefix that ends there (Knuth, Morris and Pratt).
  const borders = new Uint32Array(text.length);
  for (let place = 1; place < text.length; place++) {
    let border = borders[place - 1] ?? 0;
    while (border > 0 && text[border] !== text[place]) border = borders[border - 1] ?? 0;
    borders[place] = text[border] === text[place] ? border + 1 : border;
  }
  return text.length - (borders[text.length - 1] ?? 0);
}
