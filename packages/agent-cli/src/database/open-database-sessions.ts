import { join } from 'node:path';
import {
  AgentError,
  processHost,
  type SessionProblem,
  type SessionStorePort,
  userPaths,
} from '@robota-sdk/agent-sdk/front-end';
import { loadFleet } from './load-fleet.ts';

/** Opens the sessions in a database: that of a URL, or that of ROBOTA_FLEET for the word `fleet`. */
export async function openDatabaseSessions(
  given: string,
  onProblem: (problem: SessionProblem) => void,
): Promise<SessionStorePort> {
  const host = await processHost();
  const url = given === 'fleet' ? host.env['ROBOTA_FLEET'] : given;
  if (!url) throw new AgentError('usage', '--database fleet needs a URL in the variable ROBOTA_FLEET.');
  if (!/^postgres(ql)?:\/\//.test(url)) {
    const hint = 'Give a URL such as postgres://user@host/database, or "fleet" for that of ROBOTA_FLEET.';
    throw new AgentError('usage', '--database needs the URL of a Postgres database.', { hint });
  }
  const { openSessionStore } = await loadFleet('--database');
  return openSessionStore(url, { files: join(userPaths(host).data, 'fleet', 'sessions'), onProblem });
}
