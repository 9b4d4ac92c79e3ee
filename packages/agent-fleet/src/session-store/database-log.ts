import { setTimeout as sleep } from 'node:timers/promises';
import { describeLockOwner, parseLockOwner } from '@robota-sdk/agent-core';
import type { AppendOptions, LineSink, SessionProblem } from '@robota-sdk/agent-sessions';
import { LostLeaseError, type Queryable } from '../contract/database.ts';
import { failureOf, isPassing } from './database-failure.ts';
import type { LineSummary } from './line-summary.ts';
import {
  appendLines,
  type Holder,
  hasLease,
  heldSeconds,
  insertSession,
  type NewSession,
  readSessionRow,
  releaseHold,
  renewHold,
  type SessionRow,
  takeHold,
} from './session-rows.ts';

export interface DatabaseLogOptions {
  readonly database: Queryable;
  readonly id: string;
  readonly holder: Holder;
  /** Of its lines so far. */
  readonly summary: LineSummary;
  /** How many lines it has; undefined before the first write. */
  readonly lines: number | undefined;
  /** The row of a session that begins with the first write. */
  readonly created: Omit<NewSession, 'header'> | undefined;
  readonly onProblem: (problem: SessionProblem) => void;
  /** Called after lines were committed. */
  readonly onWritten: () => void;
}

/** A statement that takes longer counts as failed; if it was carried out after all, the next one notices. */
const answerWithinMs = 15_000;
const retryMs = 1000;
const batchLines = 5000;
const batchCharacters = 4 * 1024 * 1024;
/** How often the last lines are tried at the end, a second apart. */
const lastTries = 3;

/**
 * Appends lines to a session's rows. Lines that arrive while a statement is under way go together into the next one.
 * While the database cannot be reached they wait in memory, and are tried again every second and at every write. With a
 * lease a durable write waits until it is committed, because what it announces must not happen twice.
 */
export class DatabaseLog implements LineSink {
  readonly #options: DatabaseLogOptions;
  readonly #waiting: string[] = [];
  #isNew: boolean;
  /** Lines in the database, and those of them that survive a loss of power. */
  #saved: number;
  #durable: number;
  #writing: Promise<boolean> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #beat: NodeJS.Timeout | undefined;
  #failure: Error | undefined;
  #lost: LostLeaseError | undefined;
  #isWhole: boolean;

  constructor(options: DatabaseLogOptions) {
    this.#options = options;
    this.#isNew = options.lines === undefined;
    this.#saved = options.lines ?? 0;
    this.#durable = this.#saved;
    this.#isWhole = options.created?.isWhole ?? true;
    if (!this.#isNew) this.#startBeat();
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** True after the first write. */
  get isStored(): boolean {
    return !this.#isNew;
  }

  /** Lets a session that begins later be seen by others at once. */
  becomeWhole(): void {
    this.#isWhole = true;
  }

  async write(lines: string, { durable = false }: AppendOptions): Promise<void> {
    if (this.#lost) throw this.#lost;
    if (lines !== '') this.#take(lines.slice(0, -1).split('\n'));
    const target = this.#saved + this.#waiting.length;
    while (this.#saved < target || (durable && this.#durable < target)) {
      if (await this.#writeOnce(durable)) continue;
      if (!durable || !this.#options.holder.lease) return;
      if (!isPassing(this.#failure)) throw this.#failure;
      await sleep(retryMs);
    }
  }

  async close(): Promise<void> {
    for (let tries = 0; this.#waiting.length > 0 && !this.#lost && tries < lastTries; tries++) {
      if (tries > 0) await sleep(retryMs);
      await this.#writeAll();
    }
    clearTimeout(this.#retry);
    clearInterval(this.#beat);
    const { database, holder, id } = this.#options;
    // A right that cannot be given back ends by itself.
    if (!this.#isNew && this.#failure === undefined)
      await inTime(releaseHold(database, holder, id)).catch(() => {});
  }

  #take(lines: readonly string[]): void {
    this.#options.summary.add(lines);
    for (const line of lines) this.#waiting.push(line);
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0 && (await this.#writeOnce(true)));
    } catch {
      // The lease is lost, and with it the lines.
    }
  }

  /** One statement serves all callers whose lines were there before it began. False if it failed. */
  #writeOnce(durable: boolean): Promise<boolean> {
    this.#writing ??= this.#tryToWrite(durable).finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #tryToWrite(durable: boolean): Promise<boolean> {
    const { database, holder, id } = this.#options;
    try {
      if (this.#waiting.length > 0) await this.#writeBatch(durable);
      else await inTime(renewHold(database, holder, id));
    } catch (error) {
      if (error instanceof LostLeaseError) throw this.#lose(error);
      this.#fail(error);
      return false;
    }
    if (durable) this.#durable = this.#saved;
    this.#recover();
    return true;
  }

  async #writeBatch(durable: boolean): Promise<void> {
    const { database, holder, id, summary, created } = this.#options;
    const lines = this.#nextBatch();
    const batch = { id, after: this.#saved, lines, summary: summary.row, durable };
    const header = lines[0] ?? '';
    const isDone = await inTime(
      this.#isNew && created
        ? insertSession(database, holder, { ...batch, ...created, header, isWhole: this.#isWhole })
        : appendLines(database, holder, batch),
    );
    const count = isDone ? lines.length : await this.#alreadySaved();
    this.#waiting.splice(0, count);
    this.#saved += count;
    if (this.#isNew) this.#startBeat();
    this.#isNew = false;
    this.#options.onWritten();
  }

  #nextBatch(): string[] {
    let characters = 0;
    const end = this.#waiting.findIndex((line, index) => {
      characters += line.length;
      return index > 0 && (index >= batchLines || characters > batchCharacters);
    });
    return end < 0 ? [...this.#waiting] : this.#waiting.slice(0, end);
  }

  /** How many of the lines an earlier try has written whose answer was lost. Throws if these lines may not be written. */
  async #alreadySaved(): Promise<number> {
    const { database, holder, id } = this.#options;
    const row = await inTime(readSessionRow(database, id));
    const count = row?.holder === holder.key ? Number(row.lines) - this.#saved : 0;
    if (count > 0) return count;
    if (holder.lease && !(await inTime(hasLease(database, holder.lease))))
      throw new LostLeaseError(holder.lease);
    if (this.#isNew) throw new Error(row ? `there is a session ${id} already` : 'the database refused it');
    if (!row) throw new Error('the session was deleted');
    if (Number(row.lines) !== this.#saved)
      throw new Error('another process has continued it in the meantime');
    await this.#holdAgain(row);
    return 0;
  }

  /** The right to append ended while this process could not give signs of life, as on a machine that slept. */
  async #holdAgain(row: SessionRow): Promise<void> {
    const { database, holder, id } = this.#options;
    const held = await inTime(takeHold(database, holder, { id, from: row.holder, isForced: false }));
    if (held) return;
    const owner = parseLockOwner(row.holder_owner ?? '');
    throw new Error(`it is in use by ${owner ? describeLockOwner(owner) : 'another process'}`);
  }

  #startBeat(): void {
    const { database, holder, id } = this.#options;
    const beat = () => void inTime(renewHold(database, holder, id)).catch(() => {});
    this.#beat = setInterval(beat, (heldSeconds * 1000) / 3).unref();
  }

  #lose(error: LostLeaseError): LostLeaseError {
    this.#lost = error;
    this.#waiting.length = 0;
    clearInterval(this.#beat);
    return error;
  }

  #fail(error: unknown): void {
    const isFirst = this.#failure === undefined;
    this.#failure = failureOf(error);
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.#writeOnce(true).catch(() => {});
    }, retryMs).unref();
    if (!isFirst) return;
    const message = `The session cannot be saved to the database: ${this.#failure.message}.`;
    const hint = 'It continues in memory and is saved as soon as that works again.';
    this.#options.onProblem({ code: 'disk', count: 1, message, hint });
  }

  #recover(): void {
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    const message = 'The session is saved to the database again; nothing is missing.';
    this.#options.onProblem({ code: 'disk-recovered', count: 1, message });
  }
}

/** Fails if a statement takes too long; a connection may be dead without a sign. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  const controller = new AbortController();
  const late = sleep(answerWithinMs, undefined, { ref: false, signal: controller.signal }).then(() => {
    throw new Error(`no answer in ${answerWithinMs / 1000} s`);
  });
  late.catch(() => {});
  try {
    return await Promise.race([answer, late]);
  } finally {
    answer.catch(() => {});
    controller.abort();
  }
}
