import type { ToolStatus } from './message.ts';

/** The part of an output that is not kept: the number of lines, and where the full text is or why it is not saved. */
export type OmittedOutput = { readonly lines: number; readonly note: string };

/** A command that the user ran outside the conversation, such as `!npm test`. */
export interface ShellRun {
  readonly command: string;
  /** Its output, or why it did not run. */
  readonly output: string;
  readonly omitted?: OmittedOutput;
  /** Null if it did not run or was killed. */
  readonly exitCode: number | null;
  readonly status: ToolStatus;
  /** Absent if unknown, as in imported sessions. */
  readonly durationMs?: number;
  /** True if the model does not see it. */
  readonly isPrivate: boolean;
}
