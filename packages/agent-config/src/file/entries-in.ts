import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { refusalOf } from './read-project-file.ts';

/** An entry of a resource folder. */
export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  /** The target of a link; `outside` if that is not in the repository, so that it is never read. */
  readonly kind: 'file' | 'directory' | 'outside' | 'other';
}

/** How a folder is looked at. */
export interface FolderLook {
  /** The folder that a repository's entries must lie in; undefined for the user's. */
  readonly root: string | undefined;
  /** Real directories that were entered before: a link may lead back. */
  readonly seen?: Set<string>;
}

/**
 * The entries of a folder by name, none if it can't be read or was entered before. Synchronous: a few directories are
 * read faster than a promise for each of them is kept.
 */
export function entriesIn(folder: string, { root, seen = new Set() }: FolderLook): FolderEntry[] {
  try {
    const real = realpathSync.native(folder);
    if (seen.has(real)) return [];
    seen.add(real);
    if (refusalOf(folder, root) !== undefined) return [{ name: '', path: folder, kind: 'outside' }];
    const entries = readdirSync(folder, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    return entries.map((entry) => {
      const path = join(folder, entry.name);
      return { name: entry.name, path, kind: kindOf(entry, path, root) };
    });
  } catch {
    return [];
  }
}

function kindOf(entry: Dirent, path: string, root: string | undefined): FolderEntry['kind'] {
  if (!entry.isSymbolicLink()) return entry.isDirectory() ? 'directory' : entry.isFile() ? 'file' : 'other';
  if (refusalOf(path, root) !== undefined) return 'outside';
  try {
    const target = statSync(path);
    return target.isDirectory() ? 'directory' : target.isFile() ? 'file' : 'other';
  } catch {
    return 'other';
  }
}
