import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/** More than these are left to looks from time to time. */
const mostFolders = 200;

/** Tells when a session begins: by the folder of all sessions, and by those of the projects in it. */
export class FolderWatch {
  readonly #root: string;
  readonly #changed: () => void;
  readonly #watchers = new Map<string, FSWatcher>();

  constructor(root: string, changed: () => void) {
    this.#root = root;
    this.#changed = changed;
  }

  /** Watches folders that were added since the last time. */
  refresh(): void {
    for (const folder of [this.#root, ...this.#projects()]) {
      if (this.#watchers.has(folder) || this.#watchers.size >= mostFolders) continue;
      try {
        const watcher = watch(folder, this.#changed).unref();
        watcher.on('error', () => this.#forget(folder));
        this.#watchers.set(folder, watcher);
      } catch {
        // The system may have no watches left, and some file systems have none at all.
      }
    }
  }

  close(): void {
    for (const folder of [...this.#watchers.keys()]) this.#forget(folder);
  }

  #projects(): string[] {
    try {
      const folders = readdirSync(this.#root, { withFileTypes: true }).filter((each) => each.isDirectory());
      return folders.map(({ name }) => join(this.#root, name));
    } catch {
      return [];
    }
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}
