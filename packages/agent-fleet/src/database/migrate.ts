import { AgentError } from '@robota-sdk/agent-core';
import type { FleetDatabase, Queryable } from '../contract/database.ts';
import { deathTables } from './death-tables.ts';
import { fleetTables } from './fleet-tables.ts';
import { sessionTables } from './session-tables.ts';
import { snapshotTables } from './snapshot-tables.ts';

/** One change of the schema. Its statements can be repeated. */
export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
}

/** In order, for ever: the number of a migration is its place, from 1. */
const migrations: readonly Migration[] = [fleetTables, sessionTables, snapshotTables, deathTables];

/** Brings the tables up to date. One process at a time does it; a newer schema than this program's is refused. */
export async function migrate(
  database: FleetDatabase,
  list: readonly Migration[] = migrations,
): Promise<void> {
  // Most processes find the tables as they should be, and need no right to change them.
  if ((await versionOf(database)) === list.length) return;
  await database.transaction(async (connection) => {
    await connection.query('select pg_advisory_xact_lock($1)', [advisoryLocks.migrate]);
    await connection.query('create schema if not exists fleet');
    await connection.query(
      'create table if not exists fleet.migration (number int primary key, name text not null, applied_at timestamptz not null default now())',
    );
    const last = await lastMigration(connection);
    if (last > list.length) {
      throw new AgentError(
        'config',
        `The fleet's database has schema ${last}; this program knows ${list.length}.`,
        {
          hint: 'Update Robota on this machine.',
        },
      );
    }
    for (const [index, migration] of list.entries()) {
      if (index < last) continue;
      for (const statement of migration.statements) await connection.query(statement);
      await connection.query('insert into fleet.migration (number, name) values ($1, $2)', [
        index + 1,
        migration.name,
      ]);
    }
  });
}

async function versionOf(connection: Queryable): Promise<number> {
  const { rows } = await connection.query<{ is_there: boolean }>(
    "select to_regclass('fleet.migration') is not null as is_there",
  );
  return rows[0]?.is_there ? lastMigration(connection) : 0;
}

async function lastMigration(connection: Queryable): Promise<number> {
  const { rows } = await connection.query<{ last: number | null }>(
    'select max(number) as last from fleet.migration',
  );
  return rows[0]?.last ?? 0;
}

/** Keys of advisory locks; arbitrary, and the same in every version. */
export const advisoryLocks = { migrate: 7_203_001, sweep: 7_203_002, launch: 7_203_003 } as const;
