import { type FSWatcher, watch } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { describeProblem, errorMessage } from '@robota-sdk/agent-core';
import type { FleetFiles } from '../client/fleet-files.ts';
import { type InboxFile, moveOutOfInbox, readInbox } from '../client/inbox.ts';
import type { FleetDatabase } from '../contract/database.ts';
import { applyCommands } from '../database/apply-commands.ts';

export interface InboxReaderOptions {
  readonly files: FleetFiles;
  readonly database: FleetDatabase;
  /** Is called when commands were carried out, before their file is deleted. */
  applied(): Promise<void>;
  readonly log: ((message: string) => void) | undefined;
}

/** Carries out the requests in the inbox, each once: its id is stored in the same transaction. */
export class InboxReader {
  readonly #options: InboxReaderOptions;
  #watcher: FSWatcher | undefined;
  #reading: Promise<void> = Promise.resolve();
  #isWaiting = false;

  constructor(options: InboxReaderOptions) {
    this.#options = options;
  }

  /**
   * Carries out what is there, then waits for more. Its files are deleted once `show` has shown the tasks: a request that still
   * lies there would be taken for one to come.
   */
  async open(show: () => Promise<void>): Promise<void> {
    const done: InboxFile[] = [];
    for (const file of await readInbox(this.#options.files)) if (await this.#carryOut(file)) done.push(file);
    await show();
    for (const file of done) await this.#remove(file);
    this.#watcher = watch(this.#options.files.inbox, () => this.look());
    this.#watcher.on('error', (error) => this.#options.log?.(errorMessage(error)));
  }

  look(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#reading = this.#reading
      .then(() => this.#read())
      .catch((error: unknown) => this.#options.log?.(errorMessage(error)));
  }

  async close(): Promise<void> {
    this.#watcher?.close();
    await this.#reading;
  }

  async #read(): Promise<void> {
    this.#isWaiting = false;
    for (const file of await readInbox(this.#options.files)) {
      if (!(await this.#carryOut(file))) continue;
      await this.#options.applied();
      await this.#remove(file);
    }
  }

  /** True if the file was carried out; one that cannot be is set aside, and the others follow. */
  async #carryOut(file: InboxFile): Promise<boolean> {
    const { files, log } = this.#options;
    if (file.problem === undefined) {
      try {
        await this.#apply(file);
        return true;
      } catch (error) {
        if (!isDataError(error)) throw error;
        log?.(errorMessage(error));
      }
    }
    const problem = await moveOutOfInbox(files, file);
    log?.(describeProblem(problem));
    return false;
  }

  async #apply({ id, commands }: InboxFile): Promise<void> {
    const { database, log } = this.#options;
    const ignored = await database.transaction(async (connection) => {
      const { rowCount } = await connection.query(
        'insert into fleet.applied_inbox (file) values ($1) on conflict do nothing',
        [id],
      );
      return rowCount === 0 ? [] : applyCommands(connection, commands);
    });
    for (const { command, message } of ignored) {
      log?.(`Ignored: ${command.type}. ${message}`);
    }
  }

  /** A file that is gone cannot be read again, so its id need not be known any more. */
  async #remove({ id, path }: InboxFile): Promise<void> {
    await unlink(path).catch(() => undefined);
    await this.#options.database.query('delete from fleet.applied_inbox where file = $1', [id]);
  }
}

/** True if the values of a request are wrong: another try would fail in the same way. */
function isDataError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // Classes of SQL: data exception, broken constraint. A schedule that cannot be read is a plain error.
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    code.startsWith('22') ||
    code.startsWith('23')
  );
}
