import { createRedactor, type Redactor } from '@robota-sdk/agent-sessions';
import { loadConfig } from '../config/load-config.ts';
import { secretsToHide, unmistakableSecrets } from '../credentials.ts';
import { processHost } from '../process-host.ts';

/** Hides the user's keys, as a session in a directory would have them, and whatever looks like one. */
export async function exportRedactor(cwd: string): Promise<Redactor> {
  const config = await loadConfig(cwd, { host: await processHost() });
  return createRedactor(unmistakableSecrets(secretsToHide(config)));
}
