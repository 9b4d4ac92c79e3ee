import { processHost, secretsToHide, unmistakableSecrets } from '@robota-sdk/agent-config';
import { createRedactor, type LiveRedactor } from '@robota-sdk/agent-core';
import { loadConfig } from '@robota-sdk/agent-resources';

/** Hides the user's keys for a session in a directory, and anything that looks like one. */
export async function exportRedactor(cwd: string): Promise<LiveRedactor> {
  const config = await loadConfig(cwd, { host: await processHost() });
  return createRedactor(unmistakableSecrets(secretsToHide(config)));
}
