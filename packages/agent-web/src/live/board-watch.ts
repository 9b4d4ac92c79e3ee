import { isDeepStrictEqual } from 'node:util';
import type { BoardRow } from '../contract/board.ts';
import type { StreamEvent } from '../contract/stream.ts';
import { FolderWatch } from './folder-watch.ts';
import { WakeUp } from './wake-up.ts';

/** Time until the next look at sessions of processes without a link, while a page is open and one of them is at work. */
const lookMs = 2500;
/** The longest pause; each is twice the last one while nothing happens. */
const longestLookMs = 40_000;
/** Changes that come together are told together. */
const gatherMs = 200;

/** Looks at the board while pages are open, and tells each of them what changed. */
export class BoardWatch {
  readonly #read: () => Promise<readonly BoardRow[]>;
  readonly #pages = new Set<WakeUp>();
  #rows: readonly BoardRow[] = [];
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #version = 0;
  #pauseMs = lookMs;
  readonly #folders: FolderWatch;

  constructor(folder: string, read: () => Promise<readonly BoardRow[]>) {
    this.#read = read;
    this.#folders = new FolderWatch(folder, () => this.changed());
  }

  /** Something changed that is worth a look; nothing happens while no page is open. */
  changed(): void {
    if (this.#pages.size > 0) this.#lookIn(gatherMs);
  }

  /** All rows, then those that changed. */
  async *events(signal: AbortSignal): AsyncGenerator<StreamEvent> {
    const wake = new WakeUp();
    const stop = () => wake.set();
    signal.addEventListener('abort', stop, { once: true });
    this.#pages.add(wake);
    const known = new Map<string, string>();
    try {
      await this.#look();
      let version = -1;
      while (!signal.aborted) {
        if (version === this.#version) {
          await wake.wait();
          continue;
        }
        version = this.#version;
        const event = changesOf(known, this.#rows);
        if (event) yield event;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      this.#pages.delete(wake);
      if (this.#pages.size === 0) this.#rest();
    }
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#folders.close();
    this.#pauseMs = lookMs;
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), ms).unref();
  }

  async #look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #lookOnce(): Promise<void> {
    // A folder that cannot be read now is looked at again.
    const rows = await this.#read().catch(() => undefined);
    const isQuiet = rows !== undefined && !rows.some(isAtWork) && isDeepStrictEqual(rows, this.#rows);
    this.#pauseMs = isQuiet ? Math.min(2 * this.#pauseMs, longestLookMs) : lookMs;
    if (rows && (this.#version === 0 || !isQuiet)) {
      this.#rows = rows;
      this.#version += 1;
      for (const page of this.#pages) page.set();
    }
    if (this.#pages.size === 0) return;
    this.#folders.refresh();
    this.#lookIn(this.#pauseMs);
  }
}

/** A process without a link tells nothing of what it does. */
function isAtWork({ column, holder }: BoardRow): boolean {
  return column === 'running' && holder === 'elsewhere';
}

/** Notes the rows as known and returns those that were not. */
function changesOf(known: Map<string, string>, rows: readonly BoardRow[]): StreamEvent | undefined {
  const texts = new Map(rows.map((row) => [row.id, JSON.stringify(row)]));
  const changed = rows.filter(({ id }) => known.get(id) !== texts.get(id));
  const gone = [...known.keys()].filter((id) => !texts.has(id));
  for (const id of gone) known.delete(id);
  for (const { id } of changed) known.set(id, texts.get(id) ?? '');
  return changed.length + gone.length === 0 ? undefined : { type: 'board', rows: changed, gone };
}
