import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  anyObject,
  atomicWrite,
  guard,
  makeDirectories,
  number,
  object,
  parseJson,
  text,
} from '@robota-sdk/agent-core';
import type { TaskDetails, TaskRecord } from '../contract/task.ts';
import { privateFolderMode, privateMode } from './fleet-files.ts';

/** A file that is this much larger than its tasks is rewritten. */
const spareBytes = 8 * 1024 * 1024;
const idStart = '{"id":"';
/** Keys of a record never have this name, and inside a text the quotes would be escaped. */
const detailsStart = ',"spec":{';

/**
 * Writes the list of tasks that commands read: a line of JSON for each change of a task, of which the last counts. It is
 * made from the database and can be made again, so it is not synced to the disk.
 */
export class TaskProjection {
  readonly #path: string;
  readonly #sizes = new Map<string, number>();
  #tasks = new Map<string, string>();
  #liveBytes = 0;
  #bytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Replaces the file by these tasks. */
  async rewrite(tasks: readonly TaskDetails[]): Promise<void> {
    this.#tasks = new Map();
    this.#sizes.clear();
    this.#liveBytes = 0;
    for (const task of tasks) this.#remember(task.id, encodeTask(task));
    await this.#replace();
  }

  /** Adds the state of tasks that changed. */
  async append(tasks: readonly TaskDetails[]): Promise<void> {
    if (tasks.length === 0) return;
    const lines = tasks.map((task) => this.#remember(task.id, encodeTask(task)));
    if (this.#bytes > 2 * this.#liveBytes + spareBytes) return this.#replace();
    const bytes = Buffer.from(lines.join(''));
    const file = openSync(this.#path, 'a', privateMode);
    try {
      // In one write, so that a reader sees whole lines or a torn last one.
      writeSync(file, bytes);
      this.#bytes = fstatSync(file).size;
    } finally {
      closeSync(file);
    }
  }

  #remember(id: string, line: string): string {
    const size = Buffer.byteLength(line);
    this.#liveBytes += size - (this.#sizes.get(id) ?? 0);
    this.#sizes.set(id, size);
    this.#tasks.set(id, line);
    return line;
  }

  async #replace(): Promise<void> {
    makeDirectories(dirname(this.#path), privateFolderMode);
    const bytes = Buffer.from([...this.#tasks.values()].join(''));
    await atomicWrite(this.#path, bytes, { mode: privateMode });
    this.#bytes = bytes.length;
  }
}

/** One line; the fields of the record come first, so that a list is read without parsing the rest. */
function encodeTask({ id, spec, receipt, directory, ...record }: TaskDetails): string {
  return `${JSON.stringify({ id, ...record, spec, receipt, directory })}\n`;
}

/** The tasks of a projection, read on demand. */
export interface ProjectedTasks {
  readonly ids: readonly string[];
  record(id: string): TaskRecord | undefined;
  details(id: string): TaskDetails | undefined;
}

/** Reads the list of tasks. A torn last line and lines that are no task are skipped. */
export async function readProjection(path: string): Promise<ProjectedTasks> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  const places = lastLines(bytes);
  return {
    ids: [...places.keys()].toSorted(),
    record: (id) => {
      const { start = 0, end = 0 } = places.get(id) ?? {};
      const rest = bytes.indexOf(detailsStart, start);
      const isThere = rest >= start && rest < end;
      const task = parseJson(
        isThere ? `${bytes.toString('utf8', start, rest)}}` : bytes.toString('utf8', start, end),
      );
      return isRecord(task) ? task : undefined;
    },
    details: (id) => {
      const place = places.get(id);
      const task = place && parseJson(bytes.toString('utf8', place.start, place.end));
      return isRecord(task) && hasSpec(task) ? task : undefined;
    },
  };
}

/** The last whole line of each id, found without parsing. */
function lastLines(bytes: Buffer): Map<string, { readonly start: number; readonly end: number }> {
  const places = new Map<string, { readonly start: number; readonly end: number }>();
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    const from = start + idStart.length;
    const idEnd = bytes.indexOf('"', from);
    const isTask = idEnd < end && bytes.toString('latin1', start, from) === idStart;
    if (isTask) places.set(bytes.toString('latin1', from, idEnd), { start, end });
    start = end + 1;
  }
  return places;
}

const isRecord = guard<TaskRecord>(() => {
  const texts = { name: text, state: text, createdAt: text, updatedAt: text };
  return object({ ...texts, cost: number, turns: number, attempts: number });
});

const hasSpec = guard<TaskDetails>(() => object({ spec: anyObject }));
