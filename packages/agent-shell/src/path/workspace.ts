/** The part of the file system a session works in. All paths are absolute and real (symlinks resolved). */
export interface Workspace {
  /** Where relative paths start and commands run. */
  readonly cwd: string;
  /** Directories added by the user beside `cwd`. */
  readonly additional: readonly string[];
  readonly home: string;
}
