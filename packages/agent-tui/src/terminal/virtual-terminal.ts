import type { Terminal, TerminalListener } from './terminal.ts';
import { ModeLedger, type TerminalMode } from './terminal-modes.ts';

/** A terminal for tests: it keeps every write; its size, speed and input are set by the test. */
export class VirtualTerminal implements Terminal {
  /** Every write, in order. */
  readonly writes: string[] = [];
  columns: number;
  rows: number;
  isStarted = false;
  isSuspended = false;
  /** A size that the listener has not heard of. */
  #unheard: { readonly columns: number; readonly rows: number } | undefined;
  /** True if writes are answered with "wait". */
  #isSlow = false;
  #listener: TerminalListener | undefined;
  readonly #modes = new ModeLedger();

  constructor(columns = 80, rows = 24) {
    this.columns = columns;
    this.rows = rows;
  }

  /** Everything that was written. */
  get output(): string {
    return this.writes.join('');
  }

  start(listener: TerminalListener): void {
    this.#listener = listener;
    this.isStarted = true;
    this.#writeSome(this.#modes.allOn);
    this.enable('bracketedPaste');
    this.enable('kittyKeyboard');
  }

  refreshSize(): void {
    const size = this.#unheard;
    this.#unheard = undefined;
    if (size) this.resize(size.columns, size.rows);
  }

  write(text: string): boolean {
    this.writes.push(text);
    return !this.#isSlow;
  }

  enable(mode: TerminalMode): void {
    this.#writeSome(this.#modes.enable(mode));
  }

  disable(mode: TerminalMode): void {
    this.#writeSome(this.#modes.disable(mode));
  }

  suspend(): void {
    this.#writeSome(this.#modes.allOff);
    this.isSuspended = true;
  }

  async stop(): Promise<void> {
    this.#writeSome(this.#modes.allOff);
    this.#listener = undefined;
    this.isStarted = false;
  }

  /** Types, pastes or answers these characters. */
  type(text: string): void {
    this.#listener?.input(new TextEncoder().encode(text));
  }

  /** Changes the size. */
  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    this.#listener?.resize();
  }

  /** Changes the size while the program is too busy to hear of it. */
  resizeUnheard(columns: number, rows: number): void {
    this.#unheard = { columns, rows };
  }

  /** From now on writes pile up. */
  block(): void {
    this.#isSlow = true;
  }

  /** The written data has been taken. */
  drain(): void {
    this.#isSlow = false;
    this.#listener?.drain();
  }

  /** The shell brings the program to the front again. */
  resume(): void {
    this.isSuspended = false;
    this.#writeSome(this.#modes.allOn);
    this.#listener?.resume();
  }

  /** The window is closed. */
  close(): void {
    this.#listener?.close();
  }

  #writeSome(text: string): void {
    if (text !== '') this.writes.push(text);
  }
}
