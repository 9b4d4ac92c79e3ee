import type { PolicyFiles } from './policy-files.ts';
import type { Workspace } from './workspace.ts';

/** The directory a command line runs in, and the files its meaning depends on. */
export interface ShellScope {
  readonly workspace: Workspace;
  /** File system access for decisions; without it, paths are judged as written. */
  readonly files?: PolicyFiles;
}
