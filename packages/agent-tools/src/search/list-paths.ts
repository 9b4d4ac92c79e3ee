import type { ListOptions, NameFilter } from './list-files.ts';
import type { SearchEnd } from './walk-files.ts';

/** A listing of files; ripgrep is found with the first call. */
export type PathListing = Omit<ListOptions, 'ripgrep' | keyof NameFilter>;

/** The root and time limit of a listing of files and directories. */
export interface EntryListing extends PathListing {
  /** Receives each directory's path relative to the root, in no order. */
  onDirectory(path: string): void;
}

/** Lists files and directories that are not ignored, including empty directories. */
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

/** Lists files that are not ignored; loads its code on the first call. */
export async function listPaths(listing: PathListing): Promise<SearchEnd> {
  const [{ listFiles }, { findRipgrep }] = await Promise.all([
    import('./list-files.ts'),
    import('./find-ripgrep.ts'),
  ]);
  return listFiles({ ...listing, ripgrep: await findRipgrep() });
}
