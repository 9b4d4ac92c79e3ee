import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorMessage, isJsonObject, makeDirectories, parseJson } from '@robota-sdk/agent-core';
import type { BackgroundTask, JobGroup } from './task-state.ts';

/** One line of the file: what became of a task or a group. */
export type TaskRecord =
  | { readonly task: BackgroundTask }
  | { readonly group: JobGroup }
  | { readonly closed: string };

/** The tasks of a session as a file: every change is a line, so that a crash takes nothing with it. */
export class TaskLog {
  readonly #file: string;
  readonly #onProblem: (message: string) => void;
  #fd: number | undefined;
  #isUnterminated: boolean | undefined;
  #hasFailed = false;

  constructor(file: string, onProblem: (message: string) => void) {
    this.#file = file;
    this.#onProblem = onProblem;
  }

  get exists(): boolean {
    return existsSync(this.#file);
  }

  /** The records so far; a damaged line is skipped. */
  read(): readonly TaskRecord[] {
    if (!this.exists) return [];
    const text = readFileSync(this.#file, 'utf8');
    this.#isUnterminated = text !== '' && !text.endsWith('\n');
    return text.split('\n').flatMap(recordsIn);
  }

  /** Written at once: a line in the page cache survives the death of the process. */
  append(record: TaskRecord): void {
    try {
      this.#fd ??= this.#open();
      const line = `${JSON.stringify(record)}\n`;
      writeSync(this.#fd, this.#isUnterminated ? `\n${line}` : line);
      this.#isUnterminated = false;
    } catch (thrown) {
      if (!this.#hasFailed)
        this.#onProblem(`What becomes of background tasks is not kept: ${errorMessage(thrown)}`);
      this.#hasFailed = true;
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #open(): number {
    makeDirectories(dirname(this.#file), 0o700);
    return openSync(this.#file, 'a', 0o600);
  }
}

function recordsIn(line: string): TaskRecord[] {
  const value = parseJson(line);
  return isRecord(value) ? [value] : [];
}

function isRecord(value: unknown): value is TaskRecord {
  if (!isJsonObject(value)) return false;
  const { task, group, closed } = value;
  return (
    (isJsonObject(task) && typeof task.id === 'string' && typeof task.status === 'string') ||
    (isJsonObject(group) && typeof group.id === 'string' && Array.isArray(group.taskIds)) ||
    typeof closed === 'string'
  );
}
