import type { SearchEnd } from './list-files.ts';

/** Where to look for files, and for how long. */
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

/** Lists the files of a directory that are not ignored; what is needed for it is loaded with the first call. */
export async function listPaths(listing: PathListing): Promise<SearchEnd> {
  const [{ listFiles }, { findRipgrep }] = await Promise.all([
    import('./list-files.ts'),
    import('./find-ripgrep.ts'),
  ]);
  return listFiles({ ...listing, ripgrep: await findRipgrep() });
}
