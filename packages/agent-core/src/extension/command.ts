import type { UserContent } from '../message/content.ts';
import type { UserInterface } from '../tool/user-interface.ts';

/** The session to continue in: a new one, or a stored one by its id or path, optionally in another directory. */
export type SessionTarget =
  | 'new'
  | {
      readonly open: string;
      readonly cwd?: string;
      /** Closes the session first, then opens it in the other directory. */
      readonly moves?: true;
      /** It is a new copy of the current session, so it continues with its model. */
      readonly isCopy?: true;
    };

/** The action after a command; the front end carries it out. */
export type CommandOutcome =
  | { readonly kind: 'done'; readonly data?: unknown }
  | { readonly kind: 'notice'; readonly text: string; readonly isMarkdown?: true; readonly data?: unknown }
  | { readonly kind: 'error'; readonly text: string }
  /** Ask the model. */
  | {
      readonly kind: 'prompt';
      readonly text: string;
      /** Extra content for the model after the text; not shown. */
      readonly attachments?: readonly UserContent[];
      readonly maxTurns?: number;
      /** Called once the answer is complete or has failed. */
      after?(): void | Promise<void>;
    }
  /** Put a text into the editor, to be changed and sent; `notice` gives the reason. */
  | { readonly kind: 'edit'; readonly text: string; readonly notice: string; readonly data?: object }
  /** Switch to another session, optionally with a text to edit; `notice` gives the reason. */
  | {
      readonly kind: 'switch';
      readonly to: SessionTarget;
      readonly notice: string;
      readonly edit?: string;
    }
  | { readonly kind: 'exit' };

/** Required before a command can do its work: messages in the session, or a model that answers. */
export type CommandNeed = 'conversation' | 'model';

/** `prompt`: typed as `/name` in any front end. `terminal`: `/name`, but only in the terminal UI. `shell`: `robota name`. */
export type CommandSurface = 'prompt' | 'terminal' | 'shell';

/** Everything known about a command without running it. */
export interface CommandFacts extends Subcommand {
  /** Default: a model. */
  readonly needs?: readonly CommandNeed[];
  /** Entered while a run is active: runs at once, or when the run is over (the default). */
  readonly during?: 'run' | 'idle';
  /** The screen takes the arguments, too. */
  readonly hasScreenArguments?: boolean;
  /** Suggested before others that begin alike. */
  readonly isCommon?: boolean;
  /** A user's command or skill of the same name replaces it; its aliases still work. */
  readonly yields?: boolean;
}

/** Something a user can do by name; `S` is the session it acts on. */
export interface Command<S = unknown> extends CommandFacts {
  /** Suggests whole argument texts that begin with `prefix`, beside the subcommands. */
  complete?(prefix: string, context: CommandContext<S>): Promise<readonly string[]>;
  run(args: string, context: CommandContext<S>): Promise<CommandOutcome>;
}

/** A word that may follow a command. */
export interface Subcommand {
  readonly name: string;
  readonly description: string;
  readonly aliases?: readonly string[];
  /** Arguments, such as `[model]`, for help and completion. */
  readonly argumentHint?: string;
  /** Words that may follow the name, for help and completion. */
  readonly subcommands?: readonly Subcommand[];
  /** Default: wherever the command is, and `prompt` for a command. */
  readonly where?: readonly CommandSurface[];
  /** The screen that a front end opens if it has one and no argument is given. */
  readonly screen?: string;
}

export interface CommandContext<S = unknown> {
  readonly session: S;
  readonly ui: UserInterface;
  readonly signal: AbortSignal;
}
