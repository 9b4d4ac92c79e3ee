import { createHash } from 'node:crypto';
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  callback,
  checkArguments,
  createRedactor,
  errorMessage,
  having,
  list,
  makeDirectories,
  optional,
  type Problem,
  pathShape,
  type Redactor,
  sentence,
  text,
  warning,
} from '@robota-sdk/agent-core';

/** Receives the events of a session for a readable log. */
export interface ISessionLogger {
  /** Records an event; never throws and never waits. */
  log(event: string, data?: Readonly<Record<string, unknown>>): void;
  /** Writes buffered events. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface FileSessionLoggerOptions {
  /** The log; its directory is made when the first line is written. */
  readonly file: string;
  readonly sessionId: string;
  /** Values that must never appear in the log, such as keys in use. */
  readonly secrets?: readonly string[];
  /** Called once if the log cannot be written. */
  readonly onProblem?: (problem: Problem) => void;
}

const loggerOptions = having({
  file: pathShape,
  sessionId: text,
  secrets: optional(list(text)),
  onProblem: optional(callback),
});

const largestField = 32 * 1024;
const largestBuffer = 256 * 1024;
/** Maximum backlog for a failing disk; the session matters more than a complete log. */
const largestBacklog = 4 * 1024 * 1024;
/** Frequent events; only their totals are logged. */
const skippedEvents: ReadonlySet<string> = new Set(['text_delta', 'thinking_delta', 'tool_progress']);

/** Writes one JSON line per event, without secrets; large fields go into separate files next to the log. */
export class FileSessionLogger implements ISessionLogger {
  readonly #file: string;
  readonly #sessionId: string;
  readonly #redact: Redactor;
  readonly #onProblem: (problem: Problem) => void;
  #buffer = '';
  #fd: number | undefined;
  #hasFailed = false;
  #isBlocked = false;

  constructor(options: FileSessionLoggerOptions) {
    checkArguments('new FileSessionLogger', { options: [options, loggerOptions] });
    const { file, sessionId, secrets = [], onProblem = () => {} } = options;
    this.#file = file;
    this.#sessionId = sessionId;
    this.#redact = createRedactor(secrets);
    this.#onProblem = onProblem;
  }

  log(event: string, data: Readonly<Record<string, unknown>> = {}): void {
    if (skippedEvents.has(event)) return;
    try {
      this.#buffer += `${this.#line(event, data)}\n`;
    } catch (error) {
      this.#fail(error);
    }
    if (this.#buffer.length > largestBuffer && !this.#isBlocked) this.#writeOut();
  }

  async flush(): Promise<void> {
    this.#writeOut();
  }

  async close(): Promise<void> {
    this.#writeOut();
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #line(event: string, data: Readonly<Record<string, unknown>>): string {
    const fields: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(this.#redact(data) as object))
      fields[key] = this.#moveIfLarge(value);
    const timestamp = new Date().toISOString();
    return JSON.stringify({ ...fields, timestamp, sessionId: this.#sessionId, event });
  }

  #moveIfLarge(value: unknown): unknown {
    if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return value;
    if (typeof value === 'string' && value.length <= largestField / 4) return value;
    const json = JSON.stringify(value);
    const bytes = Buffer.byteLength(json);
    if (bytes <= largestField) return value;
    const payload = join('payloads', `${createHash('sha256').update(json).digest('hex')}.json`);
    try {
      this.#writePayload(join(dirname(this.#file), payload), json);
      return { payload, bytes };
    } catch (error) {
      this.#fail(error);
      return { payload: null, bytes };
    }
  }

  #writePayload(path: string, json: string): void {
    makeDirectories(dirname(path), 0o700);
    try {
      writeFileSync(path, json, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      // The name is the content's hash: an existing file is equal.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
      rmSync(path, { force: true });
      throw error;
    }
  }

  #writeOut(): void {
    if (this.#buffer === '') return;
    const bytes = Buffer.from(this.#buffer);
    let written = 0;
    try {
      this.#fd ??= this.#open();
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written);
      this.#buffer = '';
      this.#isBlocked = false;
    } catch (error) {
      this.#isBlocked = true;
      this.#keepBacklog(bytes.subarray(written));
      this.#fail(error);
    }
  }

  /**
   * Failed writes are retried with the next lines; if the backlog is full, the oldest whole lines are
   * dropped.
   */
  #keepBacklog(bytes: Buffer): void {
    const excess = bytes.length - largestBacklog;
    const from = excess <= 0 ? 0 : bytes.indexOf('\n', excess) + 1;
    this.#buffer = bytes.toString('utf8', from);
  }

  #open(): number {
    makeDirectories(dirname(this.#file), 0o700);
    return openSync(this.#file, 'a', 0o600);
  }

  #fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    const message = sentence`Cannot write the session log: ${{ reason: errorMessage(error) }}. The session itself continues.`;
    this.#onProblem(warning('session.log', message, { source: { file: this.#file } }));
  }
}

/** Writes no log. */
export class SilentSessionLogger implements ISessionLogger {
  log(): void {}

  async flush(): Promise<void> {}

  async close(): Promise<void> {}
}
