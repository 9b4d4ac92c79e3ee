import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorMessage } from '@robota-sdk/agent-core';
import type { SessionSummary } from '../store/session-store.ts';
import { summarizeFile } from '../store/session-summary.ts';
import { type CacheRow, readRows, writeCache } from './cache-file.ts';
import { measureSession } from './measure-session.ts';
import { type SessionFile, sessionFileName, type UnreadableSession } from './session-files.ts';

/** A session in a list. */
export interface ListedSession extends SessionSummary {
  readonly path: string;
  /** Messages of the user and of models, on all branches. */
  readonly messages: number;
  /** US dollars, on all branches. */
  readonly cost: number;
}

type Row = CacheRow<Omit<ListedSession, 'path'>>;

const format = 'robota-summaries-5\n';

/** Lists the sessions of one project; reads only files that changed since the last time. */
export function summarizeProject(
  files: readonly SessionFile[],
  cacheFile: string,
): { sessions: ListedSession[]; unreadable: UnreadableSession[] } {
  const known = readRows<Row[2]>(cacheFile, format);
  const rows: Row[] = [];
  const unreadable: UnreadableSession[] = [];
  const sessions: ListedSession[] = [];
  let changed = false;
  for (const { id, stamp, path } of files) {
    const kept = known.get(id);
    if (kept?.[1] === stamp) {
      rows.push(kept);
      sessions.push({ ...kept[2], path });
      continue;
    }
    const session = summarizeSession({ path, id });
    if ('why' in session) {
      // It may have been deleted just now.
      if (existsSync(path)) unreadable.push(session);
      continue;
    }
    const { path: _, ...rest } = session;
    rows.push([id, stamp, rest]);
    sessions.push(session);
    changed = true;
  }
  if (changed || known.size !== rows.length) writeCache(cacheFile, format, Buffer.from(JSON.stringify(rows)));
  return { sessions, unreadable };
}

/** Describes one session, or reports why it cannot be read. */
export function summarizeSession({
  path,
  id,
}: Pick<SessionFile, 'path' | 'id'>): ListedSession | UnreadableSession {
  try {
    const { messages, cost } = measureSession(path);
    const summary = summarizeFile(path, id);
    if (!summary) return { path, why: 'nothing was ever saved in it' };
    if (summary.newerFormat !== undefined)
      return {
        path,
        why: `a newer version of Robota made it (format ${summary.newerFormat}): update Robota`,
      };
    if (messages === 0 && summary.cwd === '') return { path, why: 'no line in it is one of a session' };
    return { ...summary, path, messages, cost };
  } catch (thrown) {
    return { path, why: errorMessage(thrown) };
  }
}

/** Describes the session at a path: its file or its directory. Undefined if no such file. */
export function sessionAt(given: string): ListedSession | UnreadableSession | undefined {
  const inside = join(given, sessionFileName);
  const path = existsSync(inside) ? inside : given;
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  const isOurs = basename(path) === sessionFileName;
  return summarizeSession({ path, id: isOurs ? basename(dirname(path)) : basename(path, '.jsonl') });
}
