import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tellsAll, watchPath } from '@robota-sdk/agent-sessions';

/** More than these are left to looks from time to time. */
const mostFolders = 500;

export interface FolderWatchOptions {
  /** The folder with those of the projects. */
  readonly root: string;
  /** Folders beside it; undefined where something changes that no folder shows. */
  readonly others: readonly string[] | undefined;
  /** Something changed in the folder of a session; without an id, anywhere. */
  changed(id?: string): void;
}

/** Tells when a session begins, and when something happens in one: by the folders of the projects and of the sessions. */
export class FolderWatch {
  readonly #options: FolderWatchOptions;
  readonly #stops = new Map<string, () => void>();

  constructor(options: FolderWatchOptions) {
    this.#options = options;
  }

  /** Watches these folders of sessions, by id, and those of all projects. False if some changes are told by looks alone. */
  refresh(sessions: ReadonlyMap<string, string>): boolean {
    const { root, others, changed } = this.#options;
    const wanted = new Map<string, () => void>();
    for (const folder of [root, ...(others ?? [])]) wanted.set(existing(folder), () => changed());
    for (const folder of foldersIn(root)) wanted.set(folder, () => changed());
    for (const [id, folder] of sessions) wanted.set(folder, () => changed(id));
    for (const [folder, stop] of this.#stops) {
      if (wanted.has(folder)) continue;
      stop();
      this.#stops.delete(folder);
    }
    for (const [folder, tell] of wanted)
      if (!this.#stops.has(folder) && this.#stops.size < mostFolders)
        this.#stops.set(folder, watchPath(folder, tell));
    return wanted.size <= mostFolders && others !== undefined && tellsAll(existing(root));
  }

  close(): void {
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
  }
}

/** A folder, or the one above it in which it will be made. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}

function foldersIn(root: string): string[] {
  try {
    const folders = readdirSync(root, { withFileTypes: true }).filter((each) => each.isDirectory());
    return folders.map(({ name }) => join(root, name));
  } catch {
    return [];
  }
}
