import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  either,
  errorMessage,
  guard,
  list,
  makeDirectories,
  object,
  parseJson,
  text,
} from '@robota-sdk/agent-core';
import type { BackgroundTask, JobGroup } from './task-state.ts';

/** One line of the file: the state of a task or a group. */
export type TaskLogLine =
  | { readonly task: BackgroundTask }
  | { readonly group: JobGroup }
  | { readonly closed: string };

/** The tasks of a session as a file: every change is a line, so that a crash loses nothing. */
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
  read(): readonly TaskLogLine[] {
    if (!this.exists) return [];
    const written = readFileSync(this.#file, 'utf8');
    this.#isUnterminated = written !== '' && !written.endsWith('\n');
    return written.split('\n').flatMap(recordsIn);
  }

  /** Written immediately: a line in the page cache survives the end of the process. */
  append(record: TaskLogLine): void {
    try {
      this.#fd ??= this.#open();
      const line = `${JSON.stringify(record)}\n`;
      writeSync(this.#fd, this.#isUnterminated ? `\n${line}` : line);
      this.#isUnterminated = false;
    } catch (thrown) {
      if (!this.#hasFailed)
        this.#onProblem(`The state of background tasks is not saved: ${errorMessage(thrown)}`);
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

function recordsIn(line: string): TaskLogLine[] {
  const value = parseJson(line);
  return isRecord(value) ? [value] : [];
}

const isRecord = guard<TaskLogLine>(() => {
  const task = object({ task: object({ id: text, status: text }) });
  const group = object({ group: object({ id: text, taskIds: list(text) }) });
  return either(task, group, object({ closed: text }));
});
