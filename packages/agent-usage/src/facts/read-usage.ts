import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorMessage } from '@robota-sdk/agent-core';
import {
  type CacheRow,
  directoriesIn,
  filesOfProject,
  lineDecoder,
  rawLines,
  readRows,
  type SessionFile,
  type SessionStorePort,
  type UnreadableSession,
  writeCache,
} from '@robota-sdk/agent-sessions';
import { collectUsage, FactCollector } from './collect-facts.ts';
import type { SessionFacts } from './session-facts.ts';

/** The usage of all stored sessions. */
export interface StoredUsage {
  readonly sessions: readonly SessionFacts[];
  readonly unreadable: readonly UnreadableSession[];
}

/**
 * Reads the usage of every session that is kept as a file. The results are kept in `cache/usage`, where anything may be
 * deleted at any time: only files that are not known as they are now are read again.
 */
export function readUsage(home: string): StoredUsage {
  const steps = usageSteps(home);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** As `readUsage`, in turns with other work of the process: it may have to read thousands of files. */
export async function readUsageInTurns(home: string): Promise<StoredUsage> {
  const steps = usageSteps(home);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}

/** Pauses after each file that is read, and after each project. */
function* usageSteps(home: string): Generator<void, StoredUsage> {
  const root = resolve(home, 'sessions');
  const { names, why } = directoriesIn(root);
  const sessions: SessionFacts[] = [];
  const unreadable: UnreadableSession[] = why === undefined ? [] : [{ path: root, why }];
  for (const project of names) {
    const scanned = filesOfProject(root, project);
    yield;
    const found = yield* usageOfProject(scanned.files, resolve(home, 'cache', 'usage', `${project}.bin`));
    for (const facts of found.sessions) sessions.push(facts);
    unreadable.push(...scanned.unreadable, ...found.unreadable);
    yield;
  }
  return { sessions, unreadable };
}

/** Reads the usage of every session of a store, such as that of a fleet's database. */
export async function usageOfStore(store: SessionStorePort): Promise<StoredUsage> {
  const sessions: SessionFacts[] = [];
  const unreadable: UnreadableSession[] = [];
  for (const { id } of await store.list()) {
    try {
      const handle = await store.open(id, { mode: 'read' });
      sessions.push(collectUsage(handle.header, handle.entries()));
      await handle.close();
    } catch (thrown) {
      // A session may be deleted at any time.
      if (await store.has(id)) unreadable.push({ path: id, why: errorMessage(thrown) });
    }
  }
  return { sessions, unreadable };
}

function* usageOfProject(files: readonly SessionFile[], cacheFile: string): Generator<void, StoredUsage> {
  const known = readRows<SessionFacts>(cacheFile, format());
  const rows: CacheRow<SessionFacts>[] = [];
  const unreadable: UnreadableSession[] = [];
  let changed = false;
  for (const { id, stamp, path } of files) {
    const kept = known.get(id);
    if (kept?.[1] === stamp) {
      rows.push(kept);
      continue;
    }
    changed = true;
    try {
      rows.push([id, stamp, usageOfFile(path)]);
    } catch (thrown) {
      // A session may be deleted at any time.
      const isGone = (thrown as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isGone) unreadable.push({ path, why: errorMessage(thrown) });
    }
    yield;
  }
  if (changed || known.size !== rows.length)
    writeCache(cacheFile, format(), Buffer.from(JSON.stringify(rows)));
  return { sessions: rows.map(([, , facts]) => facts), unreadable };
}

/** Days are those of a time zone, so what was added up in another one is of no use. */
function format(): string {
  return `robota-usage-2 ${Intl.DateTimeFormat().resolvedOptions().timeZone}\n`;
}

const headBytes = 256;
/** Prompts and results of calls are most of a file, and cost nothing. */
const free =
  /^\{"type":"message","id":"[^"]+","parentId":(?:null|"[^"]*"),"timestamp":"[^"]*","message":\{"role":"(?:user|toolResult)"/;

function usageOfFile(path: string): SessionFacts {
  const decode = lineDecoder();
  const collector = new FactCollector();
  for (const bytes of rawLines(path)) {
    if (free.test(bytes.toString('latin1', 0, headBytes))) continue;
    const line = decode(bytes);
    if (line?.kind === 'header') collector.open(line.header);
    if (line?.kind === 'entry') collector.add(line.entry);
  }
  return collector.facts();
}
