/** One run of the check of a goal. */
export interface CheckRun {
  readonly command: string;
  readonly passed: boolean;
  /** Null if the command did not run to its end. */
  readonly exitCode: number | null;
  readonly durationMs: number;
  /** The end of its output, or the reason why it did not run. */
  readonly output: string;
}

/** The evidence of one prompt for the goal of its session. */
export interface GoalReport {
  readonly goal: string;
  /** The command that proves it; absent for a goal without one. */
  readonly check?: string;
  /** The check passed after the last change. */
  readonly proven: boolean;
  /** The checks that ran during this prompt, oldest first. */
  readonly checks: readonly CheckRun[];
}
