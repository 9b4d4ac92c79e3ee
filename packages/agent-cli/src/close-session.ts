import { rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { InteractiveSession } from '@robota-sdk/agent-sdk';
import type { Arguments } from './args.ts';

/** Ends a session. Of one that nobody keeps, the long outputs go as well. */
export async function closeSession(session: InteractiveSession, args: Arguments): Promise<void> {
  await session.shutdown();
  if (!args.has('no-session')) return;
  const { outputDir } = session.getSession();
  await rm(outputDir, { recursive: true, force: true });
  // Its parent was made for it alone; one that holds anything else stays.
  await rmdir(dirname(outputDir)).catch(() => {});
}
