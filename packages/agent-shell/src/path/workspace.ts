/** The part of the file system a session works in. All paths are absolute and real (symlinks resolved). */
export interface Workspace {
  /** The base of relative paths, and the directory of commands. */
  readonly cwd: string;
  /** Directories the user added to `cwd`. */
  readonly additional: readonly string[];
  readonly home: string;
}
