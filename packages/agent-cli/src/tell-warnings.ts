import { dirname, join } from 'node:path';
import { type InteractiveSession, processHost, untoldWarnings } from '@robota-sdk/agent-sdk';
import type { Arguments } from './args.ts';

interface Telling {
  readonly args: Pick<Arguments, 'has'>;
  readonly cwd: string | undefined;
  say(text: string): Promise<void> | void;
}

/** Tells the warnings of a session that begins: those that were not told in this project before, or all with --verbose. */
export async function tellWarnings(
  session: InteractiveSession,
  { args, cwd = process.cwd(), say }: Telling,
): Promise<void> {
  if (args.has('debug')) await say(placeOfLog(session, args));
  const { warnings } = session;
  const place = { cwd, host: await processHost(), isKept: !args.has('no-session') };
  const untold = args.has('verbose') ? warnings : await untoldWarnings(warnings, place);
  for (const warning of untold) await say(warning);
  const rest = warnings.length - untold.length;
  if (rest > 0 && process.stdin.isTTY)
    await say(`${rest} told before ${rest === 1 ? 'is' : 'are'} not repeated; /config warnings shows all.`);
}

function placeOfLog(session: InteractiveSession, args: Telling['args']): string {
  if (args.has('no-session'))
    return 'No log is written, since the session is not kept. Use --debug-file FILE.';
  return `Log of the session: ${join(dirname(session.getSession().outputDir), 'log.jsonl')}`;
}
