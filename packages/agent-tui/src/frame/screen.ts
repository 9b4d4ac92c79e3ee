import type { InputEvent } from '../input/input-event.ts';
import { InputReader, type InputReaderOptions } from '../input/input-reader.ts';
import type { Reflow, Terminal, TerminalListener } from '../terminal/terminal.ts';
import { type EncodeOptions, encodeFrame } from './encode-frame.ts';
import {
  type Cursor,
  emptyFrame,
  type FramePlan,
  type FrameSize,
  planFrame,
  type ShownFrame,
} from './plan-frame.ts';
import { rowsAboveCursor } from './rows-after-resize.ts';

/** The room there is for the live region. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** The live region: what may still change, with the caret if there is one. */
export interface LiveView {
  readonly lines: readonly string[];
  readonly cursor?: Cursor | undefined;
  /** Lines that were live and will not change any more: they go to the scrollback, after all finished lines. */
  readonly finished?: readonly string[];
}

/** Finished lines, or what makes them for the width that the terminal has when they are written. */
export type Finished = readonly string[] | ((columns: number) => readonly string[]);

/** Options of a {@link Screen}. */
export interface ScreenOptions extends InputReaderOptions, EncodeOptions {
  /** Draws the live region; called only when a frame is due. */
  readonly render: (size: ScreenSize) => LiveView;
  /** Takes what is typed; what it changes is painted at once. */
  readonly input: (event: InputEvent) => void;
  /** The terminal is back from another program, or gone. */
  readonly resumed?: () => void;
  readonly close?: () => void;
  readonly reflow?: Reflow;
  /** Milliseconds that the terminal may hold back a report of its size after another one; 0 by default. */
  readonly sizeDelayMs?: number;
  /** 30 by default. */
  readonly framesPerSecond?: number;
}

/**
 * Shows a program in a terminal: finished lines go into its scrollback once, and the live region below them is repainted
 * where it changed. Nothing is drawn while nothing changes, nor faster than the terminal takes it.
 */
export class Screen {
  readonly #terminal: Terminal;
  readonly #options: ScreenOptions;
  readonly #reader: InputReader;
  readonly #frameMs: number;
  #shown: ShownFrame;
  /** The view on the alternate screen, if any. */
  #full: { readonly render: ScreenOptions['render']; shown: ShownFrame; resizes: number } | undefined;
  #finished: Finished[] = [];
  #isStale = false;
  #isBlocked = false;
  /** True if what waits for the terminal is the echo of a key. */
  #isUrgent = false;
  #isPaused = true;
  #isInInput = false;
  #isSynchronized: boolean;
  #lastFrameAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  /** A frame that is due in this turn of the event loop. */
  #due: NodeJS.Immediate | undefined;
  /** Runs while the terminal may change its size further. */
  #settling: NodeJS.Timeout | undefined;
  /** When the first word of another size came that was not painted yet, and how many came since. */
  #resizedAt: number | undefined;
  #resizes = 0;
  /** True if the terminal has answered a question. */
  #answers = false;
  /** When the terminal was asked how long its answers take, while that is waited for. */
  #askedAt: number | undefined;
  /** How long before a change of size a frame must have been written to be surely shown before it. */
  #lateMs = longestLateMs;
  /** The latest finished lines, in case a change of size makes a frame clear some. */
  #recent: readonly string[] = [];
  /** The last frame that went above the rows it had written: by how many, and until when word of another size may tell that it was wrong. */
  #reach: { readonly rows: number; readonly until: number } | undefined;
  readonly #listener: TerminalListener = {
    input: (bytes) => this.#input(bytes),
    resize: () => this.#resized(),
    drain: () => this.#drained(),
    resume: () => this.resume(),
    close: () => this.#options.close?.(),
  };

  constructor(terminal: Terminal, options: ScreenOptions) {
    this.#terminal = terminal;
    this.#options = options;
    this.#frameMs = 1000 / (options.framesPerSecond ?? 30);
    this.#isSynchronized = options.isSynchronized ?? false;
    this.#shown = emptyFrame(terminal);
    this.#reader = new InputReader((event) => this.#take(event), options);
  }

  /** Takes the terminal over and paints the first frame. */
  start(): void {
    this.#terminal.start(this.#listener);
    this.#isPaused = false;
    this.#isStale = true;
    this.#paint();
  }

  /** Puts finished lines into the scrollback, above the live region, with the next frame. */
  commit(finished: Finished): void {
    this.#finished.push(finished);
    this.refresh();
  }

  /** Says that the live region changed; it is painted soon, and at once while a key is handled. */
  refresh(): void {
    this.#isStale = true;
    if (this.#isInInput || this.#isBlocked || this.#isPaused || this.#timer || this.#due) return;
    // A clock that was set back holds no frame.
    const wait = Math.min(this.#frameMs, this.#lastFrameAt + this.#frameMs - Date.now());
    // A timer would wake the program up once more.
    if (wait < 1) this.#due = setImmediate(() => this.#paint());
    else this.#timer = setTimeout(() => this.#paint(), wait);
  }

  /** Paints now what is to be painted, or as soon as the terminal can take it. */
  flush(): void {
    if (!this.#isStale) return;
    this.#isUrgent = this.#isBlocked;
    this.#paint();
  }

  /** The terminal turned out to show frames at once. */
  setSynchronized(): void {
    this.#isSynchronized = true;
  }

  /** Leaves the terminal to something else; `clear` takes the live region away first. Finished lines wait. */
  pause(options: { readonly clear?: boolean } = {}): void {
    if (this.#isPaused) return;
    this.#terminal.refreshSize();
    if (options.clear) {
      this.#leaveSecondScreen();
      this.#write({ lines: [] });
    }
    this.#isPaused = true;
    this.#cancelTimer();
    this.#settle();
  }

  /** Resumes painting on a terminal that no longer shows the live region. */
  resume(): void {
    this.#shown = emptyFrame(this.#terminal);
    this.#options.resumed?.();
    this.#isPaused = false;
    this.#enterSecondScreen();
    this.#isStale = true;
    this.#paint();
  }

  /** Shows something on the whole of the terminal's second screen, such as a pager; finished lines wait meanwhile. */
  openFullScreen(render: ScreenOptions['render']): void {
    this.#full = { render, shown: emptyFrame(this.#terminal), resizes: this.#resizes };
    this.#enterSecondScreen();
    this.refresh();
  }

  /** Goes back to the live region, which is as it was left. */
  closeFullScreen(): void {
    this.#leaveSecondScreen();
    this.#full = undefined;
    this.refresh();
  }

  /** Lets the shell have the terminal until it continues the program. */
  suspend(): void {
    this.pause({ clear: true });
    this.#terminal.suspend();
  }

  /** Lends the terminal to another program, such as an editor, and takes it back when that is done. */
  async lend<Result>(work: () => Promise<Result>): Promise<Result> {
    this.pause({ clear: true });
    this.#reader.stop();
    await this.#terminal.stop();
    try {
      return await work();
    } finally {
      this.#isBlocked = false;
      this.#terminal.start(this.#listener);
      this.resume();
    }
  }

  /** Writes what is finished, takes the live region away and gives the terminal back. */
  async stop(): Promise<void> {
    this.#terminal.refreshSize();
    this.#cancelTimer();
    this.#settle();
    this.#reader.stop();
    // Lines that were finished while the alternate screen was up belong on the main one.
    this.#leaveSecondScreen();
    this.#write({ lines: [] });
    this.#isPaused = true;
    await this.#terminal.stop();
  }

  #input(bytes: Uint8Array): void {
    this.#isInInput = true;
    try {
      this.#reader.push(bytes);
    } finally {
      this.#isInInput = false;
    }
    this.flush();
  }

  /** An event may come from the reader's clock, too; what it changes is still painted at once. */
  #take(event: InputEvent): void {
    if (event.type === 'response') this.#answers = true;
    if (event.type === 'response' && event.response.kind === 'status') return this.#answered();
    const isNested = this.#isInInput;
    this.#isInInput = true;
    try {
      this.#options.input(event);
    } finally {
      this.#isInInput = isNested;
    }
    if (!isNested) this.flush();
  }

  #drained(): void {
    if (!this.#isBlocked) return;
    this.#isBlocked = false;
    if (this.#isUrgent) this.flush();
    else if (this.#isStale) this.refresh();
  }

  /** While a window is dragged, the position of rows is unknown: painting would leave traces. */
  #resized(): void {
    this.#isStale = true;
    this.#resizedAt ??= Date.now();
    this.#resizes++;
    this.#askedAt = undefined;
    // The second screen has nothing above it to be lost.
    if (this.#full) return this.refresh();
    this.#settleAfter(settleMs + (this.#options.sizeDelayMs ?? 0), () => {
      if (this.#canAsk()) this.#ask();
      else this.#paint();
    });
  }

  /** Asks only where the answer decides: rows of the last frame are broken, or they came later and were cut. */
  #canAsk(): boolean {
    const { reflow = 'all' } = this.#options;
    const isNarrower = reflow !== 'none' && this.#terminal.columns < this.#shown.columns;
    return this.#answers && isNarrower && !this.#isBlocked && !this.#isPaused;
  }

  #ask(): void {
    this.#askedAt = Date.now();
    this.#settleAfter(longestLateMs, () => this.#paint());
    this.#terminal.write(statusQuestion);
  }

  /** Earlier bytes took as long as this question and its answer. */
  #answered(): void {
    if (this.#askedAt === undefined) return;
    this.#lateMs = Math.min(longestLateMs, leastLateMs + lateAnswers * (Date.now() - this.#askedAt));
    this.#settle();
    this.#paint();
  }

  #settleAfter(milliseconds: number, then: () => void): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      this.#settling = undefined;
      then();
    }, milliseconds);
  }

  #paint(): void {
    this.#cancelTimer();
    // Nothing is lost but frames: the rest is painted when the terminal is free.
    if (this.#isBlocked || this.#isPaused || this.#settling) return;
    // Timers run before signals: a busy program knows an old size, and would clear finished lines.
    this.#terminal.refreshSize();
    if (this.#settling) return;
    const { columns, rows } = this.#terminal;
    const view = (this.#full ?? this.#options).render({ columns, rows });
    if (this.#full) return this.#writeFull(view);
    // To render takes a while, more so on a busy machine.
    this.#terminal.refreshSize();
    if (!this.#settling) return this.#write(view);
    if (view.finished) this.#finished.push(view.finished);
  }

  #write(view: LiveView): void {
    if (view.finished) this.#finished.push(view.finished);
    const { columns, rows } = this.#terminal;
    const cursor = view.cursor ?? (view.lines.length === 0 ? origin : undefined);
    const reflow = this.#options.reflow ?? 'all';
    const mayBeLate = (this.#resizedAt ?? Date.now()) - this.#lastFrameAt < this.#lateMs;
    const size = { columns, rows, reflow, mayBeLate, resizes: this.#resizes };
    this.#restoreLines();
    this.#setReach(size);
    // Lines that were cleared by mistake are written again before any others.
    const isHeld = view.lines.length > 0 && Date.now() < (this.#reach?.until ?? 0);
    const commit = isHeld ? [] : this.#takeFinished(columns);
    this.#shown = this.#send(planFrame(this.#shown, { commit, live: view.lines, cursor }, size));
    this.#resizedAt = undefined;
    this.#resizes = 0;
    this.#askedAt = undefined;
    this.#lateMs = longestLateMs;
    if (this.#finished.length > 0) this.refresh();
  }

  #setReach(size: FrameSize): void {
    if (size.columns >= this.#shown.columns) return;
    const rows = rowsAboveCursor(this.#shown, size) - this.#shown.cursor.row;
    this.#reach = rows > 0 ? { rows, until: Date.now() + this.#lateMs } : undefined;
  }

  /** Finished lines that wait, made for this width. */
  #takeFinished(columns: number): readonly string[] {
    const lines = this.#finished.flatMap((each) => (typeof each === 'function' ? each(columns) : each));
    this.#finished = [];
    if (lines.length > 0) this.#recent = [...this.#recent, ...lines].slice(-keptLines);
    return lines;
  }

  /** Writes lines again that a frame may have cleared, since the terminal had another size when the frame came. */
  #restoreLines(): void {
    const reach = this.#reach;
    if (!reach || this.#resizedAt === undefined || this.#resizedAt > reach.until) return;
    this.#reach = undefined;
    this.#finished.unshift(this.#recent.slice(-reach.rows));
  }

  #writeFull(view: LiveView): void {
    if (!this.#full) return;
    const { columns, rows } = this.#terminal;
    const next = { commit: [], live: view.lines, cursor: view.cursor };
    const size = { columns, rows, isFullScreen: true, resizes: this.#resizes - this.#full.resizes };
    this.#full.resizes = this.#resizes;
    this.#full.shown = this.#send(planFrame(this.#full.shown, next, size));
  }

  #send(plan: FramePlan): ShownFrame {
    this.#isStale = false;
    this.#isUrgent = false;
    this.#lastFrameAt = Date.now();
    const bytes = encodeFrame(plan, { isSynchronized: this.#isSynchronized });
    if (bytes !== '') this.#isBlocked = !this.#terminal.write(bytes);
    return plan.shown;
  }

  /** The visibility of the cursor is shared by both screens. */
  #enterSecondScreen(): void {
    if (!this.#full) return;
    const { isCursorVisible } = this.#shown;
    this.#full.shown = { ...emptyFrame(this.#terminal), isCursorVisible };
    this.#terminal.enable('alternateScreen');
    this.#terminal.write('\x1b[H\x1b[J');
  }

  #leaveSecondScreen(): void {
    this.#terminal.disable('alternateScreen');
    if (this.#full) this.#shown = { ...this.#shown, isCursorVisible: this.#full.shown.isCursorVisible };
  }

  #cancelTimer(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#due);
    this.#timer = undefined;
    this.#due = undefined;
  }

  #settle(): void {
    clearTimeout(this.#settling);
    this.#settling = undefined;
    this.#askedAt = undefined;
  }
}

/** How long it may take from a terminal's change of size to the word of it, over a slow line or on a busy machine. */
const longestLateMs = 250;
/** The same where answers come at once, and how many answers may fit into it where they do not. */
const leastLateMs = 20;
const lateAnswers = 4;
/** "Is everything all right?", which each terminal answers. */
const statusQuestion = '\x1b[5n';
/** After this a window that was dragged rests. */
const settleMs = 80;
/** More than a frame ever clears by mistake. */
const keptLines = 50;
const origin: Cursor = { row: 0, column: 0 };
