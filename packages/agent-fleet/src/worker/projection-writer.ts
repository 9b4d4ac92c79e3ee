import { errorMessage } from '@robota-sdk/agent-core';
import { type FleetFiles, writeFleetFile } from '../client/fleet-files.ts';
import { TaskProjection } from '../client/task-projection.ts';
import type { FleetDatabase } from '../contract/database.ts';
import { readChanges, readCosts, readSchedules, readWorkers } from '../database/read-fleet.ts';

export interface ProjectionWriterOptions {
  readonly files: FleetFiles;
  readonly database: FleetDatabase;
  written(): void;
  readonly log: ((message: string) => void) | undefined;
}

/** Changes that follow each other within this time are written together. */
const delayMs = 100;

/** Writes what commands read: the tasks, workers, schedules and costs. */
export class ProjectionWriter {
  readonly #options: ProjectionWriterOptions;
  readonly #tasks: TaskProjection;
  readonly #texts = new Map<string, string>();
  #last: Date | undefined;
  /** Tasks written with the time of the last change: the database may change them again in the same millisecond. */
  #latest = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: ProjectionWriterOptions) {
    this.#options = options;
    this.#tasks = new TaskProjection(options.files.tasks);
  }

  /** Replaces the list of tasks. */
  async rewrite(): Promise<void> {
    await this.#inTurn(async () => {
      const { tasks, last } = await readChanges(this.#options.database, undefined);
      await this.#tasks.rewrite(tasks);
      this.#last = last;
      await this.#writeOthers();
    });
  }

  /** Something may have changed; it is written soon. */
  changed(): void {
    this.#timer ??= setTimeout(() => void this.flush(), delayMs);
  }

  /** The workers are alive. */
  beat(): void {
    void this.#inTurn(() => this.#writeWorkers());
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#inTurn(async () => {
      const { tasks, last } = await readChanges(this.#options.database, this.#last);
      const lines = tasks.map((task) => ({ task, text: JSON.stringify(task) }));
      await this.#tasks.append(
        lines.filter(({ task, text }) => this.#latest.get(task.id) !== text).map(({ task }) => task),
      );
      const at = last?.toISOString();
      this.#latest = new Map(
        lines.filter(({ task }) => task.updatedAt === at).map(({ task, text }) => [task.id, text]),
      );
      this.#last = last;
      await this.#writeOthers();
    });
  }

  async close(): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
  }

  async #inTurn(write: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing
      .then(write)
      .then(() => this.#options.written())
      .catch((error: unknown) => this.#options.log?.(errorMessage(error)));
    await this.#writing;
  }

  async #writeOthers(): Promise<void> {
    const { files, database } = this.#options;
    await this.#writeWorkers();
    await this.#write(files.schedules, await readSchedules(database));
    await this.#write(files.costs, await readCosts(database));
  }

  async #writeWorkers(): Promise<void> {
    const { files, database } = this.#options;
    await this.#write(files.workers, await readWorkers(database));
  }

  async #write(path: string, value: unknown): Promise<void> {
    const text = JSON.stringify(value);
    if (this.#texts.get(path) !== text) {
      await writeFleetFile(path, value);
      this.#texts.set(path, text);
    }
  }
}
