import { dirname } from 'node:path';
import { type AfterCall, type AllowedCall, decide, type Workspace } from '@robota-sdk/agent-core';
import { ChangeLog, cutOff, type FileChange, newChangeId } from './change-log.ts';
import { unkeptText } from './disk-problem.ts';
import { absent, type FileState, lookAt, lstatOf, redirectionOf, sameState, stateOf } from './file-state.ts';
import { ObjectStore } from './object-store.ts';
import { SnapshotFile } from './snapshot-file.ts';
import { WorkspaceSnapshot } from './workspace-snapshot.ts';

export interface RecorderOptions {
  /** `checkpoints/` of the session. */
  readonly directory: string;
  readonly workspace: Workspace;
  /** Directories with files of our own: no command's work. */
  readonly own: readonly string[];
  /** The entry of the session's tree at which something happens. */
  entry(): string | null;
}

/** A call whose changes could not be saved. */
export interface UnknownCall {
  readonly entry: string | null;
  /** ISO. */
  readonly time: string;
  readonly tool: string;
  readonly why: string;
}

/** Contents of a session beyond this many bytes are removed, oldest first. */
const keptBytes = 1024 * 1024 * 1024;

/** Saves the state of files before and after calls. */
export class CheckpointRecorder {
  readonly log: ChangeLog;
  readonly store: ObjectStore;
  readonly #options: RecorderOptions;
  readonly #snapshotFile: SnapshotFile;
  readonly #snapshots: readonly WorkspaceSnapshot[];
  /** Commands that are running. */
  #running = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.log = new ChangeLog(options.directory);
    this.store = new ObjectStore(options.directory);
    const { cwd, additional } = options.workspace;
    this.#snapshotFile = new SnapshotFile(options.directory);
    const parts = { store: this.store, file: this.#snapshotFile, own: options.own };
    this.#snapshots = [cwd, ...additional].map((root) => new WorkspaceSnapshot(root, parts));
  }

  /** Finds the changes of a command that was killed together with its process. */
  async recover(): Promise<void> {
    this.store.resume();
    const open = this.log.interrupted;
    if (open === undefined) return;
    for (const snapshot of this.#snapshots) snapshot.resume();
    const { files } = await this.#compare();
    // The files may have changed since, so the state after the command is unknown.
    const changed = files.map(({ after: _after, ...file }) => file);
    this.log.append({ type: 'after', id: open.id, files: [...open.files, ...changed], unknown: cutOff });
  }

  /** Saves what a call may change, durably, before the call runs. */
  async beforeExecute(allowed: AllowedCall): Promise<AfterCall | undefined> {
    const paths = allowed.access.flatMap((one) => (one.kind === 'write' && !one.problem ? one.real : []));
    const runs = await this.#mayWrite(allowed);
    if (paths.length === 0 && !runs) return undefined;
    const files = [...new Set(paths)].map((path) => this.#keep(path));
    if (runs) await this.#inTurn(() => this.#beginRun());
    try {
      return this.#open(allowed.tool.name, files, { runs });
    } catch (thrown) {
      if (runs) this.#running -= 1;
      throw thrown;
    }
  }

  /** Makes a change of one file outside of any call, and records it. */
  async record(path: string, by: string, work: () => Promise<void>): Promise<void> {
    const after = this.#open(by, [this.#keep(path)], { runs: false });
    try {
      await work();
    } finally {
      await after();
    }
  }

  /** Removes unreferenced contents, and the oldest ones if there are too many. */
  close(): void {
    const states = this.log.changes.flatMap(({ files }) => files.flatMap(({ before }) => before));
    const hashes = states.flatMap((state) => (state.kind === 'file' ? state.hash : []));
    this.#snapshotFile.remove();
    this.store.shrink(hashes, keptBytes);
  }

  /** Saves the file at a path. */
  #keep(path: string): FileChange {
    return { path, before: keepState(path, this.store), ...missingDirectories(path) };
  }

  /** Read-only commands cost nothing. */
  async #mayWrite({ tool, access }: AllowedCall): Promise<boolean> {
    const commands = access.filter(({ kind }) => kind === 'run');
    if (commands.length === 0) return false;
    const rules = { allow: [], ask: [], deny: [] };
    const policy = { mode: 'default', rules, workspace: this.#options.workspace } as const;
    const { verdict } = await decide(policy, { tool: tool.name, access: commands });
    return verdict !== 'allow';
  }

  #open(tool: string, files: readonly FileChange[], { runs }: { readonly runs: boolean }): AfterCall {
    const id = newChangeId();
    const time = new Date().toISOString();
    const entry = this.#options.entry();
    this.log.append({
      type: 'call',
      id,
      entry,
      time,
      tool,
      files,
      ...(runs ? { runs } : {}),
    });
    return () => this.#finish({ id, files, runs });
  }

  /** Records that the changes of a call are unknown. */
  noteUnknown({ entry, tool, time, why }: UnknownCall): void {
    this.log.note({ type: 'call', id: newChangeId(), entry, time, tool, files: [], unknown: why });
  }

  async #finish({ id, files, runs }: OpenCall): Promise<void> {
    try {
      await this.#record({ id, files, runs });
    } catch (thrown) {
      this.log.note({ type: 'after', id, files, unknown: unkeptText(thrown) });
      throw thrown;
    }
  }

  async #record({ id, files, runs }: OpenCall): Promise<void> {
    const written = files.map((file) => ({ ...file, after: stateOf(file.path) }));
    const own = new Set(files.map(({ path }) => path));
    if (this.#running > 0 && !runs) await this.#inTurn(async () => this.#accept(own));
    const found = runs ? await this.#inTurn(() => this.#endRun()) : { files: [] };
    const changed = [...written, ...found.files.filter(({ path }) => !own.has(path))].filter(
      ({ before, after }) => after === undefined || !sameState(before, after),
    );
    const { unknown } = found;
    this.log.append({ type: 'after', id, files: changed, ...(unknown === undefined ? {} : { unknown }) });
  }

  /** Commands of subagents may run side by side: they share the snapshot that the first of them began with. */
  async #beginRun(): Promise<void> {
    if (this.#running === 0) for (const snapshot of this.#snapshots) await snapshot.take();
    this.#running += 1;
  }

  async #endRun(): Promise<Found> {
    try {
      return await this.#compare();
    } finally {
      this.#running -= 1;
      if (this.#running > 0) for (const snapshot of this.#snapshots) await snapshot.take();
    }
  }

  /** Files that a tool declared do not count as changes of a concurrent command. */
  #accept(paths: Iterable<string>): void {
    for (const path of paths) for (const snapshot of this.#snapshots) snapshot.accept(path);
  }

  /** Serializes scans of the workspace. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  async #compare(): Promise<Found> {
    const files: FileChange[] = [];
    for (const snapshot of this.#snapshots) files.push(...(await snapshot.compare()));
    const [unknown] = this.#snapshots.flatMap(({ refusal, blindSpot }) => refusal ?? blindSpot ?? []);
    return { files, ...(unknown === undefined ? {} : { unknown }) };
  }
}

interface Found {
  readonly files: readonly FileChange[];
  readonly unknown?: string;
}

interface OpenCall {
  readonly id: string;
  readonly files: readonly FileChange[];
  readonly runs: boolean;
}

/** The state of a path, with its content saved. */
export function keepState(path: string, store: ObjectStore): FileState {
  if (redirectionOf(dirname(path)) !== undefined) return absent;
  const { state, bytes } = lookAt(path);
  if (state.kind === 'file' && bytes !== undefined) store.keep(state.hash, bytes);
  return state;
}

/** Directories that must be created for a path, outermost first; undefined if there are none. */
export function missingDirectories(path: string): Pick<FileChange, 'directories'> {
  const directories: string[] = [];
  for (let directory = dirname(path); !isThere(directory); directory = dirname(directory))
    directories.unshift(directory);
  return directories.length === 0 ? {} : { directories };
}

/** A file or link instead of a directory counts as missing; it must be removed first. */
function isThere(directory: string): boolean {
  return redirectionOf(directory) === undefined && lstatOf(directory)?.isDirectory() === true;
}
