import type { Capabilities, Keybindings, RenderStyle } from '@robota-sdk/agent-tui';

/** The words of a command, read by the command line. */
export interface FleetRequest {
  /** A subcommand of `robota fleet`, or `worker`, or `task` for `robota run`. */
  readonly command: string;
  readonly words: readonly string[];
  has(option: string): boolean;
  value(option: string): string | undefined;
  values(option: string): readonly string[];
}

interface FollowedSession {
  readonly signal: AbortSignal;
  /** The Postgres URL of the fleet, if it has one. */
  readonly database: string | undefined;
}

/** Lines for a width, with colours. */
export type ColouredLines = (columns: number) => readonly string[];

/** The colours, glyphs and keys of the user. */
export interface ConsoleStyle {
  readonly look: RenderStyle;
  readonly keys: Keybindings;
  /** The terminal told what it can do. */
  adapt(capabilities: Capabilities): void;
  /** A session as the screen draws it, and what follows, until aborted; of the user's files, or of a database. */
  followSession(id: string, options: FollowedSession): AsyncIterable<ColouredLines>;
  close(): void;
}

/** An interval in which typed lines and interrupts are taken. */
export interface Watching {
  stop(): void;
}

/** The terminal of a command, and what the command line lends it. It loads nothing for commands that only read or write files. */
export interface FleetConsole {
  /** The name by which the user calls the program. */
  readonly program: string;
  readonly version: string;
  readonly cwd: string;
  /** Our home, `$ROBOTA_HOME`. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A user can be asked. */
  readonly isInteractive: boolean;
  /** Columns of the terminal behind the standard output; undefined if there is none. */
  readonly columns: number | undefined;
  /** Aborts when the reader of the standard output went away. */
  readonly closed: AbortSignal;
  /** Writes to the standard output, without secrets and without what could control a terminal. */
  print(text: string): Promise<void>;
  /** Writes drawn lines to the standard output: with their colours on a terminal, as plain text elsewhere. */
  printLines(lines: readonly string[]): Promise<void>;
  /** Writes a line to the standard error, in the same way. */
  note(text: string): Promise<void>;
  /** All of the standard input. */
  readInput(): Promise<string>;
  /** Asks for a line; undefined if the user dismissed it. */
  ask(prompt: string): Promise<string | undefined>;
  /** Takes typed lines as they come. */
  onLine(listener: (line: string) => void): Watching;
  /** Takes interrupts (Ctrl+C, SIGTERM); `count` is 1 at the first. */
  onInterrupt(listener: (count: number) => void): Watching;
  /** Cells that a text takes. */
  width(text: string): number;
  truncate(text: string, cells: number): string;
  /** Style of a terminal with these abilities; `onChange` is called when its colours are others. */
  openStyle(capabilities: Capabilities, onChange: () => void): Promise<ConsoleStyle>;
  /** The command line that starts this program in a process of its own. */
  readonly ownCommand: readonly string[];
}

/** The exit codes of commands that wait for tasks. */
export const exitCodes = { done: 0, failed: 1, usage: 2, waiting: 3, interrupted: 130 } as const;
