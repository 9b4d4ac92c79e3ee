import { existsSync, statSync } from 'node:fs';
import { AgentError, type LiveRedactor } from '@robota-sdk/agent-core';
import { exportRedactor } from '@robota-sdk/agent-sdk/front-end';
import type { ListedSession, SessionCatalogue } from '@robota-sdk/agent-sessions';
import { SessionIndex } from './session-index.ts';

/** Indexes that are kept for the next question. */
const mostIndexes = 300;
/** Settings with keys may change; what hides them is made again after this time. */
const redactorMs = 60_000;

/** The sessions on disk: lists them, and keeps what was read of them. */
export class SessionsOnDisk {
  readonly #catalogue: SessionCatalogue;
  readonly #indexes = new Map<string, SessionIndex>();
  /** Files that were asked for, by the ids of their sessions. */
  readonly #files = new Map<string, string>();
  /** Indexes that are being read, by file. */
  readonly #reading = new Map<string, Promise<SessionIndex>>();
  /** Files that wait to be read, one after the other. */
  readonly #waiting = new Set<string>();
  #lastWaiting: Promise<void> = Promise.resolve();
  readonly #redactors = new Map<
    string,
    { readonly made: number; readonly redactor: Promise<LiveRedactor> }
  >();

  constructor(catalogue: SessionCatalogue) {
    this.#catalogue = catalogue;
  }

  /** Newest first. */
  async list(): Promise<readonly ListedSession[]> {
    return (await this.#catalogue.list()).sessions;
  }

  /** The file of a session, by its whole id. */
  async fileOf(id: string): Promise<string> {
    const known = this.#files.get(id);
    if (known !== undefined && existsSync(known)) return known;
    const found = (await this.#catalogue.paths()).find((each) => each.id === id);
    if (found) this.#files.set(id, found.path);
    if (found) return found.path;
    throw new AgentError('session', `Unknown session "${id}".`, { hint: 'It may have been deleted.' });
  }

  /** The index of a session, read to the end of its file; once, however many ask for it at the same time. */
  async index(file: string): Promise<SessionIndex> {
    const known = this.#indexes.get(file);
    // Hundreds of sessions are looked at for the board, of which hardly any has changed.
    if (known?.isRead) return known;
    const reading = this.#reading.get(file);
    if (reading !== undefined) {
      await reading;
      // Lines may have come since that began.
      return this.index(file);
    }
    const read = this.#read(file, known).finally(() => this.#reading.delete(file));
    this.#reading.set(file, read);
    return read;
  }

  /** The size of a file of which nothing was read yet; 0 for others. */
  unreadBytes(file: string): number {
    return this.#indexes.has(file) ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  }

  /** Reads an index after all that were asked for before, and tells when it can be had at once. */
  readLater(file: string, done: () => void): void {
    if (this.#waiting.has(file)) return;
    this.#waiting.add(file);
    const read = async () => {
      await this.index(file);
      this.#waiting.delete(file);
      done();
    };
    // A file that cannot be read stays in the set: it is not tried again and again.
    this.#lastWaiting = this.#lastWaiting.then(read).catch(() => {});
  }

  async #read(file: string, known: SessionIndex | undefined): Promise<SessionIndex> {
    this.#indexes.delete(file);
    // To open a pipe waits for its other end, perhaps forever.
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      throw new AgentError('session', 'The session cannot be read: it is not a file.');
    const index = known ?? new SessionIndex(file);
    try {
      await index.refresh();
    } catch (thrown) {
      if (!known) throw thrown;
      // The file may have been replaced by another one.
      return this.#read(file, undefined);
    }
    this.#indexes.set(file, index);
    const [oldest] = this.#indexes.keys();
    if (oldest !== undefined && this.#indexes.size > mostIndexes) this.#indexes.delete(oldest);
    return index;
  }

  /** Hides the keys of the user, as an export of a session in this directory does. Throws where the settings with keys cannot be read. */
  redactor(cwd: string): Promise<LiveRedactor> {
    const known = this.#redactors.get(cwd);
    if (known && Date.now() - known.made < redactorMs) return known.redactor;
    const redactor = exportRedactor(cwd);
    this.#redactors.set(cwd, { made: Date.now(), redactor });
    redactor.catch(() => this.#redactors.delete(cwd));
    return redactor;
  }
}
