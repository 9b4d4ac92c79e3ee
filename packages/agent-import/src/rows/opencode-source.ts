import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AgentError, endSentence, errorMessage, isJsonObject, type JsonObject } from '@robota-sdk/agent-core';
import { parseObject } from '../source/read-json-lines.ts';

/** A session of opencode as lines: `{opencode: info}`, then one `{info, parts}` for each message. */
type Lines = readonly JsonObject[];

/** The text of the lines that a reader takes. */
export function opencodeText(lines: Lines): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Lines of what `opencode export` prints; undefined for anything else. */
export function exportedLines(value: JsonObject): Lines | undefined {
  const { info, messages } = value;
  if (!isJsonObject(info) || !String(info.id).startsWith('ses_') || !Array.isArray(messages))
    return undefined;
  return [{ opencode: info }, ...messages.filter(isJsonObject)];
}

/** Lines of a session that stands in many files: `storage/session/PROJECT/ses_….json`, `message/`, `part/`. */
export function storedLines(path: string, info: JsonObject): Lines {
  const storage = resolve(dirname(path), '../..');
  const messages = objectsOf(info, join(storage, 'message'));
  return [
    { opencode: info },
    ...messages.map((message) => ({ info: message, parts: objectsOf(message, join(storage, 'part')) })),
  ];
}

/** Objects in the folder that is named like another object; an id that would lead elsewhere has none. */
function objectsOf({ id }: JsonObject, folder: string): JsonObject[] {
  return typeof id === 'string' && /^\w[\w-]*$/.test(id) ? objectsIn(join(folder, id)) : [];
}

/** Names are ascending, so that their order is that of the conversation. */
function objectsIn(folder: string): JsonObject[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names
    .sort()
    .map((name) => parseObject(readText(join(folder, name))))
    .filter((value) => value !== undefined);
}

function readText(path: string): string | undefined {
  return statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined;
}

/** The sign between the path of a database and the id of a session in it. */
const separator = '#';

/** A database and the session in it that a path names. */
export function databaseSession(path: string): { database: string; id: string } | undefined {
  const at = path.lastIndexOf(`${separator}ses_`);
  if (at === -1 || existsSync(path)) return undefined;
  return { database: path.slice(0, at), id: path.slice(at + 1) };
}

/** True if a file is a database of SQLite. */
export function isDatabase(head: string): boolean {
  return head.startsWith('SQLite format 3');
}

/** A session in a database. */
export interface StoredSession {
  /** Names the database and the session. */
  readonly path: string;
  readonly id: string;
  readonly cwd: string;
  readonly isSubagent: boolean;
}

/** The sessions of a database, the oldest first. */
export async function sessionsIn(database: string): Promise<readonly StoredSession[]> {
  return queried(database, (ask) => {
    const tables = ask("select name from sqlite_master where name in ('session', 'sessions')");
    if (tables.some(({ name }) => name === 'sessions') && tables.length === 1)
      throw new AgentError(
        'session',
        `${database} is a database of the first opencode (written in Go) or of Crush, which is not supported.`,
      );
    return ask('select id, directory, parent_id from session order by time_created, id').map((row) => ({
      path: `${database}${separator}${row.id}`,
      id: String(row.id),
      cwd: String(row.directory),
      isSubagent: row.parent_id !== null,
    }));
  });
}

/** Lines of one session of a database. */
export async function databaseLines(database: string, id: string): Promise<Lines> {
  return queried(database, (ask) => {
    const [session] = ask('select * from session where id = ?', id);
    if (!session) throw new AgentError('session', `${database} has no session ${id}.`);
    const messages = ask('select * from message where session_id = ? order by time_created, id', id);
    const parts = ask('select * from part where session_id = ? order by id', id);
    if (messages.length === 0 && hasNewerMessages(ask, id))
      throw new AgentError(
        'session',
        `${id} is kept in a newer form. Run "opencode export ${id}" and import the file that it makes.`,
      );
    return [
      { opencode: infoOf(session) },
      ...messages.map((message) => ({
        info: { ...dataOf(message), id: String(message.id) },
        parts: parts.filter(({ message_id: of }) => of === message.id).map(dataOf),
      })),
    ];
  });
}

type Row = Readonly<Record<string, unknown>>;
type Ask = (query: string, ...values: string[]) => readonly Row[];

function hasNewerMessages(ask: Ask, id: string): boolean {
  const [table] = ask("select name from sqlite_master where name = 'session_message'");
  return (
    table !== undefined && ask('select id from session_message where session_id = ? limit 1', id).length > 0
  );
}

function infoOf({ id, directory, title, parent_id: parent, revert, time_created: created }: Row): JsonObject {
  return {
    id: String(id),
    directory: String(directory),
    title: String(title),
    ...(parent === null ? {} : { parentID: String(parent) }),
    time: { created: Number(created) },
    ...(typeof revert === 'string' ? { revert: parseObject(revert) ?? null } : {}),
  };
}

function dataOf({ data }: Row): JsonObject {
  return parseObject(String(data)) ?? {};
}

/** The part of `node:sqlite` that is used; its types came after the oldest Node that we support. */
interface Sqlite {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly: true },
  ) => { prepare(query: string): { all(...values: string[]): unknown[] }; close(): void };
}

/** Node reads SQLite itself since version 22; the file is opened for reading only. */
async function queried<T>(database: string, work: (ask: Ask) => T): Promise<T> {
  const sqlite = process.getBuiltinModule('node:sqlite') as unknown as Sqlite | undefined;
  if (!sqlite)
    throw new AgentError(
      'session',
      `${database} is a database, which needs Node 22.13 or newer. Or run "opencode export ID" and import the file that it makes.`,
    );
  const open = asked(database, () => new sqlite.DatabaseSync(database, { readOnly: true }));
  try {
    return work((query, ...values) => asked(database, () => open.prepare(query).all(...values) as Row[]));
  } finally {
    open.close();
  }
}

/** Makes an error of SQLite one that names the file. */
function asked<T>(database: string, ask: () => T): T {
  try {
    return ask();
  } catch (thrown) {
    throw new AgentError(
      'session',
      `${database} cannot be read as a database of opencode: ${endSentence(errorMessage(thrown))}`,
      { cause: thrown },
    );
  }
}
