import { isDeepStrictEqual } from 'node:util';
import type { StreamEvent } from '../contract/stream.ts';
import type { BoardLook } from './board.ts';
import { FolderWatch } from './folder-watch.ts';
import { WakeUp } from './wake-up.ts';

/** Time until the next look at sessions of processes that tell nothing, while a page is open and one of them is at work. */
const lookMs = 2500;
/** The longest pause; each is twice the last one while nothing happens. */
const longestLookMs = 40_000;
/** Changes that come together are told together. */
const gatherMs = 200;
/** A look at thousands of sessions takes long: it may take so much of the time. */
const mostShare = 0.1;

export interface BoardWatchOptions {
  /** The folder of all sessions, and others whose changes count; undefined where some changes stand in no folder. */
  readonly root: string;
  readonly others: readonly string[] | undefined;
  /** Looks at everything, or at some rows again. */
  look(only?: ReadonlySet<string>): Promise<BoardLook>;
}

/** Looks at the board while pages are open, and tells each of them what changed. Does nothing while nothing happens. */
export class BoardWatch {
  readonly #options: BoardWatchOptions;
  readonly #pages = new Set<WakeUp>();
  #last: BoardLook | undefined;
  /** Rows of the last look as JSON. */
  #texts: ReadonlyMap<string, string> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #due = Number.POSITIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #version = 0;
  #pauseMs = lookMs;
  /** Rows to look at again; everything where it is undefined. */
  #dirty: Set<string> | undefined;
  #isDirty = true;
  #lookedMs = 0;
  readonly #folders: FolderWatch;

  constructor(options: BoardWatchOptions) {
    this.#options = options;
    const { root, others } = options;
    this.#folders = new FolderWatch({ root, others, changed: (id) => this.changed(id) });
  }

  /** Something changed that is worth a look, in a session or anywhere; nothing happens while no page is open. */
  changed(id?: string): void {
    if (id === undefined) this.#dirty = undefined;
    else if (!this.#isDirty) this.#dirty = new Set([id]);
    else this.#dirty?.add(id);
    this.#isDirty = true;
    const pause = this.#dirty === undefined ? this.#lookedMs / mostShare : 0;
    if (this.#pages.size > 0) this.#lookIn(Math.max(gatherMs, pause));
  }

  /** All rows, then those that changed. */
  async *events(signal: AbortSignal): AsyncGenerator<StreamEvent> {
    const wake = new WakeUp();
    const stop = () => wake.set();
    signal.addEventListener('abort', stop, { once: true });
    this.#pages.add(wake);
    const known: KnownBoard = { rows: new Map(), spent: 0 };
    try {
      // Changes while no page was open are not known.
      if (this.#pages.size === 1) this.changed();
      await this.#look();
      let version = -1;
      while (!signal.aborted) {
        if (version === this.#version) {
          await wake.wait();
          continue;
        }
        version = this.#version;
        const event = this.#last && changesOf(known, this.#texts, this.#last);
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
    this.#due = Number.POSITIVE_INFINITY;
    this.#folders.close();
    this.#pauseMs = lookMs;
  }

  /** Looks after this time, or earlier if that is planned already. */
  #lookIn(ms: number): void {
    const due = Date.now() + ms;
    if (due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => {
      this.#due = Number.POSITIVE_INFINITY;
      void this.#look();
    }, ms).unref();
  }

  async #look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #lookOnce(): Promise<void> {
    clearTimeout(this.#timer);
    this.#due = Number.POSITIVE_INFINITY;
    if (this.#last && !this.#isDirty) return this.#plan();
    const only = this.#last && this.#dirty;
    this.#isDirty = false;
    this.#dirty = undefined;
    const begun = performance.now();
    // A folder that cannot be read now is looked at again.
    const look = await this.#options.look(only).catch(() => undefined);
    if (!only) this.#lookedMs = performance.now() - begun;
    const isQuiet =
      look !== undefined && look.spent === this.#last?.spent && isDeepStrictEqual(look.rows, this.#last.rows);
    this.#pauseMs = isQuiet ? Math.min(2 * this.#pauseMs, longestLookMs) : lookMs;
    if (look) this.#last = look;
    if (look && (this.#version === 0 || !isQuiet)) {
      this.#texts = new Map(look.rows.map((row) => [row.id, JSON.stringify(row)]));
      this.#version += 1;
      for (const page of this.#pages) page.set();
    }
    this.#plan();
  }

  /** Plans the next look, where something may change that is not told. */
  #plan(): void {
    if (this.#pages.size === 0) return;
    const { rows = [], folders = new Map(), silent = new Set<string>() } = this.#last ?? {};
    const isTold = this.#folders.refresh(folders);
    const atWork = rows.filter(({ id, column }) => column === 'running' && silent.has(id));
    if (atWork.length > 0) this.#pauseMs = lookMs;
    if (this.#isDirty) return this.#lookIn(gatherMs);
    if (isTold && silent.size === 0) return;
    this.#isDirty = true;
    this.#dirty = isTold ? new Set(silent) : undefined;
    this.#lookIn(this.#pauseMs);
  }
}

/** The board that a page knows: rows as JSON, and the dollars of today. */
interface KnownBoard {
  readonly rows: Map<string, string>;
  spent: number;
}

/** Notes the board as known and returns what was not. */
function changesOf(
  known: KnownBoard,
  texts: ReadonlyMap<string, string>,
  { rows, spent }: BoardLook,
): StreamEvent | undefined {
  const changed = rows.filter(({ id }) => known.rows.get(id) !== texts.get(id));
  const gone = [...known.rows.keys()].filter((id) => !texts.has(id));
  if (changed.length + gone.length === 0 && known.spent === spent) return undefined;
  for (const id of gone) known.rows.delete(id);
  for (const { id } of changed) known.rows.set(id, texts.get(id) ?? '');
  known.spent = spent;
  return { type: 'board', rows: changed, gone, spent };
}
