import { type HostEnvironment, processHost, userPaths } from '@robota-sdk/agent-config';
import {
  JsonlSessionStore,
  removeUnusedSessions,
  SessionCatalogue,
  type SessionProblem,
} from '@robota-sdk/agent-sessions';

/** The user's stored sessions in our home directory. */
export async function ownSessions(
  options: { readonly host?: HostEnvironment; readonly onProblem?: (problem: SessionProblem) => void } = {},
): Promise<JsonlSessionStore> {
  const { host = await processHost(), ...rest } = options;
  return new JsonlSessionStore({ home: userPaths(host).data, ...rest });
}

/** Removes the user's sessions without messages after 30 days, such as those an editor never used. */
export async function tidyOwnSessions(options: { readonly host?: HostEnvironment } = {}): Promise<void> {
  await removeUnusedSessions(userPaths(options.host ?? (await processHost())).data);
}

/** The catalogue of the user's stored sessions. */
export async function ownCatalogue(
  options: { readonly host?: HostEnvironment } = {},
): Promise<SessionCatalogue> {
  return new SessionCatalogue({ home: userPaths(options.host ?? (await processHost())).data });
}
