import type { ShellWord } from './shell-word.ts';

/** A file a command opens by redirection. */
export interface Redirection {
  readonly kind: 'read' | 'write';
  /** Absent where the target could not be read. */
  readonly target?: ShellWord;
}

/** One simple command: a name with arguments, what surrounds it, and what it runs in turn. */
export interface SimpleCommand {
  /** The name comes first; empty for a bare assignment or redirection. */
  readonly words: readonly ShellWord[];
  readonly assignments: readonly { readonly name: string; readonly value?: ShellWord }[];
  readonly redirections: readonly Redirection[];
  /** It is given text by a here-document or here-string that the shell expands first. */
  readonly expandsInput: boolean;
  /** Gives it something to read: a pipe, or a file, here-document or here-string that is not judged as a script. */
  readonly fedBy?: 'pipe' | 'text';
  /** Texts of the line that it may be given to read. */
  readonly input?: readonly string[];
  /** The chain of `&&` it belongs to: what follows in it runs only where this succeeded. */
  readonly chain?: number;
  /** It stands in the chain itself, not in a subshell of it, so that its `cd` holds for the rest. */
  readonly isLink?: true;
  /** The commands it wraps, in every reading of its arguments. */
  readonly runs: readonly SimpleCommand[];
  /** The commands it can reach: only deny and ask rules apply to them. */
  readonly reaches?: readonly SimpleCommand[];
  /** The command that decides, if the wrapper is transparent. */
  readonly stripped?: SimpleCommand;
}

/** Everything a script would run, as far as its text tells. */
export interface ShellScript {
  readonly source: string;
  /** In source order, also those inside substitutions, functions, branches and scripts given as text. */
  readonly commands: readonly SimpleCommand[];
  /** Values the script gives to variables. */
  readonly assigned: ReadonlyMap<string, readonly string[]>;
  /** Constructs beyond simple commands joined by operators. */
  readonly constructs: readonly string[];
  /** Why the text may mean something else than what was read: errors, hidden characters, budgets. */
  readonly doubts: readonly string[];
  /** Why it may run commands that are not listed: deny and ask rules can't see them. */
  readonly hidden?: string;
  /** A function that starts itself again without end. */
  readonly forkBomb?: string;
}
