import { rename, stat } from 'node:fs/promises';
import { processHost, userPaths } from '@robota-sdk/agent-sdk';

/** Deletes the user's settings file, of which a copy stays beside it; sessions and keys stay. */
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
  const copy = `${settings}.bak`;
  await rename(settings, copy);
  process.stdout.write(`Deleted ${settings}. A copy is kept in ${copy}.\n`);
  return 0;
}
