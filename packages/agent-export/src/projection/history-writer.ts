import { appendFileSync, statSync } from 'node:fs';
import { rename, rm, truncate, writeFile } from 'node:fs/promises';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Redactor } from '@robota-sdk/agent-core';
import type { Entry, SessionHandle } from '@robota-sdk/agent-sessions';
import { branchMark, hasRecord, historyRecord, systemRecord } from './history-record.ts';
import { type HistoryEnd, inspectHistory } from './inspect-history.ts';

export interface HistoryWriterOptions {
  readonly handle: SessionHandle;
  readonly file: string;
  readonly redact: Redactor;
}

/** So many records are made at once; in between, others have their turn. */
const recordsAtOnce = 50;

/** After so many, the rest of a long session is made slowly: its first request and its answer come first. */
const quickRecords = 100;
const pauseMs = 1000;

/** Milliseconds that the end of a session waits for a history that lags behind; the next session continues it. */
const longestWaitAtEnd = 200;

/** Keeps the file in sync with the session: appends, adds missing entries, or rebuilds it. */
export class HistoryWriter {
  readonly #handle: SessionHandle;
  readonly #file: string;
  readonly #redact: Redactor;
  /** The expected size of the file; undefined if it must be checked. */
  #size: number | undefined;
  #systemId: string | undefined;
  /** The entry of the last record. */
  #lastId: string | null = null;
  /** By `performance.now()`. */
  #deadline = Number.POSITIVE_INFINITY;
  #endPause: () => void = () => {};

  constructor({ handle, file, redact }: HistoryWriterOptions) {
    this.#handle = handle;
    this.#file = file;
    this.#redact = redact;
  }

  /** Speeds up: a caller waits for the file in order to exit. */
  hurry(): void {
    this.#deadline = Math.min(this.#deadline, performance.now() + longestWaitAtEnd);
    this.#endPause();
  }

  /** Writes entries, all of which the session has already; a system prompt before them if it is a new one. */
  async write(added: readonly Entry[], system: string): Promise<void> {
    const expected = this.#size;
    // Whatever fails from here on, the next write looks at the file again.
    this.#size = undefined;
    const size = expected !== undefined && sizeOf(this.#file) === expected ? expected : undefined;
    const sound = size ?? (await this.#catchUp(added[0]));
    // Missing entries before them could never be added later.
    if (sound === undefined) return;
    this.#size = (await this.#appendTo(this.#file, sound, [this.#system(system), ...added])).size;
  }

  /** Brings the file to where an added entry follows; returns its size, or nothing if the time is over before that. */
  async #catchUp(first: Entry | undefined): Promise<number | undefined> {
    const end = await inspectHistory(this.#file);
    const missing = end && this.#entriesBehind(end, first);
    if (!end || !missing) return this.#rebuild(first);
    this.#systemId = end.systemId;
    this.#lastId = end.ids.at(-1) ?? null;
    await truncate(this.#file, end.soundSize);
    const { size, isWhole } = await this.#appendTo(this.#file, end.soundSize, missing);
    return isWhole ? size : undefined;
  }

  /** Entries before one that have a record, perhaps from another one on; each is read once, when it is its turn. */
  *#recordedBefore(first: Entry | undefined, fromId?: string): Generator<Entry> {
    let isReached = fromId === undefined;
    for (const id of this.#handle.ids()) {
      if (id === first?.id) return;
      isReached ||= id === fromId;
      const entry = isReached ? this.#handle.entry(id) : undefined;
      if (entry && hasRecord(entry)) yield entry;
    }
  }

  /** Entries that are missing behind the end of a file; nothing if it holds others than the session. */
  #entriesBehind({ ids, isWhole }: HistoryEnd, first: Entry | undefined): Iterable<Entry> | undefined {
    const entries = this.#recordedBefore(first, isWhole ? undefined : ids[0]);
    if (ids.length === 0 && !isWhole) return undefined;
    for (const id of ids) if (entries.next().value?.id !== id) return undefined;
    return entries;
  }

  /** Rebuilds the file. If time runs out, its beginning is kept and continued later. */
  async #rebuild(first: Entry | undefined): Promise<number | undefined> {
    const temporary = `${this.#file}.tmp`;
    this.#systemId = undefined;
    this.#lastId = null;
    try {
      await rm(temporary, { force: true });
      await writeFile(temporary, '', { mode: 0o600, flag: 'wx' });
      const { size, isWhole } = await this.#appendTo(temporary, 0, this.#recordedBefore(first));
      await rename(temporary, this.#file);
      return isWhole ? size : undefined;
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      throw error;
    }
  }

  async #appendTo(file: string, size: number, parts: Iterable<string | Entry>): Promise<Appended> {
    let total = size;
    let text = '';
    let count = 0;
    const write = () => {
      // Synchronous: writing a few kilobytes is faster than queueing them.
      if (text !== '') appendFileSync(file, text, { mode: 0o600 });
      total += Buffer.byteLength(text);
      text = '';
    };
    for (const part of parts) {
      text += typeof part === 'string' ? part : this.#record(part);
      if (++count % recordsAtOnce !== 0) continue;
      write();
      await (count < quickRecords || this.#deadline < Number.POSITIVE_INFINITY
        ? setImmediate()
        : this.#pause());
      if (performance.now() > this.#deadline) return { size: total, isWhole: false };
    }
    write();
    return { size: total, isWhole: true };
  }

  async #pause(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.#endPause = resolve;
    });
    await Promise.race([ended, setTimeout(pauseMs, undefined, { ref: false })]);
  }

  #record(entry: Entry): string {
    const record = historyRecord(entry, this.#redact);
    if (record === '') return '';
    // The usual case needs no look at the tree.
    const parentId = entry.parentId === this.#lastId ? this.#lastId : this.#recordBefore(entry);
    const mark = parentId === undefined || parentId === this.#lastId ? '' : branchMark(parentId);
    this.#lastId = entry.id;
    return mark + record;
  }

  /** The nearest ancestor with a record; null at the root, nothing where the tree does not tell. */
  #recordBefore(entry: Entry): string | null | undefined {
    const seen = new Set<string>();
    let id = entry.parentId;
    while (id !== null && !seen.has(id)) {
      seen.add(id);
      const parent = this.#handle.entry(id);
      if (!parent) return undefined;
      if (hasRecord(parent)) return parent.id;
      id = parent.parentId;
    }
    return null;
  }

  #system(prompt: string): string {
    const id = checksumOf(prompt);
    if (prompt === '' || id === this.#systemId) return '';
    this.#systemId = id;
    return systemRecord(prompt, { id, redact: this.#redact });
  }
}

/** How far the file is, and whether all is in it that was to be written. */
interface Appended {
  readonly size: number;
  readonly isWhole: boolean;
}

/** Tells one prompt from the next. */
function checksumOf(text: string): string {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum = (Math.imul(sum, 31) + text.charCodeAt(index)) | 0;
  return (sum >>> 0).toString(16).padStart(8, '0');
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}
