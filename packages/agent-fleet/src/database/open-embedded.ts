import { mkdir } from 'node:fs/promises';
import { AgentError, errorMessage } from '@robota-sdk/agent-core';
import type { FleetDatabase } from '../contract/database.ts';
import { migrate } from './migrate.ts';
import { inTransaction } from './transaction.ts';

/** Opens the embedded database in a directory. The caller makes sure that no other process has it open. */
export async function openEmbedded(directory: string): Promise<FleetDatabase> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const [{ PGlite }, { PglitePool }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('./pglite-pool.ts'),
  ]);
  const pglite = await PGlite.create(directory).catch((thrown: unknown) => {
    throw unusable(directory, thrown);
  });
  const pool = new PglitePool(pglite);
  const database: FleetDatabase = {
    kind: 'pglite',
    pool,
    query: pool.query,
    transaction: (work) => inTransaction(pool, work),
    async close() {
      await pool.end();
      await pglite.close();
    },
  };
  await migrate(database);
  return database;
}

/** The database throws plain objects for errors of the disk, with nothing but a number. */
function unusable(directory: string, thrown: unknown): AgentError {
  const why = thrown instanceof Error ? errorMessage(thrown) : 'the disk refused a file';
  return new AgentError('config', `Cannot open the database of the fleet in ${directory}: ${why}.`, {
    hint: 'Check that the disk has space and that you may write there, then try again. No task is lost.',
    cause: thrown,
  });
}
