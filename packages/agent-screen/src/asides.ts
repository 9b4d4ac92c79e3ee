import { interruptKeyOf } from './bars/interrupt-key.ts';
import { describeSeconds } from './items/describe-time.ts';
import type { Stage } from './stage/stage.ts';

/** Milliseconds between two changes of the time that is shown. */
const tickMs = 1000;

/** Shows for how long side questions are being answered, until the last of them is. */
export class Asides {
  readonly #stage: Stage;
  #open = 0;
  #since = 0;
  #ticking: NodeJS.Timeout | undefined;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  async during<Result>(work: Promise<Result>): Promise<Result> {
    if (this.#open === 0) this.#begin();
    this.#open++;
    try {
      return await work;
    } finally {
      this.#open--;
      if (this.#open === 0) this.#end();
    }
  }

  #begin(): void {
    this.#since = Date.now();
    this.#ticking = setInterval(() => this.#tell(), tickMs).unref();
    this.#tell();
  }

  #end(): void {
    clearInterval(this.#ticking);
    this.#stage.tell('');
  }

  #tell(): void {
    const { look, keys, session } = this.#stage;
    const { ellipsis, separator } = look.glyphs;
    const seconds = Math.floor((Date.now() - this.#since) / tickMs);
    const time = seconds < 1 ? '' : ` ${describeSeconds(seconds)}`;
    // During a run, the key interrupts that as well, as the working line says.
    const hint = session?.isExecuting() ? '' : ` ${separator} ${interruptKeyOf(keys)} cancel`;
    this.#stage.tell(`Answering your question${ellipsis}${time}${hint}`);
  }
}
