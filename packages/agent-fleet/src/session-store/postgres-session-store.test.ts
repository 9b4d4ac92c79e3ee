import { type PostgresServer, startPostgres, withoutPostgres } from '@robota-sdk/agent-testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { testStore } from '../../../agent-sessions/src/fixtures/store-conformance.ts';
import type { FleetDatabase } from '../contract/database.ts';
import { openPostgres } from '../database/open-postgres.ts';
import { PostgresSessionStore } from './postgres-session-store.ts';

describe.skipIf(withoutPostgres !== '')(`sessions in Postgres${withoutPostgres}`, () => {
  let server: PostgresServer;
  let database: FleetDatabase;

  beforeAll(async () => {
    server = await startPostgres();
    database = await openPostgres(await server.createDatabase());
  }, 60_000);

  afterAll(async () => {
    await database?.close();
    await server?.stop();
  });

  const emptied = async () => {
    await database.query('truncate fleet.session, fleet.session_line');
    return database;
  };

  testStore('PostgresSessionStore', async () => new PostgresSessionStore({ database: await emptied() }));
  testStore(
    'PostgresSessionStore of large sessions',
    async () => new PostgresSessionStore({ database: await emptied(), heldBytes: 0 }),
  );
});
