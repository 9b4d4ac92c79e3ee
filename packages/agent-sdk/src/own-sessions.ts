import { JsonlSessionStore, type SessionProblem } from '@robota-sdk/agent-sessions';
import { processHost } from './config/load-config.ts';
import { type HostEnvironment, robotaHome } from './dialects.ts';

/** The user's kept sessions, those in our home directory. */
export async function ownSessions(
  options: { readonly host?: HostEnvironment; readonly onProblem?: (problem: SessionProblem) => void } = {},
): Promise<JsonlSessionStore> {
  const { host = await processHost(), ...rest } = options;
  return new JsonlSessionStore({ home: robotaHome(host), ...rest });
}
