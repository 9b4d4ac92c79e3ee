import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AgentError,
  describeLockOwner,
  isOwnerGone,
  ownLockOwner,
  parseLockOwner,
  sessionInUse,
} from '@robota-sdk/agent-core';
import {
  createHeader,
  decodeLine,
  type FollowedLine,
  type FollowOptions,
  formatVersion,
  type NewSessionOptions,
  type OpenSessionOptions,
  projectIdOf,
  type ReadSessionOptions,
  resolveReference,
  type SessionFilling,
  type SessionHandle,
  type SessionProblem,
  SessionStorePort,
  type SessionSummary,
} from '@robota-sdk/agent-sessions';
import { type Lease, LostLeaseError, type Queryable } from '../contract/database.ts';
import { failureOf, isPassing } from './database-failure.ts';
import { DatabaseLog, type DatabaseLogOptions } from './database-log.ts';
import { LineFollowers } from './line-followers.ts';
import { LineSummary } from './line-summary.ts';
import {
  deleteSession,
  deleteUnfinished,
  findSessionIds,
  type Holder,
  hasLease,
  heldSeconds,
  listSessionRows,
  markWhole,
  readPages,
  readSessionRow,
  type SessionRow,
  takeHold,
} from './session-rows.ts';
import { createSpooled, openSpooled } from './spooled-session.ts';

export interface PostgresSessionStoreOptions {
  /** Has the fleet's tables. */
  readonly database: Queryable;
  /** The task on whose behalf sessions are written. Appends after the lease was lost write nothing and throw `LostLeaseError`. */
  readonly lease?: Lease;
  /** The directory for what stands beside the lines of sessions, such as outputs; none unless given. */
  readonly files?: string;
  /** Told once when the database fails, and once when it works again. */
  readonly onProblem?: (problem: SessionProblem) => void;
  /** Of larger sessions the entries are not held in memory, but read again when they are asked for. */
  readonly heldBytes?: number;
}

const target = 'the database';
const mostTries = 3;
/** How long the database may be gone while a session is followed. */
const lostForMs = 60_000;

/** Sessions as rows of a Postgres database: one for each, and one for each line. */
export class PostgresSessionStore extends SessionStorePort {
  readonly #database: Queryable;
  readonly #lease: Lease | undefined;
  readonly #files: string | undefined;
  readonly #onProblem: (problem: SessionProblem) => void;
  readonly #reading: ReadSessionOptions;
  readonly #followers = new LineFollowers();

  constructor({ database, lease, files, onProblem = () => {}, ...reading }: PostgresSessionStoreOptions) {
    super();
    this.#database = database;
    this.#lease = lease;
    this.#files = files;
    this.#onProblem = onProblem;
    this.#reading = reading;
  }

  override async create(options: NewSessionOptions): Promise<SessionHandle> {
    return (await this.#begin(options, { isWhole: true })).handle;
  }

  override async createWhole(
    options: NewSessionOptions,
    { fill, problems = [] }: SessionFilling,
  ): Promise<SessionHandle | undefined> {
    await deleteUnfinished(this.#database);
    const { handle, log, holder } = await this.#begin(options, { isWhole: false, problems });
    try {
      if (await fill(handle)) {
        await handle.flush();
        log.becomeWhole();
        if (log.isStored) await markWhole(this.#database, holder, handle.id);
        return handle;
      }
    } catch (thrown) {
      await this.#discard(handle);
      throw thrown;
    }
    await this.#discard(handle);
    return undefined;
  }

  override async open(
    reference: string,
    { mode = 'append' }: OpenSessionOptions = {},
  ): Promise<SessionHandle> {
    const id = await this.#resolve(reference);
    const session = { id, target, directory: this.#directoryOf(id), onProblem: this.#onProblem };
    if (mode === 'read')
      return openSpooled(readPages(this.#database, id), { ...session, sink: undefined }, this.#reading);
    const holder = this.#holder();
    const held = await this.#hold(id, holder);
    const lines = Number(held.lines);
    const log = this.#log({ id, holder, summary: new LineSummary(held), lines, created: undefined });
    try {
      return await openSpooled(readPages(this.#database, id), { ...session, sink: log }, this.#reading);
    } catch (thrown) {
      await log.close();
      throw thrown;
    }
  }

  override async latest(cwd: string): Promise<SessionSummary | undefined> {
    const [row] = await listSessionRows(this.#database, { project: projectIdOf(cwd), limit: 1 });
    return row && summaryOf(row);
  }

  override async list({ cwd }: { readonly cwd?: string } = {}): Promise<SessionSummary[]> {
    const project = cwd === undefined ? undefined : projectIdOf(cwd);
    return (await listSessionRows(this.#database, { project })).map(summaryOf);
  }

  override async *follow(reference: string, { signal }: FollowOptions = {}): AsyncGenerator<FollowedLine> {
    const id = await this.#resolve(reference);
    let failedAt: number | undefined;
    for (let read = 0; !signal?.aborted; ) {
      const change = this.#followers.change(id, signal);
      const news = await this.#linesAfter(id, read).catch((error: unknown) => failureOf(error));
      if (news instanceof Error) {
        // Connections break; following for hours survives that.
        failedAt ??= Date.now();
        if (!isPassing(news) || Date.now() - failedAt > lostForMs) throw unreachable(news);
      } else {
        failedAt = undefined;
        read += news.lines.length;
        for (const line of news.lines) {
          if (signal?.aborted) return;
          yield decodeLine(line);
        }
        if (news.lines.length > 0) continue;
        if (news.isDeleted) return;
      }
      await change;
    }
  }

  override async delete(reference: string): Promise<void> {
    const id = await this.#resolve(reference);
    for (let tries = 0; tries < mostTries; tries++) {
      const row = await readSessionRow(this.#database, id);
      if (!row) return;
      if (isInUse(row)) {
        const by = describeHolder(row);
        throw new AgentError(
          'session',
          `The session is in use by ${by}. Close it there before it is deleted.`,
        );
      }
      if (!(await deleteSession(this.#database, { id, holder: row.holder }))) continue;
      this.#followers.wake(id);
      const files = this.#directoryOf(id);
      if (files !== undefined) await rm(files, { recursive: true, force: true });
      return;
    }
    throw changingHands(id);
  }

  override async has(id: string): Promise<boolean> {
    return (await readSessionRow(this.#database, id)) !== undefined;
  }

  /** The next lines of a session; whether it is there is asked first, so that all lines of a deleted one are read. */
  async #linesAfter(id: string, read: number): Promise<{ lines: readonly string[]; isDeleted: boolean }> {
    const row = await readSessionRow(this.#database, id);
    for await (const lines of readPages(this.#database, id, read)) return { lines, isDeleted: false };
    return { lines: [], isDeleted: row === undefined };
  }

  async #begin(
    options: NewSessionOptions,
    { isWhole, problems = [] }: { readonly isWhole: boolean; readonly problems?: readonly SessionProblem[] },
  ): Promise<{ handle: SessionHandle; log: DatabaseLog; holder: Holder }> {
    const header = createHeader(options);
    const { id } = header;
    if (options.id !== undefined && (await this.has(id)))
      throw new AgentError('session', `There is a session ${id} already. Open it, or choose another id.`);
    const holder = this.#holder();
    const created = { project: projectIdOf(header.cwd), isWhole };
    const log = this.#log({ id, holder, summary: new LineSummary(), lines: undefined, created });
    const directory = this.#directoryOf(id);
    const onProblem = this.#onProblem;
    const handle = createSpooled(header, { id, target, sink: log, directory, problems, onProblem });
    return { handle, log, holder };
  }

  #log(options: Pick<DatabaseLogOptions, 'id' | 'holder' | 'summary' | 'lines' | 'created'>): DatabaseLog {
    return new DatabaseLog({
      ...options,
      database: this.#database,
      onProblem: this.#onProblem,
      onWritten: () => this.#followers.wake(options.id),
    });
  }

  #holder(): Holder {
    return { key: randomUUID(), owner: ownLockOwner(), lease: this.#lease };
  }

  /** Takes the right to append. */
  async #hold(id: string, holder: Holder): Promise<NonNullable<Awaited<ReturnType<typeof takeHold>>>> {
    for (let tries = 0; tries < mostTries; tries++) {
      const row = await readSessionRow(this.#database, id);
      if (!row) throw new AgentError('session', `Unknown session "${id}".`);
      const isForced = isHolderGone(row) || isEarlierClaim(row, holder.lease);
      if (row.is_held && !isForced) throw inUse(row);
      const held = await takeHold(this.#database, holder, { id, from: row.holder, isForced });
      if (held) return held;
      if (holder.lease && !(await hasLease(this.#database, holder.lease)))
        throw new LostLeaseError(holder.lease);
    }
    throw changingHands(id);
  }

  async #resolve(reference: string): Promise<string> {
    return resolveReference(reference, await findSessionIds(this.#database, reference));
  }

  async #discard(handle: SessionHandle): Promise<void> {
    await handle.close();
    await deleteSession(this.#database, { id: handle.id, holder: null });
  }

  #directoryOf(id: string): string | undefined {
    return this.#files === undefined ? undefined : join(this.#files, id);
  }
}

function isInUse(row: SessionRow): boolean {
  return row.is_held && !isHolderGone(row);
}

function isHolderGone({ holder_owner }: SessionRow): boolean {
  const owner = parseLockOwner(holder_owner ?? '');
  return owner !== undefined && isOwnerGone(owner);
}

/** True if the holder worked for the same task before it was claimed again. */
function isEarlierClaim({ task_id, epoch }: SessionRow, lease: Lease | undefined): boolean {
  return lease !== undefined && task_id === lease.taskId && Number(epoch) < lease.epoch;
}

function inUse(row: SessionRow): AgentError {
  const owner = parseLockOwner(row.holder_owner ?? '');
  const freedAfter = `${heldSeconds} seconds after its last sign of life`;
  if (owner) return sessionInUse(owner, { reference: row.id, freedAfter });
  return new AgentError('session-in-use', 'The session is in use by another process.');
}

function describeHolder({ holder_owner }: SessionRow): string {
  const owner = parseLockOwner(holder_owner ?? '');
  return owner ? describeLockOwner(owner) : 'another process';
}

function unreachable(cause: Error): AgentError {
  return new AgentError('session', `The session cannot be read from the database: ${cause.message}.`, {
    cause,
  });
}

function changingHands(id: string): AgentError {
  return new AgentError('session', `Session ${id} keeps changing hands. Close it elsewhere and try again.`);
}

function summaryOf(row: SessionRow): SessionSummary {
  const line = decodeLine(row.header);
  const header = line.kind === 'header' ? line.header : undefined;
  const modified = new Date(row.modified).toISOString();
  return {
    id: row.id,
    cwd: header?.cwd ?? '',
    created: header?.timestamp ?? modified,
    modified,
    messages: row.messages,
    cost: row.cost,
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.first_prompt ? { firstPrompt: row.first_prompt } : {}),
    ...(header?.parentSession === undefined ? {} : { copyOf: header.parentSession }),
    ...(header?.importedFrom === undefined ? {} : { importedFrom: header.importedFrom }),
    ...(header === undefined || header.version <= formatVersion ? {} : { newerFormat: header.version }),
  };
}
