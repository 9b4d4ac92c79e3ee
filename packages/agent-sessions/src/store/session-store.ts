import {
  AgentError,
  abortSignal,
  callback,
  checkArguments,
  having,
  instance,
  list,
  type Message,
  nullable,
  number,
  object,
  objectInstance,
  optional,
  pathShape,
  text,
  words,
} from '@robota-sdk/agent-core';
import type { LineProblem } from '../entry/codec.ts';
import type { ImportOrigin, Line } from '../entry/entry.ts';
import { encodeMessage } from '../entry/message-payload.ts';
import { copyInto } from './copy-into.ts';
import { SessionHandle } from './session-handle.ts';
import type { SessionProblem } from './session-problem.ts';

/** A session in a list, read without its whole file. */
export interface SessionSummary {
  readonly id: string;
  readonly name?: string;
  readonly cwd: string;
  /** ISO. */
  readonly created: string;
  /** ISO. */
  readonly modified: string;
  /** The first lines of the first prompt. */
  readonly firstPrompt?: string;
  /** The session's file, if it has one. */
  readonly path?: string;
  /** Messages of the user and of models on all branches, if the store counts them. */
  readonly messages?: number;
  /** US dollars on all branches, if the store counts them. */
  readonly cost?: number;
  /** The session that it is a copy of. */
  readonly copyOf?: string;
  /** The other program's file that it was imported from. */
  readonly importedFrom?: ImportOrigin;
  /** The format of its lines, if it is too new to be read. */
  readonly newerFormat?: number;
}

export interface NewSessionOptions {
  readonly cwd: string;
  /** Default: sortable and unique. */
  readonly id?: string;
  readonly parentSession?: string;
  /** For a session that another program began: its file. */
  readonly importedFrom?: ImportOrigin;
  /** Start time, ISO. Default: now. */
  readonly timestamp?: string;
  /** A file of the user's choice, where the store has files. */
  readonly file?: string;
}

export interface OpenSessionOptions {
  /** `read` takes no lock and cannot append. */
  readonly mode?: 'append' | 'read';
}

export interface FollowOptions {
  /** Ends the following. */
  readonly signal?: AbortSignal;
}

/** A line of a followed session, or the reason why it cannot be read. */
export type FollowedLine = Line | LineProblem;

/** A whole session as one value. */
export interface SessionRecord {
  readonly id: string;
  readonly name?: string;
  readonly cwd: string;
  /** ISO. */
  readonly createdAt: string;
  /** ISO. */
  readonly updatedAt: string;
  /** The active branch, uncompacted. */
  readonly messages: readonly Message[];
}

export type SessionRecordDraft = Pick<SessionRecord, 'cwd' | 'messages'> &
  Partial<Pick<SessionRecord, 'id' | 'name'>>;

/** The initial content of a new session, before it becomes visible. */
export interface SessionFilling {
  /** Returns whether there is anything to store. */
  fill(session: SessionHandle): Promise<boolean>;
  /** Problems of its source. */
  readonly problems?: readonly SessionProblem[];
}

/** The shapes of what programs give to a store. */
export const openOptions = object({}, { mode: optional(words('append', 'read')) });
export const directoryOption = object({}, { cwd: optional(pathShape) });
export const followOptions = object({}, { signal: optional(abortSignal) });
const message = having({
  id: text,
  parentId: nullable(text),
  timestamp: number,
  role: words('user', 'assistant', 'tool'),
  content: list(objectInstance),
});
const recordDraft = having({
  cwd: pathShape,
  messages: list(message),
  id: optional(text),
  name: optional(text),
});
const handle = instance('an open session', (value): value is SessionHandle => value instanceof SessionHandle);

/** Checks the arguments of `createWhole`. */
export function checkWhole(options: NewSessionOptions, filling: SessionFilling): void {
  checkArguments('SessionStore.createWhole', {
    options: [options, having({ cwd: pathShape })],
    filling: [filling, having({ fill: callback })],
  });
}

/** Interface to stored sessions. A reference is an id, its unique prefix, or a file path. */
export abstract class SessionStorePort {
  /** A new session; nothing is stored before its first entry. */
  abstract create(options: NewSessionOptions): Promise<SessionHandle>;
  abstract open(reference: string, options?: OpenSessionOptions): Promise<SessionHandle>;
  /** The session that was last written in a directory. */
  abstract latest(cwd: string): Promise<SessionSummary | undefined>;
  /** Newest first; of one directory, or of all. */
  abstract list(options?: { readonly cwd?: string }): Promise<SessionSummary[]>;
  /**
   * Every line of a session, then each line that another process appends. Takes no lock and writes nothing; ends when
   * the signal is aborted or the session is deleted.
   */
  abstract follow(reference: string, options?: FollowOptions): AsyncIterable<FollowedLine>;
  abstract delete(reference: string): Promise<void>;
  /** True if a session with exactly this id exists. */
  abstract has(id: string): Promise<boolean>;

  /** Copies a session into a new one. The original is only read, so it may be in use. */
  async fork(reference: string, options: { readonly cwd?: string } = {}): Promise<SessionHandle> {
    checkArguments('SessionStore.fork', {
      reference: [reference, pathShape],
      options: [options, directoryOption],
    });
    const source = await this.open(reference, { mode: 'read' });
    try {
      return await this.copy(source, options);
    } finally {
      await source.close();
    }
  }

  /**
   * Copies an open session with all its branches into a new one, with its leaf or another entry as the leaf.
   */
  async copy(
    source: SessionHandle,
    options: { readonly cwd?: string; readonly to?: string | null } = {},
  ): Promise<SessionHandle> {
    const copyOptions = object({}, { cwd: optional(pathShape), to: optional(nullable(text)) });
    checkArguments('SessionStore.copy', { source: [source, handle], options: [options, copyOptions] });
    const { cwd = source.cwd, to = source.leafId } = options;
    const fill = async (session: SessionHandle) => {
      await copyInto(session, source, to);
      await this.copyFiles(source, session);
      return true;
    };
    const copy = await this.createWhole(
      { cwd, parentSession: source.id, timestamp: timeAfter(source) },
      { fill, problems: source.problems },
    );
    if (!copy) throw new AgentError('session', 'The session could not be copied.');
    return copy;
  }

  /**
   * Creates a filled session; others see it only when it is complete, even if the process is killed. Undefined if
   * `fill` returns false.
   */
  async createWhole(options: NewSessionOptions, filling: SessionFilling): Promise<SessionHandle | undefined> {
    checkWhole(options, filling);
    const { fill } = filling;
    const session = await this.create(options);
    try {
      if (await fill(session)) return session;
    } catch (thrown) {
      await this.#discard(session);
      throw thrown;
    }
    await this.#discard(session);
    return undefined;
  }

  async #discard(session: SessionHandle): Promise<void> {
    await session.close();
    if (await this.has(session.id)) await this.delete(session.id);
  }

  /** Copies the files next to the lines of a session. */
  protected async copyFiles(_source: SessionHandle, _copy: SessionHandle): Promise<void> {}

  /** Stores a conversation under its id. Removed messages stay in the file as another branch. */
  async save(record: SessionRecordDraft): Promise<string> {
    checkArguments('SessionStore.save', { record: [record, recordDraft] });
    const { id, cwd, messages, name } = record;
    const known = id !== undefined && (await this.has(id));
    const handle = known ? await this.open(id) : await this.create(id === undefined ? { cwd } : { cwd, id });
    try {
      const path = handle.path().flatMap((entry) => (entry.type === 'message' ? entry : []));
      const differs = messages.findIndex((message, index) => !isSame(message, path[index]?.message));
      const common = differs < 0 ? messages.length : differs;
      await handle.atOnce(async () => {
        if (common < path.length) await handle.setLeaf(path[common - 1]?.id ?? null);
        await handle.appendAll(messages.slice(common).map((message) => ({ type: 'message', message })));
        if (name !== undefined && name !== handle.name) await handle.setName(name);
      });
      await handle.flush();
    } finally {
      await handle.close();
    }
    return handle.id;
  }

  /** A session as one value. */
  async load(reference: string): Promise<SessionRecord> {
    checkArguments('SessionStore.load', { reference: [reference, pathShape] });
    const handle = await this.open(reference, { mode: 'read' });
    const path = handle.path();
    await handle.close();
    return {
      id: handle.id,
      cwd: handle.cwd,
      createdAt: handle.header.timestamp,
      updatedAt: path.at(-1)?.timestamp ?? handle.header.timestamp,
      messages: path.flatMap((entry) => (entry.type === 'message' ? entry.message : [])),
      ...(handle.name === undefined ? {} : { name: handle.name }),
    };
  }
}

/** Finds the only id that matches a reference. */
export function resolveReference(reference: string, ids: readonly string[]): string {
  if (ids.includes(reference)) return reference;
  const wanted = reference.trim().toLowerCase();
  const matches = wanted === '' ? [] : ids.filter((id) => id.toLowerCase().startsWith(wanted));
  const [match] = matches;
  if (match === undefined) throw new AgentError('session', `Unknown session "${reference}". ${known(ids)}`);
  if (matches.length === 1) return match;
  const shown = matches.slice(0, 5).join(', ');
  const more = matches.length > 5 ? ` and ${matches.length - 5} more` : '';
  throw new AgentError('session', `"${reference}" could be ${shown}${more}. Give more of the id.`);
}

/** Ids start with the time, so they sort by creation. */
function known(ids: readonly string[]): string {
  if (ids.length === 0) return 'No session has been saved yet.';
  return `The latest are ${[...ids].sort().reverse().slice(0, 3).join(', ')}.`;
}

function isSame(a: Message, b: Message | undefined): boolean {
  if (a === b) return true;
  return a.id === b?.id && JSON.stringify(encodeMessage(a)) === JSON.stringify(encodeMessage(b));
}

/** Copied entries are those older than the copy, also if the source was written in this millisecond. */
function timeAfter(source: SessionHandle): string {
  const last = [...source.ids()].at(-1);
  const written = Date.parse((last === undefined ? undefined : source.entry(last)?.timestamp) ?? '');
  return new Date(Math.max(Date.now(), (written || 0) + 1)).toISOString();
}
