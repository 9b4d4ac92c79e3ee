import { AgentError } from '@robota-sdk/agent-core';
import type { FleetClient } from '../contract/client.ts';
import { LocalClient } from './local-client.ts';

export interface FleetLocation {
  /** A Postgres URL; the files of this machine without one. */
  readonly database?: string | undefined;
  /** Our home, `$ROBOTA_HOME`. */
  readonly home: string;
}

/** Opens the way to a fleet. */
export async function openClient({ database, home }: FleetLocation): Promise<FleetClient> {
  if (database === undefined || database === '') return new LocalClient(home);
  if (!/^postgres(?:ql)?:\/\//.test(database))
    throw new AgentError('usage', 'The database of a fleet is a URL that starts with postgres://.');
  const { openPostgres } = await import('../database/open-postgres.ts');
  const { PostgresClient } = await import('./postgres-client.ts');
  return new PostgresClient(await openPostgres(database, { connections: 2 }));
}
