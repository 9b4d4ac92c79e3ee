import type { SearchEnd } from './walk-files.ts';

/** The root and time limit of a file listing. */
export interface PathListing {
  /** A real, absolute directory. */
  readonly root: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** How deep files may lie; 1 is the root itself. */
  readonly maxDepth?: number;
  /** Gets each file's path relative to the root, in no order. */
  onFile(path: string): void;
}

/** The root and time limit of a listing of files and directories. */
export interface EntryListing extends PathListing {
  /** Gets each directory's path relative to the root, in no order. */
  onDirectory(path: string): void;
}

/** Lists the files and directories of a directory that are not ignored, empty directories included. */
export async function listEntries(listing: EntryListing): Promise<SearchEnd> {
  const { walkFiles } = await import('./walk-files.ts');
  const { root, signal, timeoutMs, maxDepth, onFile, onDirectory } = listing;
  return walkFiles({
    root,
    signal,
    deadline: Date.now() + timeoutMs,
    ...(maxDepth === undefined ? {} : { maxDepth }),
    onDirectory,
    onFile: (path) => {
      onFile(path);
      return undefined;
    },
  });
}

/** Lists the files of a directory that are not ignored; what is needed for it is loaded with the first call. */
export async function listPaths(listing: PathListing): Promise<SearchEnd> {
  const [{ listFiles }, { findRipgrep }] = await Promise.all([
    import('./list-files.ts'),
    import('./find-ripgrep.ts'),
  ]);
  return listFiles({ ...listing, ripgrep: await findRipgrep() });
}
