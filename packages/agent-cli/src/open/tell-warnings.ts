import { dirname, join } from 'node:path';
import {
  type InteractiveSession,
  isAboutForce,
  processHost,
  untoldWarnings,
} from '@robota-sdk/agent-sdk/front-end';
import type { Arguments } from '../arguments/args.ts';

interface Telling {
  readonly args: Pick<Arguments, 'has'>;
  readonly cwd: string | undefined;
  /** Print mode repeats what is not in force at every run, in one line each. */
  readonly isPrintMode?: boolean;
  say(text: string): Promise<void> | void;
}

/** Tells the warnings of a session that begins: those that are new in this project, or all with --verbose. */
export async function tellWarnings(
  session: InteractiveSession,
  { args, cwd = process.cwd(), isPrintMode = false, say }: Telling,
): Promise<void> {
  if (args.has('debug')) await say(placeOfLog(session, args));
  const { warnings } = session;
  const place = { cwd, host: await processHost(), isKept: !args.has('no-session'), isPrintMode };
  const untold = args.has('verbose') ? warnings : await untoldWarnings(warnings, place);
  for (const warning of warnings) {
    if (untold.includes(warning)) await say(warning);
    else if (isPrintMode && isAboutForce(warning)) await say(warning.split('\n', 1)[0] ?? '');
  }
  const rest = warnings.length - untold.length;
  if (rest > 0 && process.stdin.isTTY && !isPrintMode)
    await say(
      rest === 1
        ? '1 earlier warning hidden; run /config warnings to see it.'
        : `${rest} earlier warnings hidden; run /config warnings to see them.`,
    );
}

function placeOfLog(session: InteractiveSession, args: Telling['args']): string {
  if (args.has('no-session'))
    return 'No log is written, since the session is not kept. Use --debug-file FILE.';
  return `Log of the session: ${join(dirname(session.outputDir), 'log.jsonl')}`;
}
