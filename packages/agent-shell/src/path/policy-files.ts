/** A name in a directory. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'directory' | 'file' | 'link';
}

/** A file as it is now; its version changes whenever it is changed. */
export interface FileLook {
  readonly kind: 'directory' | 'file' | 'other';
  readonly size: number;
  readonly version: string;
}

/** The files of a repository that git keeps, or ever kept, by their paths from its top. */
export interface TrackedFiles {
  readonly top: string;
  /** Undefined where there are too many to be read. */
  readonly paths: readonly string[] | undefined;
}

/** Facts about files that decisions depend on. Only `tracked` starts a program. */
export interface PolicyFiles {
  /** An absolute path with all symlinks resolved. */
  realPath(path: string): string;
  /** The names in a directory; undefined where it cannot be listed. */
  entries(directory: string): readonly DirectoryEntry[] | undefined;
  /** Follows symlinks, one that leads nowhere is `other`; undefined where nothing is there. */
  look(file: string): FileLook | undefined;
  /** The bytes of a file; undefined where it cannot be read. */
  read(file: string): Uint8Array | undefined;
  /**
   * The files in the index and the history of the repository around a directory; undefined where there is
   * none. Asked only where nothing in its configuration can start a program.
   */
  tracked?(directory: string): Promise<TrackedFiles | undefined>;
  /** Directories that programs are started from, joined by colons. */
  readonly searchPath: string;
}
