import type { TerminalMode } from './terminal-modes.ts';

/** The events of a terminal. */
export interface TerminalListener {
  /** Bytes that were typed, pasted or answered. */
  input(bytes: Uint8Array): void;
  /** It has another size. */
  resize(): void;
  /** It has taken what was written. */
  drain(): void;
  /** Called when the terminal is ours again after another program used it: everything must be repainted. */
  resume(): void;
  /** It is gone. */
  close(): void;
}

/** The port to a terminal; nothing else of the toolkit knows where its bytes go. */
export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  /** Takes the terminal over: raw input, and what happens goes to the listener. */
  start(listener: TerminalListener): void;
  /** Looks whether the size has changed without the listener having heard of it yet, and tells it. */
  refreshSize(): void;
  /** Writes; false means that it is not taken yet, and that the next frame should wait for `drain`. */
  write(text: string): boolean;
  /** Turns a mode on until it is turned off, or the terminal is given back. */
  enable(mode: TerminalMode): void;
  disable(mode: TerminalMode): void;
  /** Gives the terminal back to the shell and stops the program until the shell brings it to the front again. */
  suspend(): void;
  /** Gives it back as it was found, and waits until nothing that was typed for us can reach the shell. */
  stop(): Promise<void>;
}

/** The effect of a new width on the terminal's lines. */
export type Reflow = 'all' | 'all-but-cursor-line' | 'none';
