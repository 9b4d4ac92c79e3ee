import type { TerminalResponse } from '../input/input-event.ts';
import { applyResponse, type Capabilities } from './capabilities.ts';

/** Options of a {@link CapabilityProbe}. */
export interface CapabilityProbeOptions {
  readonly capabilities: Capabilities;
  readonly write: (query: string) => void;
  /** Called for every answer that changes what is known, also later, when the colours change. */
  readonly onChange: (capabilities: Capabilities) => void;
  /** The time limit for answers, 1000 by default. */
  readonly timeoutMs?: number;
}

const queries = {
  background: '\x1b]11;?\x1b\\',
  scheme: '\x1b[?996n',
  cellSize: '\x1b[16t',
  keyboard: '\x1b[?u',
  synchronized: '\x1b[?2026$p',
  /** Every terminal answers this one, and answers come in order, so what was not answered before it never will be. */
  attributes: '\x1b[c',
};

/** Asks a terminal what it can do, after the first frame was painted; nothing waits for it. */
export class CapabilityProbe {
  readonly #options: CapabilityProbeOptions;
  #capabilities: Capabilities;
  #timer: NodeJS.Timeout | undefined;
  #finish: (capabilities: Capabilities) => void = () => {};
  /** The capabilities after the terminal answered, or after the time limit. */
  readonly finished: Promise<Capabilities>;

  constructor(options: CapabilityProbeOptions) {
    this.#options = options;
    this.#capabilities = options.capabilities;
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get capabilities(): Capabilities {
    return this.#capabilities;
  }

  /** Sends the questions. */
  start(): void {
    const text = queriesFor(this.#capabilities);
    if (text === '') return this.stop();
    this.#timer = setTimeout(() => this.stop(), this.#options.timeoutMs ?? 1000);
    this.#timer.unref();
    this.#options.write(text);
  }

  /** Takes an answer, or what the terminal tells by itself. */
  take(response: TerminalResponse): void {
    const next = applyResponse(this.#capabilities, response);
    const isNew = next !== this.#capabilities;
    this.#capabilities = next;
    if (isNew) this.#options.onChange(next);
    if (response.kind === 'device-attributes') this.stop();
  }

  /** Ends waiting. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#finish(this.#capabilities);
  }
}

function queriesFor({ isDumb, program }: Capabilities): string {
  if (isDumb || program === 'linux') return '';
  // Apple's terminal prints the end of a question that it does not know.
  const isSafe = program !== 'apple-terminal';
  const { background, scheme, cellSize, keyboard, synchronized, attributes } = queries;
  return background + (isSafe ? scheme + cellSize + keyboard + synchronized : '') + attributes;
}
