import { setTimeout as delay } from 'node:timers/promises';
import { AgentError, type Problem } from '@robota-sdk/agent-core';
import type {
  FleetClient,
  FleetCommand,
  FleetCosts,
  Schedule,
  TaskQuery,
  WorkerRecord,
} from '../contract/client.ts';
import type { FleetDatabase } from '../contract/database.ts';
import type { TaskDetails, TaskRecord } from '../contract/task.ts';
import { applyCommands, recordDeliveries } from '../database/apply-commands.ts';
import {
  readCosts,
  readSchedules,
  readTask,
  readTaskNames,
  readTasks,
  readVersion,
  readWorkers,
} from '../database/read-fleet.ts';
import { findTask } from './find-task.ts';

const pollMs = 500;

/** Reaches a fleet of many machines by the tables that its workers use. */
export class PostgresClient implements FleetClient {
  readonly #database: FleetDatabase;
  /** The version of the tables when tasks were last read. */
  #seen: string | undefined;

  constructor(database: FleetDatabase) {
    this.#database = database;
  }

  async submit(commands: readonly FleetCommand[]): Promise<void> {
    if (commands.length === 0) return;
    await this.#database.transaction(async (connection) => {
      const [ignored] = await applyCommands(connection, commands);
      if (!ignored) return;
      const { command, message } = ignored;
      const subject = 'id' in command ? `Task ${command.id}: ` : '';
      throw new AgentError('usage', `${subject}${message}`, { hint: 'Nothing was changed.' });
    });
  }

  submitOnce(keys: readonly string[], commands: readonly FleetCommand[]): Promise<boolean> {
    return this.#database.transaction(async (connection) => {
      if (!(await recordDeliveries(connection, keys))) return false;
      await applyCommands(connection, commands);
      return true;
    });
  }

  async tasks(query: TaskQuery = {}): Promise<readonly TaskRecord[]> {
    this.#seen = await readVersion(this.#database);
    return readTasks(this.#database, query);
  }

  async task(reference: string): Promise<TaskDetails | undefined> {
    this.#seen = await readVersion(this.#database);
    const id = findTask(reference, await readTaskNames(this.#database, reference));
    return id === undefined ? undefined : readTask(this.#database, id);
  }

  workers(): Promise<readonly WorkerRecord[]> {
    return readWorkers(this.#database);
  }

  schedules(): Promise<readonly Schedule[]> {
    return readSchedules(this.#database);
  }

  costs(): Promise<FleetCosts> {
    return readCosts(this.#database);
  }

  async problems(): Promise<readonly Problem[]> {
    return [];
  }

  async change(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await readVersion(this.#database)) === this.#seen)
      await delay(pollMs, undefined, { signal }).catch(() => {});
  }

  async close(): Promise<void> {
    await this.#database.close();
  }
}
