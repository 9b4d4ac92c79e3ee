import {
  KeptSessions,
  ownCatalogue,
  ownSessions,
  processHost,
  type ReadOptions,
  type SessionFinder,
  type SessionStorePort,
  userPaths,
} from '@robota-sdk/agent-sdk/front-end';
import { commandDirectory } from './session-arguments.ts';

/** The sessions that a command works on. */
export interface SessionSource {
  readonly catalogue: SessionFinder;
  readonly store: SessionStorePort;
}

/** The user's sessions, or with `--database` those of a fleet. */
export async function sessionSource(options: ReadOptions): Promise<SessionSource> {
  const given = options.value('database');
  if (given === undefined) return { catalogue: await ownCatalogue(), store: await ownSessions() };
  const { openDatabaseSessions } = await import('../database/open-database-sessions.ts');
  const store = await openDatabaseSessions(given, () => {});
  const home = userPaths(await processHost()).data;
  return new KeptSessions({ home, cwd: commandDirectory(options), store });
}
