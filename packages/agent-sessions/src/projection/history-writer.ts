import { createHash } from 'node:crypto';
import { appendFileSync, statSync } from 'node:fs';
import { rename, rm, truncate, writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { Entry } from '../entry/entry.ts';
import type { Redactor } from '../redact.ts';
import type { SessionHandle } from '../store/session-handle.ts';
import { branchMark, hasRecord, historyRecord, systemRecord } from './history-record.ts';
import { type HistoryEnd, inspectHistory } from './inspect-history.ts';

export interface HistoryWriterOptions {
  readonly handle: SessionHandle;
  readonly file: string;
  readonly redact: Redactor;
}

/** So many records are made at once; in between, others have their turn. */
const recordsAtOnce = 50;

/** Keeps the file what the session says: appends, catches up with what is missing, or makes it anew. */
export class HistoryWriter {
  readonly #handle: SessionHandle;
  readonly #file: string;
  readonly #redact: Redactor;
  /** The size the file has if nobody else touched it; nothing where that has to be found out. */
  #size: number | undefined;
  #systemId: string | undefined;
  /** The entry of the last record. */
  #lastId: string | null = null;

  constructor({ handle, file, redact }: HistoryWriterOptions) {
    this.#handle = handle;
    this.#file = file;
    this.#redact = redact;
  }

  /** Writes entries, all of which the session has already; a system prompt before them if it is a new one. */
  async write(added: readonly Entry[], system: string): Promise<void> {
    const expected = this.#size;
    // Whatever fails from here on, the next write looks at the file again.
    this.#size = undefined;
    const size = expected !== undefined && sizeOf(this.#file) === expected ? expected : undefined;
    const sound = size ?? (await this.#catchUp(added));
    this.#size = await this.#appendTo(this.#file, sound, [
      { text: this.#system(system) },
      ...added.map((entry) => ({ entry })),
    ]);
  }

  /** Brings the file to where the added entries follow; returns its size. */
  async #catchUp(added: readonly Entry[]): Promise<number> {
    const before = this.#idsBefore(added[0]);
    const end = await inspectHistory(this.#file);
    const next = end && indexAfter(end, before);
    if (!end || next === undefined) return this.#rebuild(before);
    this.#systemId = end.systemId;
    this.#lastId = before[next - 1] ?? null;
    await truncate(this.#file, end.soundSize);
    return this.#appendTo(this.#file, end.soundSize, before.slice(next).map(stored));
  }

  /** The entries before one that have a record. */
  #idsBefore(first: Entry | undefined): readonly string[] {
    const ids: string[] = [];
    for (const entry of this.#handle.entries()) {
      if (entry.id === first?.id) break;
      if (hasRecord(entry)) ids.push(entry.id);
    }
    return ids;
  }

  async #rebuild(ids: readonly string[]): Promise<number> {
    const temporary = `${this.#file}.tmp`;
    this.#systemId = undefined;
    this.#lastId = null;
    try {
      await rm(temporary, { force: true });
      await writeFile(temporary, '', { mode: 0o600, flag: 'wx' });
      const size = await this.#appendTo(temporary, 0, ids.map(stored));
      await rename(temporary, this.#file);
      return size;
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      throw error;
    }
  }

  async #appendTo(file: string, size: number, parts: readonly Part[]): Promise<number> {
    let total = size;
    for (let start = 0; start < parts.length; start += recordsAtOnce) {
      if (start > 0) await setImmediate();
      const text = parts
        .slice(start, start + recordsAtOnce)
        .map((part) => this.#textOf(part))
        .join('');
      // A few kilobytes are written sooner than somebody else is asked to write them.
      if (text !== '') appendFileSync(file, text, { mode: 0o600 });
      total += Buffer.byteLength(text);
    }
    return total;
  }

  #textOf({ text, entry, id }: Part): string {
    if (text !== undefined) return text;
    const own = entry ?? (id === undefined ? undefined : this.#handle.entry(id));
    return own ? this.#record(own) : '';
  }

  #record(entry: Entry): string {
    const record = historyRecord(entry, this.#redact);
    if (record === '') return '';
    const parentId = this.#recordBefore(entry);
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
    const id = createHash('sha256').update(prompt).digest('hex').slice(0, 8);
    if (prompt === '' || id === this.#systemId) return '';
    this.#systemId = id;
    return systemRecord(prompt, { id, redact: this.#redact });
  }
}

/** What becomes a piece of the file: a text, an entry, or one that is read when it is its turn. */
interface Part {
  readonly text?: string;
  readonly entry?: Entry;
  readonly id?: string;
}

function stored(id: string): Part {
  return { id };
}

/** How many of the entries the file already has; nothing if it has others than those. */
function indexAfter({ ids, isWhole }: HistoryEnd, before: readonly string[]): number | undefined {
  const [first] = ids;
  if (first === undefined) return isWhole ? 0 : undefined;
  const start = isWhole ? 0 : before.indexOf(first);
  const isSame = start >= 0 && ids.every((id, index) => before[start + index] === id);
  return isSame ? start + ids.length : undefined;
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}
