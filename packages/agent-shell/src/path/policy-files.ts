/** A name in a directory. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'directory' | 'file' | 'link';
}

/** The current state of a file; its version changes with every change. */
export interface FileLook {
  readonly kind: 'directory' | 'file' | 'other';
  readonly size: number;
  readonly version: string;
}

/** The files that git tracks or ever tracked in a repository, relative to its root. */
export interface TrackedFiles {
  readonly top: string;
  /** Undefined if there are too many. */
  readonly paths: readonly string[] | undefined;
}

/** File system queries that decisions depend on. Only `tracked`, `linksIn` and `ignored` start a program. */
export interface PolicyFiles {
  /** An absolute path with all symlinks resolved. */
  realPath(path: string): string;
  /** The names in a directory; undefined if it cannot be listed. */
  entries(directory: string): readonly DirectoryEntry[] | undefined;
  /** Follows symlinks; a broken one is `other`, and a missing file is undefined. */
  look(file: string): FileLook | undefined;
  /** The bytes of a file; undefined if it cannot be read. */
  read(file: string): Uint8Array | undefined;
  /**
   * The files in the index and the history of the repository around a directory; undefined if there is none. Called
   * only if nothing in its configuration can start a program.
   */
  tracked?(directory: string): Promise<TrackedFiles | undefined>;
  /** The links among the files of a revision, as absolute paths; undefined if unknown. Called like `tracked`. */
  linksIn?(directory: string, revision: string): Promise<readonly string[] | undefined>;
  /** Those of some paths, and below them, that git ignores in the repository around a directory. */
  ignored?(directory: string, paths: readonly string[]): Promise<readonly string[]>;
  /** Directories to search for programs, joined by colons. */
  readonly searchPath: string;
}
