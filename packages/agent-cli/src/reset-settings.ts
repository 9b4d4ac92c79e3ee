import { rm, stat } from 'node:fs/promises';
import { processHost, userPaths } from '@robota-sdk/agent-sdk';

/** Deletes the user's settings file; sessions and keys stay. */
export async function resetSettings(): Promise<number> {
  const { settings } = userPaths(await processHost());
  const exists = await stat(settings).then(
    () => true,
    () => false,
  );
  if (!exists) {
    process.stdout.write(`There are no settings at ${settings}.\n`);
    return 0;
  }
  await rm(settings);
  process.stdout.write(`Deleted ${settings}.\n`);
  return 0;
}
