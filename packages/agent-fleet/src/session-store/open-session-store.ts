import { openPostgres } from '../database/open-postgres.ts';
import { PostgresSessionStore, type PostgresSessionStoreOptions } from './postgres-session-store.ts';

/** Connections of one process: lines are written by one statement at a time, and others read beside it. */
const connections = 3;

/** Connects to the sessions in a Postgres database; its connections do not keep the process running. */
export async function openSessionStore(
  url: string,
  options: Omit<PostgresSessionStoreOptions, 'database'> = {},
): Promise<PostgresSessionStore> {
  return new PostgresSessionStore({ ...options, database: await openPostgres(url, { connections }) });
}
