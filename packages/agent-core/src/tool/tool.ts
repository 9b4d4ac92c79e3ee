import type { Workspace } from '@robota-sdk/agent-shell';
import type { ToolCallContent, UserContent } from '../message/content.ts';
import type { Display } from '../message/display.ts';
import { checkArguments, objectInstance } from '../shape/check-arguments.ts';
import type { JsonValue } from '../shape/json.ts';
import type { Schema } from '../shape/schema.ts';
import { text as textShape } from '../shape/shape.ts';
import type { Access } from './access.ts';
import type { SessionState } from './session-state.ts';
import type { UserInterface } from './user-interface.ts';

/** The environment of a tool call. */
export interface ToolScope {
  readonly workspace: Workspace;
  /** Values that last as long as the session: files read, background jobs, todos. */
  readonly state: SessionState;
}

/** Services of a running call. */
export interface ToolContext extends ToolScope {
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Environment for child processes: provider keys are already removed. */
  readonly env: Readonly<Record<string, string>>;
  /** Directory for output too large for the model; created when first used. */
  readonly outputDir: string;
  readonly ui: UserInterface;
  /** The result is needed at once: the user cannot move the call to the background. */
  readonly isNeeded?: true;
  /** Reports progress: text to append to the live view. */
  progress(text: string): void;
}

export interface ToolOutput {
  readonly content: readonly UserContent[];
  readonly isError?: boolean;
  readonly display?: Display;
  /** Exit code of a command; null if it was killed. */
  readonly exitCode?: number | null;
  /** Ends the run after the calls of this message, with `text` as its answer. */
  readonly endsRun?: { readonly text?: string };
}

/** The real call, if it was made through a proxy tool. */
interface ResolvedCall {
  readonly tool: AnyTool;
  readonly input: JsonValue;
}

/** The change a call makes to one file: SHA-256 of its content, null if there is no file. */
export interface FileIntent {
  /** With symlinks resolved. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/** The one tool type: built-in, MCP, plugin and user tools alike. */
export interface Tool<I = unknown> {
  readonly name: string;
  /** For the model. */
  readonly description: string;
  readonly input: Schema<I>;
  /** A display name, if the name is cryptic. */
  readonly label?: string;
  /** A line for the system prompt on how to use the tool well. */
  readonly guideline?: string;
  /** A section of the system prompt for the tool, such as a list of available agents. */
  readonly promptSection?: string;
  /** `sequential`: never in parallel with another call of the same message. */
  readonly execution?: 'parallel' | 'sequential';
  /** Returns its output page by page and says how to continue, so that nothing is cut from its middle. */
  readonly paged?: boolean;
  /**
   * Lets the tool act for unlisted ones: returns the real call for a call of it, or of an unknown name. That tool is
   * then validated, passed to hooks, judged and run; undefined leaves the call unchanged.
   */
  resolve?(call: Pick<ToolCallContent, 'name' | 'input'>): ResolvedCall | undefined;
  /** The accesses of the call. Must not change anything. */
  access(input: I, scope: ToolScope): readonly Access[] | Promise<readonly Access[]>;
  /** Shown while the call is prepared and asked about, such as the diff of an edit. */
  preview?(input: I, scope: ToolScope): Promise<Display | undefined>;
  /** True if a call changes nothing, so that it may be repeated after a crash; never a reason to allow it. */
  readonly repeatable?: boolean;
  /** The change a call is about to make; undefined if the call itself will report an error. Changes nothing. */
  intend?(input: I, scope: ToolScope): Promise<FileIntent | undefined>;
  /**
   * After a crash, tells by the file whether a call took effect: `done`, `run` if nothing has changed, or `differs` if
   * the file is neither as before nor as intended.
   */
  resume?(intent: FileIntent, scope: ToolScope): Promise<'done' | 'run' | 'differs'>;
  /** Runs the call. May throw: the message becomes an error result for the model. */
  execute(input: I, context: ToolContext): Promise<ToolOutput>;
}

/** A tool whose input type is unknown to the compiler; `parse` still validates it. */
export type AnyTool = Tool;

/** Creates a plain text result. */
export function textOutput(text: string, extra: Omit<ToolOutput, 'content'> = {}): ToolOutput {
  checkArguments('textOutput', { text: [text, textShape], extra: [extra, objectInstance] });
  return { content: [{ type: 'text', text }], ...extra };
}

/** Selects the registered tools that a session offers. */
export interface ToolSelection {
  /** Only these. */
  readonly only?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Names that stand for other tools. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** None at all. */
  readonly none?: boolean | undefined;
}
