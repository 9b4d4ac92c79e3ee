import { type FSWatcher, statSync, watch } from 'node:fs';

/** Network file systems report no changes of other machines. */
const pollMs = 1000;

/** Tells of changes of a file while someone listens: by the system, and now and then where it tells nothing. */
export class FileWatch {
  readonly #file: string;
  readonly #listeners = new Set<() => void>();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  get isIdle(): boolean {
    return this.#listeners.size === 0;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  #start(): void {
    const tell = () => {
      for (const listener of [...this.#listeners]) listener();
    };
    let seen = this.#stamp();
    const look = () => {
      const now = this.#stamp();
      if (now === seen) return;
      seen = now;
      tell();
    };
    this.#timer = setInterval(look, pollMs).unref();
    try {
      this.#watcher = watch(this.#file, tell).unref();
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // The system may have no watches left, and some file systems have none at all.
    }
  }

  #stamp(): string {
    const stats = statSync(this.#file, { throwIfNoEntry: false });
    return stats ? `${stats.size} ${stats.mtimeMs}` : '';
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
