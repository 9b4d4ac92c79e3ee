import type { ToolStatus } from './message.ts';

/** A command that the user ran beside the conversation, such as `!npm test`. */
export interface ShellRun {
  readonly command: string;
  /** Its output, or the reason why it did not run. */
  readonly output: string;
  /** Null where it did not run or was ended from outside. */
  readonly exitCode: number | null;
  readonly status: ToolStatus;
  /** Absent where it is not known, such as in imported sessions. */
  readonly durationMs?: number;
  /** The model is not told. */
  readonly isPrivate: boolean;
}
