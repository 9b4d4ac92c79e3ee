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

/** Facts about files that decisions depend on. Nothing here starts a program. */
export interface PolicyFiles {
  /** An absolute path with all symlinks resolved. */
  realPath(path: string): string;
  /** The names in a directory; undefined where it cannot be listed. */
  entries(directory: string): readonly DirectoryEntry[] | undefined;
  /** Follows symlinks, one that leads nowhere is `other`; undefined where nothing is there. */
  look(file: string): FileLook | undefined;
  /** The bytes of a file; undefined where it cannot be read. */
  read(file: string): Uint8Array | undefined;
  /** Directories that programs are started from, joined by colons. */
  readonly searchPath: string;
}
