import {
  checkArguments,
  describeProblem as describe,
  having,
  type Problem,
  text,
} from '@robota-sdk/agent-core';

/** The text of a problem for users: source, message, hint, then each detail on its own line. */
export function describeProblem(problem: Problem): string {
  checkArguments('describeProblem', { problem: [problem, having({ message: text })] });
  return describe(problem);
}
