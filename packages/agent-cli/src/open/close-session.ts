import { rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { InteractiveSession } from '@robota-sdk/agent-sdk/front-end';
import type { Arguments } from '../arguments/args.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';

export interface CloseOptions {
  /** Somebody still shows what the session says. */
  readonly isFollowed?: boolean;
}

/** Ends a session. Of one that nobody keeps, the long outputs go as well. */
export async function closeSession(
  session: InteractiveSession,
  args: Arguments,
  { isFollowed = false }: CloseOptions = {},
): Promise<void> {
  await (isFollowed ? session.shutdown() : shutDownAloud(session));
  if (!args.has('no-session')) return;
  const { outputDir } = session;
  await rm(outputDir, { recursive: true, force: true });
  // Its parent was made for it alone; one that holds anything else stays.
  await rmdir(dirname(outputDir)).catch(() => {});
}

/** What is said now is about what would be lost otherwise, so it is shown although the run is over. */
async function shutDownAloud(session: InteractiveSession): Promise<void> {
  const stderr = terminalOutput(process.stderr);
  const stop = session.subscribe((event) => {
    if (event.type === 'notice-show') return stderr.write(stderr.clean(`robota: ${event.text}\n`));
  });
  await session.shutdown();
  // Notices are told on the next tick.
  await new Promise((resolve) => setImmediate(resolve));
  stop();
}
