import { dirname, join } from 'node:path';
import {
  describeProblem,
  type InteractiveSession,
  type Problem,
  processHost,
  summarizeProblem,
  untoldProblems,
} from '@robota-sdk/agent-sdk/front-end';
import type { Arguments } from '../arguments/args.ts';
import { programName } from '../arguments/program-name.ts';

interface Telling {
  readonly args: Pick<Arguments, 'has'>;
  readonly cwd: string | undefined;
  /** Print mode repeats what is inactive at every run, in one line each. */
  readonly isPrintMode?: boolean;
  /** Problems that the session does not know. */
  readonly others?: readonly Problem[] | undefined;
  say(text: string): Promise<void> | void;
}

/** Shows the problems of a session that starts: those that are new in this project, or all with --verbose. */
export async function tellWarnings(
  session: InteractiveSession,
  { args, cwd = process.cwd(), isPrintMode = false, others = [], say }: Telling,
): Promise<void> {
  if (args.has('debug')) await say(placeOfLog(session, args));
  const problems = [...others, ...session.problems];
  const program = programName();
  const place = { cwd, host: await processHost(), isKept: !args.has('no-session'), isPrintMode };
  const untold = args.has('verbose') ? problems : await untoldProblems(problems, place);
  for (const problem of problems) {
    if (untold.includes(problem)) await say(describeProblem(problem, program));
    else if (isPrintMode && problem.isInactive) await say(summarizeProblem(problem, program));
  }
  const rest = session.problems.filter((problem) => !untold.includes(problem)).length;
  if (rest > 0 && process.stdin.isTTY && !isPrintMode) {
    const hidden = rest === 1 ? '1 earlier warning hidden' : `${rest} earlier warnings hidden`;
    await say(`${hidden}; run /config warnings to see ${rest === 1 ? 'it' : 'them'}.`);
  }
}

function placeOfLog(session: InteractiveSession, args: Telling['args']): string {
  if (args.has('no-session'))
    return 'No log is written, because the session is not saved. Use --debug-file FILE.';
  return `Log of the session: ${join(dirname(session.outputDir), 'log.jsonl')}`;
}
