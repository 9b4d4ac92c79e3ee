import { hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWithin, orElse, readBlobs } from '@robota-sdk/agent-core';
import type { FileChange } from './change-log.ts';
import {
  absent,
  type FileState,
  largestFile,
  lookAt,
  lstatOf,
  placedStateOf,
  sameState,
  stampOf,
  unkeptState,
} from './file-state.ts';
import { type Listing, listWorkspace } from './list-workspace.ts';
import type { ObjectStore } from './object-store.ts';
import type { SnapshotFile } from './snapshot-file.ts';

/** Files up to this size are copied before a command; of larger ones git may have the content. */
const largestCopy = 1024 * 1024;

/** Maximum total size of copies before commands of a session: of tracked files, and of others. */
const copyBudget = 50 * 1024 * 1024;

/** Time limit for reading before one command; the rest is read before the next one. */
const longestReadingMs = 2_000;

/** A file changed this recently may change again without a visible difference. */
const clockTickMs = 50;

const filesPerBreath = 200;

/** A directory that could not be listed this often is not tried again: it would cost every command a second. */
const mostRefusals = 2;

/** The source of a file's previous content. */
type Source = 'unread' | 'store' | 'git' | 'none';

/** A file as it was last seen. */
export interface KnownFile {
  readonly stamp: string;
  readonly seenAt: number;
  readonly changedAt: number;
  /** Zero if the file system does not provide it. */
  readonly madeAt: number;
  readonly inode: number;
  readonly state: FileState;
  readonly source: Source;
  readonly blob?: string | undefined;
}

interface Survey {
  readonly files: Listing['files'];
  /** For known files. */
  readonly stats: ReadonlyMap<string, Stats | undefined>;
  /** Marks file names that are not UTF-8. */
  readonly undecodable: string;
}

interface PathChange {
  readonly path: string;
  readonly was: FileState;
  readonly is: FileState;
}

interface ListedFile {
  readonly path: string;
  readonly stats: Stats;
  readonly blob?: string | undefined;
}

export interface SnapshotOptions {
  readonly store: ObjectStore;
  readonly file: SnapshotFile;
  /** Directories with files of ours, whose changes are ignored. */
  readonly own: readonly string[];
}

/** One directory of the workspace, as last scanned. */
export class WorkspaceSnapshot {
  readonly #root: string;
  readonly #store: ObjectStore;
  readonly #file: SnapshotFile;
  #known = new Map<string, KnownFile>();
  #directories: ReadonlyMap<number, string> = new Map();
  #budget = copyBudget;
  #gitBudget = copyBudget;
  #takenAt = 0;
  #refusals = 0;
  #undecodable = '';
  readonly #isOurs: (path: string) => boolean;
  /** Why the directory is not watched. */
  refusal: string | undefined;
  /** A changed path that the last comparison could not read. */
  blindSpot: string | undefined;

  constructor(root: string, { store, file, own }: SnapshotOptions) {
    this.#root = root;
    this.#store = store;
    this.#file = file;
    const inside = own.filter((directory) => isWithin(root, directory));
    this.#isOurs = (path) => inside.some((directory) => isWithin(directory, join(root, path)));
  }

  /** Loads the last state seen by another process, for comparison. */
  resume(): void {
    this.#known = this.#file.load(this.#root);
    this.#takenAt = Math.max(0, ...[...this.#known.values()].map(({ seenAt }) => seenAt));
  }

  /** Scans everything again and makes sure that contents can be restored. Cheap if nothing changed. */
  async take(): Promise<void> {
    if (this.#refusals < mostRefusals) this.refusal = undefined;
    const survey = await this.#survey();
    this.#undecodable = survey.undecodable;
    const deadline = Date.now() + longestReadingMs;
    this.#known = await this.#look(survey, (file, known) => {
      if (known !== undefined && isUnchanged(known, file.stats) && this.#isSafe(known)) return known;
      return this.#read(file, deadline);
    });
    this.#store.flush();
    this.#directories = this.#directoriesNow();
    this.#takenAt = Date.now();
    this.#file.save(this.#root, this.#known);
  }

  /** Directories with files, by inode. */
  #directoriesNow(): Map<number, string> {
    const directories = new Set<string>();
    for (const path of this.#known.keys())
      for (let at = dirname(path); at !== '.' && !directories.has(at); at = dirname(at)) directories.add(at);
    const inodes = new Map<number, string>();
    for (const directory of directories) {
      const stats = this.#statsOf(directory);
      if (stats?.isDirectory()) inodes.set(stats.ino, join(this.#root, directory));
    }
    return inodes;
  }

  /** True if everything possible was done to save a content; a full disk may have lost it. */
  #isSafe({ source, state }: KnownFile): boolean {
    if (source === 'store' && state.kind === 'file') return this.#store.has(state.hash);
    return source !== 'unread';
  }

  /** Updates one file. */
  accept(path: string): void {
    if (!isWithin(this.#root, path)) return;
    const relative = path.slice(this.#root.length + 1);
    const stats = this.#statsOf(relative);
    const blob = this.#known.get(relative)?.blob;
    if (stats?.isFile())
      this.#known.set(relative, this.#read({ path: relative, stats, blob }, Number.POSITIVE_INFINITY));
    else this.#known.delete(relative);
  }

  /** The files that differ from the snapshot; their previous contents are in the store if available. */
  async compare(): Promise<FileChange[]> {
    if (this.refusal !== undefined) return [];
    const before = this.#known;
    const survey = await this.#survey();
    this.blindSpot = survey.undecodable === this.#undecodable ? undefined : undecodableText;
    const known = new Map([...before].map(([path, { blob }]) => [path, blob]));
    const files = survey.files.size > 0 ? survey.files : known;
    this.#known = await this.#look({ ...survey, files }, (file, known) => this.#lookAgain(file, known));
    const paths = new Set([...before.keys(), ...this.#known.keys()]);
    const moved = this.#movedInodes(before);
    const changed = [...paths].flatMap((path) => this.#changeOf(path, before.get(path), moved));
    const lost = await this.#recover(changed.flatMap(({ path }) => before.get(path) ?? []));
    return changed.map(({ path: relative, was, is }) => {
      const path = join(this.#root, relative);
      const known = before.get(relative);
      if (known === undefined) {
        const directories = this.#newDirectories(path);
        return { path, before: was, after: is, directories };
      }
      return { path, before: lost.has(known) ? withoutContent(known) : was, after: is };
    });
  }

  /** Lists the files; known ones are checked while git runs. */
  async #survey(): Promise<Survey> {
    const stats = new Map<string, Stats | undefined>();
    if (this.refusal !== undefined) return { files: new Map(), stats, undecodable: this.#undecodable };
    const listing = listWorkspace(this.#root);
    await inBreaths(this.#known.keys(), (path) => void stats.set(path, this.#statsOf(path)));
    const { files, refusal, undecodable } = await listing;
    this.refusal = refusal;
    if (refusal !== undefined) this.#refusals += 1;
    return { files, stats, undecodable: looksOf(undecodable, this.#root) };
  }

  async #look(
    { files, stats: known }: Pick<Survey, 'files' | 'stats'>,
    visit: (file: ListedFile, known: KnownFile | undefined) => KnownFile,
  ): Promise<Map<string, KnownFile>> {
    const next = new Map<string, KnownFile>();
    await inBreaths(files, ([path, blob]) => {
      const stats = known.has(path) ? known.get(path) : this.#statsOf(path);
      if ((!stats?.isFile() && !stats?.isSymbolicLink()) || this.#isOurs(path)) return;
      try {
        next.set(path, visit({ path, stats, blob }, this.#known.get(path)));
      } catch {
        // An unreadable file cannot be saved, but it exists.
        next.set(path, { ...looks(stats), blob, state: unkeptState(stats), source: 'none' });
      }
    });
    return next;
  }

  #statsOf(path: string): Stats | undefined {
    return orElse(() => lstatOf(`${this.#root}/${path}`), undefined);
  }

  #read({ path, stats, blob }: ListedFile, deadline: number): KnownFile {
    const base = { ...looks(stats), blob };
    const unkept = { ...base, state: unkeptState(stats), source: 'none' } as const;
    if (Date.now() > deadline) return { ...unkept, source: 'unread' };
    const limit = blob === undefined ? Math.min(largestCopy, this.#budget) : largestFile;
    const { state, bytes } = lookAt(join(this.#root, path), limit);
    if (bytes === undefined || state.kind !== 'file') return { ...base, state, source: 'none' };
    const inGit = blob !== undefined && blobIdOf(bytes, blob) === blob;
    if (this.#stage(state.hash, bytes, { inGit })) return { ...base, state, source: 'store' };
    return inGit ? { ...base, state, source: 'git' } : unkept;
  }

  /** A command may remove the repository too, so git's contents are also copied if they are small. */
  #stage(hash: string, bytes: Uint8Array, { inGit }: { readonly inGit: boolean }): boolean {
    if (this.#store.has(hash)) return true;
    const budget = inGit ? this.#gitBudget : this.#budget;
    if (bytes.length > Math.min(largestCopy, budget)) return false;
    if (inGit) this.#gitBudget -= bytes.length;
    else this.#budget -= bytes.length;
    this.#store.stage(hash, bytes);
    return true;
  }

  /** Only detects whether a file changed; its content is saved before the next command. */
  #lookAgain({ path, stats, blob }: ListedFile, known: KnownFile | undefined): KnownFile {
    if (known !== undefined && isUnchanged(known, stats)) return known;
    if (known?.state.kind === 'unkept' && known.stamp === stampOf(stats)) return known;
    const { state } = lookAt(join(this.#root, path));
    if (known !== undefined && sameState(known.state, state)) return { ...known, ...looks(stats) };
    return { ...looks(stats), blob, state, source: 'unread' };
  }

  #changeOf(path: string, known: KnownFile | undefined, moved: ReadonlySet<number>): PathChange[] {
    const now = this.#known.get(path);
    if (now !== undefined && now === known) return [];
    const was = known?.state ?? (now && this.#stateBefore(now, moved)) ?? absent;
    // An unlisted file may have become ignored, and still exist.
    const is = now?.state ?? placedStateOf(join(this.#root, path));
    return sameState(was, is) ? [] : [{ path, was, is }];
  }

  /** The previous state of an unlisted path: absent, unless the file is older and was ignored. */
  #stateBefore(now: KnownFile, moved: ReadonlySet<number>): FileState {
    const since = this.#takenAt - clockTickMs;
    // Renaming a directory leaves no trace on the files in it.
    if (moved.has(now.inode)) return absent;
    if (now.changedAt < since) return now.state;
    if (now.madeAt === 0 || now.madeAt >= since) return absent;
    return { kind: 'unkept', mode: 0, size: 0, stamp: '' };
  }

  /** Files that were moved. */
  #movedInodes(before: ReadonlyMap<string, KnownFile>): ReadonlySet<number> {
    const gone = [...before].filter(([path, { inode }]) => this.#known.get(path)?.inode !== inode);
    return new Set(gone.map(([, { inode }]) => inode));
  }

  /** The directories above a path, below the root, that were made or moved there since, outermost first. */
  #newDirectories(path: string): string[] {
    const found: string[] = [];
    for (
      let directory = dirname(path);
      directory.length > this.#root.length;
      directory = dirname(directory)
    ) {
      const stats = lstatOf(directory);
      const isMade = stats && stats.birthtimeMs >= this.#takenAt - clockTickMs;
      const isMoved = stats && (this.#directories.get(stats.ino) ?? directory) !== directory;
      if (!stats?.isDirectory() || !(isMade || isMoved)) break;
      found.unshift(directory);
    }
    return found;
  }

  /** Puts contents that only git has, or that were only staged, into the store for good; returns those that are lost. */
  async #recover(files: readonly KnownFile[]): Promise<ReadonlySet<KnownFile>> {
    const lost = new Set<KnownFile>();
    const wanted = files.flatMap(({ source, blob }) => (source === 'git' && blob !== undefined ? blob : []));
    const blobs = wanted.length === 0 ? new Map<string, Buffer>() : await readBlobs(wanted, this.#root);
    await inBreaths(files, (known) => {
      const { state, source, blob } = known;
      if (state.kind !== 'file') return;
      const bytes = source === 'git' ? blobs.get(blob ?? '') : undefined;
      if (bytes !== undefined) this.#store.keep(state.hash, bytes);
      if (!this.#store.settle(state.hash)) lost.add(known);
    });
    return lost;
  }
}

const undecodableText = 'it changed files whose names are not valid UTF-8 and are not saved';

function looksOf(paths: readonly Buffer[], root: string): string {
  const stamps = paths.map((path) => {
    const stats = lstatOf(Buffer.concat([Buffer.from(`${root}/`), path]));
    return `${path.toString('hex')} ${stats && stampOf(stats)}`;
  });
  return stamps.sort().join('\n');
}

/** Processes many items and yields in between. */
async function inBreaths<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  let count = 0;
  for (const item of items) {
    work(item);
    if (++count % filesPerBreath === 0) await new Promise(setImmediate);
  }
}

function looks(stats: Stats): Omit<KnownFile, 'state' | 'source' | 'blob'> {
  const { mtimeMs, ctimeMs, birthtimeMs: madeAt, ino: inode } = stats;
  return { stamp: stampOf(stats), seenAt: Date.now(), changedAt: Math.max(mtimeMs, ctimeMs), madeAt, inode };
}

function isUnchanged({ stamp, seenAt, changedAt }: KnownFile, stats: Stats): boolean {
  return stamp === stampOf(stats) && changedAt < seenAt - clockTickMs;
}

/** git's name for a content, with the same kind of hash as a known name. */
function blobIdOf(bytes: Uint8Array, like: string): string {
  const header = Buffer.from(`blob ${bytes.length}\0`);
  return hash(like.length === 64 ? 'sha256' : 'sha1', Buffer.concat([header, bytes]), 'hex');
}

function withoutContent({ state, stamp }: KnownFile): FileState {
  return state.kind === 'file' ? { kind: 'unkept', mode: state.mode, size: state.size, stamp } : state;
}
