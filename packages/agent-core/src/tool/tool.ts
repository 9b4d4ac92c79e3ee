import type { Workspace } from '@robota-sdk/agent-shell';
import type { ToolCallContent, UserContent } from '../message/content.ts';
import type { Display } from '../message/display.ts';
import type { JsonValue } from '../shape/json.ts';
import type { Schema } from '../shape/schema.ts';
import type { Access } from './access.ts';
import type { SessionState } from './session-state.ts';
import type { UserInterface } from './user-interface.ts';

/** Where a tool call happens. */
export interface ToolScope {
  readonly workspace: Workspace;
  /** Values that live as long as the session: what was read, background jobs, todos. */
  readonly state: SessionState;
}

/** What a running call may use. */
export interface ToolContext extends ToolScope {
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Environment for child processes: provider keys are already removed. */
  readonly env: Readonly<Record<string, string>>;
  /** Directory for output too large for the model; created when first used. */
  readonly outputDir: string;
  readonly ui: UserInterface;
  /** Reports progress: text to append to the live view. */
  progress(text: string): void;
}

export interface ToolOutput {
  readonly content: readonly UserContent[];
  readonly isError?: boolean;
  readonly display?: Display;
  /** How a command exited; null where it was ended from outside. */
  readonly exitCode?: number | null;
}

/** What a call really is, where it was made through a tool that stands for others. */
export interface ResolvedCall {
  readonly tool: AnyTool;
  readonly input: JsonValue;
}

/** The one tool type: built-in, MCP, plugin and user tools alike. */
export interface Tool<I = unknown> {
  readonly name: string;
  /** For the model. */
  readonly description: string;
  readonly input: Schema<I>;
  /** For people, where the name is not telling. */
  readonly label?: string;
  /** A line for the system prompt on how to use the tool well. */
  readonly guideline?: string;
  /** A section of the system prompt that belongs to the tool, such as what it can be asked for. */
  readonly promptSection?: string;
  /** `sequential`: never beside another call of the same message. */
  readonly execution?: 'parallel' | 'sequential';
  /** Gives its output page by page and says how to go on, so that nothing has to be cut out of its middle. */
  readonly paged?: boolean;
  /**
   * Lets the tool stand for others that no request lists: says what a call of it, or of a name nobody knows, really is.
   * That tool is then validated, shown to hooks, judged and run; nothing leaves the call as it is.
   */
  resolve?(call: Pick<ToolCallContent, 'name' | 'input'>): ResolvedCall | undefined;
  /** What the call would touch. Must not change anything. */
  access(input: I, scope: ToolScope): readonly Access[] | Promise<readonly Access[]>;
  /** Shown while the call is prepared and asked about, such as the diff of an edit. */
  preview?(input: I, scope: ToolScope): Promise<Display | undefined>;
  /** Runs the call. May throw: the message becomes an error result for the model. */
  execute(input: I, context: ToolContext): Promise<ToolOutput>;
}

/** A tool whose input type is no longer known to the compiler; `parse` still guards it. */
export type AnyTool = Tool;

/** A result of plain text. */
export function textOutput(text: string, extra: Omit<ToolOutput, 'content'> = {}): ToolOutput {
  return { content: [{ type: 'text', text }], ...extra };
}
