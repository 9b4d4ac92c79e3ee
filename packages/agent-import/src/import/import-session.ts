import { utimes } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { AgentError, type Message, toolCallsOf } from '@robota-sdk/agent-core';
import type { Entry, ImportOrigin, SessionHandle } from '@robota-sdk/agent-sessions';
import { isCountedMessage, shownTitle } from '@robota-sdk/agent-sessions';
import type { ForeignSession } from '../source/foreign-session.ts';
import type { SourceFile } from '../source/source-file.ts';
import { detectFormat } from './detect-format.ts';
import { type ImportHistory, importReceipt } from './import-history.ts';
import { openSource } from './open-source.ts';
import { EntryPlacer } from './place-entries.ts';
import { readForeignSession } from './read-foreign-session.ts';
import type { ImportCounts, ImportOptions, ImportReport } from './session-importer.ts';

/** Imports one file, unless its content was imported before. */
export async function importSession(
  path: string,
  options: ImportOptions,
  history: ImportHistory,
): Promise<ImportReport> {
  const file = await openSource(path);
  try {
    const origin = { path: file.path, hash: file.hash() };
    const { same, earlier } = history.find(origin);
    if (same !== undefined && !options.again) return alreadyImported(file, same, options.cwd);
    const report = await new SessionImport(file, readForeignSession(file), options).run(origin);
    if (report.sessionId !== undefined) history.add(origin, report.sessionId);
    return earlier === undefined ? report : { ...report, earlierId: earlier };
  } finally {
    file.close();
  }
}

/** Its contents were reported at its import and are not read again. */
function alreadyImported(file: SourceFile, sessionId: string, fallback: string): ImportReport {
  const { format, cwd = fallback } = detectFormat(file);
  const counts = { messages: 0, branches: 0, toolCalls: 0, compactions: 0 };
  return { path: file.path, format, status: 'already', sessionId, cwd, ...counts, skipped: [], repaired: [] };
}

const batchEntries = 200;

class SessionImport {
  readonly #file: SourceFile;
  readonly #session: ForeignSession;
  readonly #options: ImportOptions;
  readonly #placer: EntryPlacer;
  readonly #parents = new Set<string>();
  #entries = 0;
  /** Messages that lists count. */
  #messages = 0;
  #toolCalls = 0;
  #compactions = 0;
  #lastTime = '';

  constructor(file: SourceFile, session: ForeignSession, options: ImportOptions) {
    this.#file = file;
    this.#session = session;
    this.#options = options;
    this.#placer = new EntryPlacer(session);
  }

  async run(origin: Omit<ImportOrigin, 'format'>): Promise<ImportReport> {
    if (this.#options.dryRun) {
      for (const entry of this.#placer.entries()) this.#count(entry);
      return this.#report({ status: this.#messages === 0 ? 'empty' : 'would-import' });
    }
    const sessionId = await this.#write({ format: this.#session.format, ...origin });
    return this.#report(sessionId === undefined ? { status: 'empty' } : { status: 'imported', sessionId });
  }

  /** A path of another system, or half of one, means nothing here. */
  get #cwd(): string {
    const { cwd } = this.#session;
    return cwd !== undefined && isAbsolute(cwd) ? cwd : this.#options.cwd;
  }

  async #write(origin: ImportOrigin): Promise<string | undefined> {
    const { store } = this.#options;
    const { started } = this.#session;
    const created = {
      cwd: this.#cwd,
      importedFrom: origin,
      ...(started === undefined ? {} : { timestamp: started }),
    };
    const handle = await store.createWhole(created, { fill: (session) => this.#fill(session) });
    await handle?.close();
    if (handle) await this.#backdate(handle);
    return handle?.id;
  }

  /** Half a session is worse than none: the source is still there. */
  async #fill(session: SessionHandle): Promise<boolean> {
    await this.#copyEntries(session);
    if (this.#messages === 0) return false;
    await this.#copyFacts(session);
    await session.append(importReceipt(this.#counts(), this.#session.skipped.list()), { durable: true });
    this.#assertKept();
    return true;
  }

  /** Runs of entries are written at once; where a branch begins elsewhere, the leaf is moved first. */
  async #copyEntries(handle: SessionHandle): Promise<void> {
    let batch: Entry[] = [];
    const flush = async () => {
      const [first] = batch;
      if (!first) return;
      if (handle.leafId !== first.parentId) await handle.setLeaf(first.parentId);
      await handle.adopt(batch);
      this.#assertKept();
      batch = [];
    };
    for (const entry of this.#placer.entries()) {
      const isNext = batch.length === 0 || batch.at(-1)?.id === entry.parentId;
      if (!isNext || batch.length >= batchEntries) await flush();
      batch.push(entry);
      this.#count(entry);
    }
    await flush();
  }

  async #copyFacts(handle: SessionHandle): Promise<void> {
    const { name, labels } = this.#session;
    for (const [nodeId, label] of labels) {
      const target = this.#placer.entryOf(nodeId);
      if (target !== undefined) await handle.setLabel(target, label);
    }
    if (handle.leafId !== this.#placer.leafId) await handle.setLeaf(this.#placer.leafId);
    if (name !== undefined && name.trim() !== '') await handle.setName(name);
  }

  /** Lists are sorted by when a file was last written; an old conversation is not new for having been imported. */
  async #backdate({ directory }: SessionHandle): Promise<void> {
    const time = new Date(this.#lastTime);
    if (directory === undefined || Number.isNaN(time.getTime())) return;
    await utimes(join(directory, 'session.jsonl'), time, time).catch(() => {});
  }

  #count(entry: Entry): void {
    this.#entries++;
    if (entry.parentId !== null) this.#parents.add(entry.parentId);
    if (entry.timestamp > this.#lastTime) this.#lastTime = entry.timestamp;
    if (entry.type === 'compaction') this.#compactions++;
    if (entry.type !== 'message') return;
    if (isCountedMessage(entry.message as Message)) this.#messages++;
    this.#toolCalls += toolCallsOf(entry.message as Message).length;
  }

  #counts(): ImportCounts {
    return {
      messages: this.#messages,
      branches: this.#entries - this.#parents.size,
      toolCalls: this.#toolCalls,
      compactions: this.#compactions,
    };
  }

  #report(outcome: Pick<ImportReport, 'status' | 'sessionId'>): ImportReport {
    const { format, name, skipped } = this.#session;
    return {
      path: this.#file.path,
      format,
      ...outcome,
      ...(name === undefined ? {} : { name: shownTitle(name) }),
      cwd: this.#cwd,
      ...this.#counts(),
      skipped: skipped.list(),
      repaired: this.#placer.repaired.list(),
    };
  }

  #assertKept(): void {
    const problem = this.#options.problem?.();
    if (problem !== undefined)
      throw new AgentError('session', `${this.#file.path} was not imported. ${problem}`);
  }
}
