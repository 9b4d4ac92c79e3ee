import { AgentError, errorMessage } from '@robota-sdk/agent-core';
import type { FleetDatabase, Rows } from '../contract/database.ts';
import { migrate } from './migrate.ts';
import { inTransaction } from './transaction.ts';

/** Connects to a Postgres server, and brings the fleet's tables there up to date. */
export async function openPostgres(
  url: string,
  options: { readonly connections?: number } = {},
): Promise<FleetDatabase> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? 12,
    connectionTimeoutMillis: 10_000,
    // Commands end without closing it.
    allowExitOnIdle: true,
  });
  // A lost idle connection is replaced at the next query.
  pool.on('error', () => undefined);
  const database: FleetDatabase = {
    kind: 'postgres',
    pool,
    query: async <Row>(text: string, values: readonly unknown[] = []): Promise<Rows<Row>> => {
      const { rows, rowCount } = await pool.query(text, [...values]);
      return { rows, rowCount };
    },
    transaction: (work) => inTransaction(pool, work),
    close: () => pool.end(),
  };
  try {
    await migrate(database);
  } catch (error) {
    await pool.end();
    throw AgentError.is(error) ? error : unreachable(url, error);
  }
  return database;
}

function unreachable(url: string, error: unknown): AgentError {
  return new AgentError(
    'config',
    `Cannot use the database ${withoutPassword(url)}: ${describeFailure(error)}`,
    {
      hint: 'Check the address, the user and the password.',
    },
  );
}

/** Node reports a refused connection to several addresses without a message. */
function describeFailure(error: unknown): string {
  return errorMessage(error instanceof AggregateError ? error.errors[0] : error);
}

function withoutPassword(url: string): string {
  try {
    const parsed = new URL(url);
    parsed.password = '';
    return parsed.href;
  } catch {
    return '(not a URL)';
  }
}
