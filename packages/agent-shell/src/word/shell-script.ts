import type { ShellWord } from './shell-word.ts';

/** A file a command opens by redirection. */
export interface Redirection {
  readonly kind: 'read' | 'write';
  /** Absent if the target could not be read. */
  readonly target?: ShellWord;
}

/** One simple command: a name with arguments, its context, and its inner commands. */
export interface SimpleCommand {
  /** Starts with the name; empty for a bare assignment or redirection. */
  readonly words: readonly ShellWord[];
  readonly assignments: readonly { readonly name: string; readonly value?: ShellWord }[];
  readonly redirections: readonly Redirection[];
  /** True if its input is a here-document or here-string that the shell expands. */
  readonly expandsInput: boolean;
  /** The source of its input: a pipe, or a file, here-document or here-string that is not judged as a script. */
  readonly fedBy?: 'pipe' | 'text';
  /** Texts of the line that may be its input. */
  readonly input?: readonly string[];
  /** The `&&` chain it belongs to: later commands run only if this one succeeded. */
  readonly chain?: number;
  /** True if it is in the chain itself, not in a subshell, so that its `cd` affects the rest. */
  readonly isLink?: true;
  /** The commands it wraps, in every reading of its arguments. */
  readonly runs: readonly SimpleCommand[];
  /** The commands it can reach: only deny and ask rules apply to them. */
  readonly reaches?: readonly SimpleCommand[];
  /** The inner command that is judged instead, if the wrapper is transparent. */
  readonly stripped?: SimpleCommand;
}

/** Everything a script would run, judging by its text. */
export interface ShellScript {
  readonly source: string;
  /** In source order, including those inside substitutions, functions, branches and scripts given as text. */
  readonly commands: readonly SimpleCommand[];
  /** Values the script assigns to variables. */
  readonly assigned: ReadonlyMap<string, readonly string[]>;
  /** Variables among them that may have another value where a command is named by them. */
  readonly unsettled: ReadonlySet<string>;
  /** Constructs beyond simple commands joined by operators. */
  readonly constructs: readonly string[];
  /** Why the text may mean something else than was read: errors, hidden characters, limits. */
  readonly doubts: readonly string[];
  /** Why it may run unlisted commands, which deny and ask rules cannot see. */
  readonly hidden?: string;
  /** A function that calls itself without end. */
  readonly forkBomb?: string;
}
