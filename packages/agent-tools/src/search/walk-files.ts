import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { IgnoreScope, searchIgnoreNames } from './ignore-scope.ts';

export interface WalkOptions {
  /** A real, absolute directory. */
  readonly root: string;
  readonly signal: AbortSignal;
  readonly deadline: number;
  /** Maximum depth of files; 1 is the root itself. */
  readonly maxDepth?: number;
  /** Receives each file's path relative to the root; a returned promise pauses the walk. */
  onFile(path: string): Promise<void> | undefined;
  /** Receives each directory that is not ignored, even if it is too deep to be visited. */
  onDirectory?(path: string): void;
  /** Receives the absolute path of each directory with some of the `ignoreFileNames`, and those names. */
  onIgnoreFiles?(directory: string, names: ReadonlySet<string>): Promise<void>;
}

/** Limits and errors of a search. */
export interface SearchEnd {
  /** Directories and files that could not be read. */
  readonly unreadable: number;
  readonly isTimedOut: boolean;
}

const repositoryInternals = new Set(['.git', '.hg', '.svn', '.jj']);
const parallelReads = 16;

/**
 * Visits the files ripgrep would search, in no order: ignore files are respected, hidden files included, symbolic links
 * not followed, and unreadable directories counted.
 */
export async function walkFiles(options: WalkOptions): Promise<SearchEnd> {
  const walk = new Walk(options);
  await walk.run();
  return walk;
}

interface Directory {
  readonly path: string;
  readonly relative: string;
  readonly depth: number;
  readonly scope: IgnoreScope;
}

class Walk implements SearchEnd {
  readonly #options: WalkOptions;
  readonly #waiting: Directory[] = [];
  unreadable = 0;
  isTimedOut = false;

  constructor(options: WalkOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { root } = this.#options;
    this.#waiting.push({ path: root, relative: '', depth: 1, scope: await IgnoreScope.above(root) });
    while (this.#waiting.length > 0 && !this.isTimedOut) {
      this.#options.signal.throwIfAborted();
      const batch = this.#waiting.splice(-parallelReads);
      await Promise.all(batch.map((directory) => this.#visit(directory)));
      this.isTimedOut = Date.now() > this.#options.deadline;
    }
    this.#options.signal.throwIfAborted();
  }

  async #visit(directory: Directory): Promise<void> {
    const entries = await readdir(directory.path, { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined) {
      this.unreadable += 1;
      return;
    }
    const scope = await this.#scopeOf(directory, entries);
    const prefix = directory.relative === '' ? '' : `${directory.relative}/`;
    for (const entry of entries) {
      if (repositoryInternals.has(entry.name)) continue;
      const isDirectory = entry.isDirectory();
      if (!isDirectory && !entry.isFile()) continue;
      const path = join(directory.path, entry.name);
      if (scope.isIgnored(path, isDirectory)) continue;
      const relative = prefix + entry.name;
      if (isDirectory) {
        this.#options.onDirectory?.(relative);
        this.#enter({ path, relative, depth: directory.depth + 1, scope });
      } else await this.#options.onFile(relative);
      if (this.#options.signal.aborted) return;
    }
  }

  /** Most directories have no ignore file of their own: they share their parent's scope. */
  async #scopeOf({ path, scope }: Directory, entries: readonly Dirent[]): Promise<IgnoreScope> {
    const names = new Set<string>();
    for (const { name } of entries) if (searchIgnoreNames.has(name)) names.add(name);
    if (names.size === 0) return scope;
    await this.#options.onIgnoreFiles?.(path, names);
    return scope.enter(path, names);
  }

  #enter(directory: Directory): void {
    if (directory.depth <= (this.#options.maxDepth ?? Number.POSITIVE_INFINITY))
      this.#waiting.push(directory);
  }
}

function join(directory: string, name: string): string {
  return directory.endsWith('/') ? directory + name : `${directory}/${name}`;
}
