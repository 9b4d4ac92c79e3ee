import { AgentError, errorMessage } from '@robota-sdk/agent-core';
import type { FleetDatabase, Rows } from '../contract/database.ts';
import { migrate } from './migrate.ts';
import { inTransaction, untilWon } from './transaction.ts';

/** Shorter than the silence after which the tasks of a worker are given to others. */
const idleTransactionMs = 15_000;

interface PostgresOptions {
  readonly connections?: number;
  /**
   * How long a transaction may wait for its own process. A machine that sleeps in the middle of one would keep its locks from
   * all others for as long as it sleeps.
   */
  readonly idleTransactionMs?: number;
}

/** Connects to a Postgres server, and brings the fleet's tables there up to date. */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<FleetDatabase> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? 12,
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: options.idleTransactionMs ?? idleTransactionMs,
    // Commands end without closing it.
    allowExitOnIdle: true,
  });
  // A lost idle connection is replaced at the next query.
  pool.on('error', () => undefined);
  // One that is lost between two queries of a transaction fails the next query.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const database: FleetDatabase = {
    kind: 'postgres',
    pool,
    query: async <Row>(text: string, values: readonly unknown[] = []): Promise<Rows<Row>> => {
      const { rows, rowCount } = await untilWon(() => pool.query(text, [...values]));
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
