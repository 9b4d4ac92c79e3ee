import { describeMoney } from '@robota-sdk/agent-core';
import { formatSpan, remarkOf, trimmedLine } from '../console/describe-task.ts';
import type { FleetConsole } from '../console/fleet-console.ts';
import { taskFacts } from '../console/task-facts.ts';
import { isEnded, type TaskRecord } from '../contract/task.ts';
import type { FleetView } from './fleet-view.ts';

export interface ChangeLinesOptions {
  readonly console: FleetConsole;
  /** Prints lines of JSON on the standard output in place of text. */
  readonly isJson: boolean;
  /** The effect of the first interrupt. */
  readonly interruptNote: string;
  onInterrupt(count: number): void;
}

/** Prints a line when the state of a task changes: `ID done robota/ID-name +48 −3 $0.42 7m31s`. */
export class ChangeLines implements FleetView {
  readonly #console: FleetConsole;
  readonly #isJson: boolean;
  readonly #shown = new Map<string, string>();
  readonly #interrupts: { stop(): void };
  #writing: Promise<void> = Promise.resolve();

  constructor({ console, isJson, interruptNote, onInterrupt }: ChangeLinesOptions) {
    this.#console = console;
    this.#isJson = isJson;
    this.#interrupts = console.onInterrupt((count) => {
      onInterrupt(count);
      if (count === 1) this.say(interruptNote);
    });
  }

  update(tasks: readonly TaskRecord[]): void {
    for (const task of tasks) {
      const line = changeLine(task);
      if (this.#shown.get(task.id) === line) continue;
      this.#shown.set(task.id, line);
      if (this.#isJson) this.#write(() => this.#console.print(`${JSON.stringify(taskFacts(task))}\n`));
      else this.say(line);
    }
  }

  status(text: string): void {
    if (text !== '') this.say(text);
  }

  say(line: string): void {
    this.#write(() => this.#console.note(line));
  }

  async close(): Promise<void> {
    this.#interrupts.stop();
    await this.#writing;
  }

  #write(write: () => Promise<void>): void {
    this.#writing = this.#writing.then(write);
  }
}

function changeLine(task: TaskRecord): string {
  const { id, state, name, startedAt, endedAt, cost } = task;
  const ended =
    isEnded(state) && startedAt !== undefined && endedAt !== undefined
      ? [describeMoney(cost), formatSpan(Date.parse(endedAt) - Date.parse(startedAt))]
      : [];
  return [id, state, trimmedLine(name), remarkOf(task), ...ended].filter((part) => part !== '').join('  ');
}
