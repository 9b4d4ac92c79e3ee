import { createRedactor, errorMessage } from '@robota-sdk/agent-core';
import type { Entry, HandleFollower, SessionHandle } from '@robota-sdk/agent-sessions';
import type { HistoryWriter } from './history-writer.ts';

export interface HistoryFileOptions {
  readonly handle: SessionHandle;
  readonly file: string;
  /** The system prompt as it is now. */
  readonly system: () => string | Promise<string>;
  /** Values that must never appear in the file, such as keys in use. */
  readonly secrets?: readonly string[];
  /** Told once when the file can't be written. */
  readonly onProblem?: (message: string) => void;
}

/** By then the request to the model is on its way, and the file is written while it is waited for. */
const writeAfterMs = 25;

/**
 * A readable copy of the conversation in XNL, next to the session's file. It is only a projection: written in
 * the background, and rebuilt from the session whenever the two differ.
 */
export class HistoryFile implements HandleFollower {
  readonly #options: HistoryFileOptions;
  #waiting: Entry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #writer: HistoryWriter | undefined;
  #hasFailed = false;
  #isClosing = false;

  constructor(options: HistoryFileOptions) {
    this.#options = options;
  }

  appended(entry: Entry): void {
    this.#waiting.push(entry);
    this.#timer ??= setTimeout(() => void this.flush(), writeAfterMs).unref();
  }

  moved(): void {}

  /** Resolves when everything appended so far is written, or could not be. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length > 0) this.#writing = this.#writing.then(() => this.#write());
    await this.#writing;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#writer?.hurry();
    await this.flush();
  }

  async #write(): Promise<void> {
    const entries = this.#waiting;
    this.#waiting = [];
    try {
      this.#writer ??= await this.#createWriter();
      const system = await this.#options.system();
      if (this.#isClosing) this.#writer.hurry();
      await this.#writer.write(entries, system);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #createWriter(): Promise<HistoryWriter> {
    const { HistoryWriter } = await import('./history-writer.ts');
    const { handle, file, secrets } = this.#options;
    return new HistoryWriter({ handle, file, redact: createRedactor(secrets) });
  }

  #fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#options.onProblem?.(
      `The history can't be written: ${errorMessage(error)}. It is made again from the session when that is possible.`,
    );
  }
}
