import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import {
  AgentError,
  acquireLock,
  amount,
  callback,
  checkArguments,
  diskAdvice,
  errorMessage,
  having,
  homeDirectory,
  lockHolder,
  optional,
  orElse,
  pathShape,
  robotaDirectories,
  text,
} from '@robota-sdk/agent-core';
import { formatVersion, ownWriter, type SessionHeader } from '../entry/entry.ts';
import { EntryTree } from '../entry/tree.ts';
import { AppendLog } from './append-log.ts';
import { createHeader } from './create-header.ts';
import { followFile } from './follow-file.ts';
import { newSessionId } from './new-session-id.ts';
import { projectIdOf } from './project-id.ts';
import { type ReadSessionOptions, readSessionFile, type SessionContent } from './read-session-file.ts';
import { repairTail } from './repair-tail.ts';
import { SessionHandle } from './session-handle.ts';
import type { SessionProblem } from './session-problem.ts';
import {
  checkWhole,
  directoryOption,
  type FollowedLine,
  type FollowOptions,
  followOptions,
  type NewSessionOptions,
  type OpenSessionOptions,
  openOptions,
  resolveReference,
  type SessionFilling,
  SessionStorePort,
  type SessionSummary,
} from './session-store.ts';
import { byTime, modifiedTime, summarizeUsed } from './session-summary.ts';
import { removeUnfinished, unfinishedName } from './unfinished-sessions.ts';
import { assertNoDanglingLink, foreign, headless, noSession, outdated, unreadable } from './unusable-file.ts';

export interface JsonlSessionStoreOptions {
  /** Sessions are in `sessions/<project>/<id>/session.jsonl` below it; the user's data folder by default. */
  readonly home?: string;
  /** Called once when the disk fails, and once when it works again. */
  readonly onProblem?: (problem: SessionProblem) => void;
  /** Entries of larger files are not kept in memory, but read again on demand. */
  readonly heldBytes?: number;
}

const storeOptions = having({
  home: optional(pathShape),
  onProblem: optional(callback),
  heldBytes: optional(amount),
});

const fileName = 'session.jsonl';
const filesPerTick = 256;

/** Sessions as files: one directory each, one appended line per entry. */
export class JsonlSessionStore extends SessionStorePort {
  readonly #root: string;
  readonly #onProblem: (problem: SessionProblem) => void;
  readonly #reading: ReadSessionOptions;

  constructor(options: JsonlSessionStoreOptions = {}) {
    super();
    checkArguments('new SessionStore', { options: [options, storeOptions] });
    const { home = defaultHome(), onProblem = () => {}, ...reading } = options;
    this.#reading = reading;
    this.#root = resolve(home, 'sessions');
    this.#onProblem = onProblem;
  }

  override async create(options: NewSessionOptions): Promise<SessionHandle> {
    const header = createHeader(options);
    if (options.id !== undefined && (await this.has(header.id))) {
      throw new AgentError(
        'session',
        `There is a session ${header.id} already. Open it, or choose another id.`,
      );
    }
    if (options.file !== undefined) assertNoDanglingLink(options.file);
    const project = join(this.#root, projectIdOf(header.cwd));
    const file = options.file ?? join(project, header.id, fileName);
    if (options.file === undefined) void removeUnfinished(project);
    const directory = this.#directoryOf(file, { isWritten: true });
    const sink = new AppendLog({
      file,
      isNew: true,
      size: 0,
      unterminated: false,
      onProblem: this.#onProblem,
    });
    return new SessionHandle({
      header,
      tree: new EntryTree(),
      sink,
      isNew: true,
      directory,
      file,
      problems: [],
    });
  }

  override async open(reference: string, options: OpenSessionOptions = {}): Promise<SessionHandle> {
    checkArguments('SessionStore.open', {
      reference: [reference, pathShape],
      options: [options, openOptions],
    });
    const { mode = 'append' } = options;
    const file = this.#fileOf(reference);
    assertOpenable(file);
    if (mode === 'read') return this.#openForReading(file);
    const { release, problem } = tryLock(file);
    let content: SessionContent | undefined;
    try {
      content = await readContent(file, this.#reading);
      const header = this.#headerOf(file, content);
      if (header.version < formatVersion) throw outdated(file, header.version);
      if (header.writer !== ownWriter && !this.#isInside(file))
        throw content.header === undefined ? headless(file) : foreign(file);
      const problems = problem ? [...content.problems, problem] : content.problems;
      return this.#openForAppend(file, { ...content, problems }, release);
    } catch (error) {
      content?.release();
      release?.();
      throw error;
    }
  }

  /** Written under a temporary name and renamed; leftovers of killed processes are removed. */
  override async createWhole(
    options: NewSessionOptions,
    filling: SessionFilling,
  ): Promise<SessionHandle | undefined> {
    checkWhole(options, filling);
    const { fill, problems = [] } = filling;
    const { id = newSessionId() } = options;
    if (options.file !== undefined || (await this.has(id)))
      return super.createWhole({ ...options, id }, { fill });
    const project = join(this.#root, projectIdOf(resolve(options.cwd)));
    await removeUnfinished(project);
    const directory = join(project, unfinishedName(id));
    const session = await this.create({ ...options, id, file: join(directory, fileName) });
    try {
      const isKept = await fill(session);
      await session.close();
      if (!isKept || !existsSync(directory)) {
        await rm(directory, { recursive: true, force: true });
        // An empty session is not stored before its first message.
        return isKept ? await this.create({ ...options, id }) : undefined;
      }
      await rename(directory, join(project, id));
    } catch (thrown) {
      await session.close();
      await rm(directory, { recursive: true, force: true });
      throw thrown;
    }
    return this.#openWhole(join(project, id, fileName), problems);
  }

  async #openWhole(file: string, problems: readonly SessionProblem[]): Promise<SessionHandle> {
    const { release } = tryLock(file);
    try {
      const content = await readContent(file, this.#reading);
      return this.#openForAppend(file, { ...content, problems: [...problems, ...content.problems] }, release);
    } catch (error) {
      release?.();
      throw error;
    }
  }

  protected override async copyFiles(source: SessionHandle, copy: SessionHandle): Promise<void> {
    // Changes in another directory must not be undone from this one.
    if (source.directory === undefined || copy.directory === undefined || copy.cwd !== source.cwd) return;
    try {
      const { copyCheckpoints } = await import('./copy-checkpoints.ts');
      await copyCheckpoints(source.directory, copy.directory);
    } catch (error) {
      const message = `What /rewind needs could not be copied: ${errorMessage(error)}. It is still there in session ${source.id}.`;
      this.#onProblem({ code: 'disk', count: 1, message });
    }
  }

  override async latest(cwd: string): Promise<SessionSummary | undefined> {
    checkArguments('SessionStore.latest', { cwd: [cwd, pathShape] });
    const files = this.#filesIn(projectIdOf(cwd))
      .flatMap((path) => modifiedTime(path, this.#onProblem) ?? [])
      // File times are coarse, and ids start with the time too.
      .sort((a, b) => b.time - a.time || (a.path < b.path ? 1 : -1));
    for (const { path } of files) {
      const summary = summarizeUsed(path, idOf(path));
      if (summary) return summary;
    }
    return undefined;
  }

  override async list(options: { readonly cwd?: string } = {}): Promise<SessionSummary[]> {
    checkArguments('SessionStore.list', { options: [options, directoryOption] });
    const { cwd } = options;
    const projects = cwd === undefined ? namesIn(this.#root) : [projectIdOf(cwd)];
    const summaries: SessionSummary[] = [];
    let read = 0;
    for (const path of projects.flatMap((project) => this.#filesIn(project))) {
      const summary = summarizeUsed(path, idOf(path));
      if (summary) summaries.push(summary);
      if (++read % filesPerTick === 0) await nextTick();
    }
    return summaries.sort(byTime);
  }

  override async *follow(reference: string, options: FollowOptions = {}): AsyncGenerator<FollowedLine> {
    checkArguments('SessionStore.follow', {
      reference: [reference, pathShape],
      options: [options, followOptions],
    });
    const { signal } = options;
    const file = this.#fileOf(reference);
    assertOpenable(file);
    yield* followFile(file, signal);
  }

  override async delete(reference: string): Promise<void> {
    checkArguments('SessionStore.delete', { reference: [reference, pathShape] });
    const file = this.#fileOf(reference);
    if (!this.#isInside(file) || basename(file) !== fileName) {
      throw new AgentError(
        'session',
        `${file} is not one of our sessions. Delete it yourself if you no longer need it.`,
      );
    }
    const holder = lockHolder(file);
    if (holder !== undefined) {
      throw new AgentError(
        'session',
        `The session is in use by ${holder}. Close it there before it is deleted.`,
      );
    }
    try {
      await rm(dirname(file), { recursive: true });
    } catch (error) {
      const why = `${errorMessage(error)}. ${diskAdvice(error, dirname(file))}`;
      throw new AgentError('session', `${dirname(file)} could not be deleted: ${why}`, { cause: error });
    }
  }

  override async has(id: string): Promise<boolean> {
    checkArguments('SessionStore.has', { id: [id, text] });
    return this.#allFiles().some((file) => idOf(file) === id);
  }

  async #openForReading(file: string): Promise<SessionHandle> {
    const content = await readContent(file, this.#reading);
    try {
      return this.#handle(file, content, undefined);
    } catch (error) {
      content.release();
      throw error;
    }
  }

  #openForAppend(file: string, content: SessionContent, release: (() => void) | undefined): SessionHandle {
    const repaired = repairTail(file, content);
    const sink = new AppendLog({
      file,
      isNew: false,
      size: repaired.size,
      unterminated: repaired.unterminated,
      onProblem: this.#onProblem,
      ...(release === undefined ? {} : { release }),
    });
    return this.#handle(file, { ...content, problems: [...content.problems, ...repaired.problems] }, sink);
  }

  #handle(file: string, content: SessionContent, sink: AppendLog | undefined): SessionHandle {
    const header = this.#headerOf(file, content);
    const { tree, foreignLines } = content;
    const torn = sink === undefined && content.tail?.torn === true;
    const problems = torn ? [...content.problems, tornForReaders] : content.problems;
    return new SessionHandle({
      header,
      tree,
      sink,
      isNew: false,
      directory: this.#directoryOf(file, { isWritten: sink !== undefined }),
      file,
      foreignLines,
      problems,
      release: content.release,
    });
  }

  #headerOf(file: string, content: SessionContent): SessionHeader {
    if (content.isEmpty) throw new AgentError('session', `${file} is empty: nothing was ever saved in it.`);
    if (!content.header && hasNoEntries(content)) {
      if (isForeign(content)) throw unreadable(file);
      if (!this.#isInside(file)) throw isStructured(file) ? unreadable(file) : noSession(file);
    }
    if (!content.header) return recoveredHeader(file, content);
    if (content.version <= formatVersion) return content.header;
    throw new AgentError(
      'session',
      `${file} was made by a newer version of Robota: it has format ${content.version}, and ${formatVersion} is the newest that can be opened. Update Robota to open it.`,
    );
  }

  #fileOf(reference: string): string {
    if (reference.includes('/') || reference.includes(sep) || reference.endsWith('.jsonl'))
      return fileAt(reference);
    const files = this.#allFiles();
    const id = resolveReference(reference, files.map(idOf));
    return files.find((file) => idOf(file) === id) ?? '';
  }

  #allFiles(): string[] {
    return namesIn(this.#root).flatMap((project) => this.#filesIn(project));
  }

  #filesIn(project: string): string[] {
    const directory = join(this.#root, project);
    const ids = namesIn(directory).filter((name) => !name.startsWith('.'));
    return ids.map((id) => join(directory, id, fileName));
  }

  /** A file elsewhere has its directory next to it, unless it is only read. */
  #directoryOf(file: string, { isWritten }: { readonly isWritten: boolean }): string | undefined {
    if (this.#isInside(file)) return dirname(file);
    return isWritten ? `${file}.d` : undefined;
  }

  #isInside(file: string): boolean {
    return file.startsWith(this.#root + sep);
  }
}

const tornForReaders: SessionProblem = {
  code: 'torn-tail',
  count: 1,
  message: 'The last line was only partly written and is not shown.',
};

async function readContent(file: string, options: ReadSessionOptions): Promise<SessionContent> {
  try {
    return await readSessionFile(file, options);
  } catch (error) {
    throw new AgentError('session', `The session can't be read: ${errorMessage(error)}.`, { cause: error });
  }
}

function assertOpenable(file: string): void {
  // A path below a file is missing too, which is not an error.
  const stat = existsSync(file) ? statSync(file, { throwIfNoEntry: false }) : undefined;
  if (!stat)
    throw new AgentError('session', `File not found: ${file}. List the sessions to see what there is.`);
  if (!stat.isFile()) throw new AgentError('session', `${file} is not a file, so it can't be a session.`);
}

/** If the lock cannot be written, work continues: writing lines will report the problem. */
function tryLock(file: string): { release?: () => void; problem?: SessionProblem } {
  try {
    return { release: acquireLock(file) };
  } catch (error) {
    if (AgentError.is(error)) throw error;
    const message = `The session could not be locked against other processes: ${errorMessage(error)}.`;
    return { problem: { code: 'disk', count: 1, message } };
  }
}

function hasNoEntries({ tree }: SessionContent): boolean {
  return tree.ids().next().done === true;
}

/** True for valid lines that do not belong to a session: another program's file. */
function isForeign({ foreignLines }: SessionContent): boolean {
  return foreignLines.length > 0;
}

/** Sessions of other programs need not be lines, but all of them start like this. */
function isStructured(file: string): boolean {
  const fd = openSync(file, 'r');
  try {
    const head = Buffer.alloc(64);
    return /^\uFEFF?\s*[{[<]/.test(head.toString('utf8', 0, readSync(fd, head)));
  } finally {
    closeSync(fd);
  }
}

function recoveredHeader(file: string, { tree, version }: SessionContent): SessionHeader {
  const [first] = tree.entries();
  const timestamp = first?.timestamp ?? '';
  return { id: idOf(file), version, timestamp, cwd: '' };
}

/** The file of a path: itself, or the one in a session's directory. */
function fileAt(path: string): string {
  const absolute = resolve(path);
  const inside = join(absolute, fileName);
  return existsSync(inside) ? inside : absolute;
}

function idOf(file: string): string {
  return basename(file) === fileName ? basename(dirname(file)) : basename(file, '.jsonl');
}

function namesIn(directory: string): string[] {
  return orElse(
    () =>
      readdirSync(directory, { withFileTypes: true }).flatMap((item) =>
        item.isDirectory() ? item.name : [],
      ),
    [],
  );
}

/** The default folder of sessions. */
function defaultHome(): string {
  return robotaDirectories({ env: process.env, home: homeDirectory() }).data;
}
