import { rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { InteractiveSession } from '@robota-sdk/agent-sdk/front-end';
import type { Arguments } from '../arguments/args.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';

export interface CloseOptions {
  /** True if the session's notices are still shown. */
  readonly isFollowed?: boolean;
}

/** Ends a session. An unsaved one also loses its long outputs. */
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

/** Late notices are about data that would be lost, so they are shown although the run is over. */
async function shutDownAloud(session: InteractiveSession): Promise<void> {
  const stderr = terminalOutput(process.stderr);
  const stop = session.subscribe((event) => {
    if (event.type === 'notice-show') return stderr.say(`robota: ${event.text}`);
  });
  await session.shutdown();
  // Notices are told on the next tick.
  await new Promise((resolve) => setImmediate(resolve));
  stop();
}
