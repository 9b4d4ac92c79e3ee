import type { Queryable, Rows } from '../contract/database.ts';

interface Client {
  query(text: string, values?: unknown[]): Promise<unknown>;
  release(error?: boolean): void;
}

/** Runs `work` in a transaction of a pool's client, and again if it lost a race with another. */
export function inTransaction<T>(
  pool: { connect(): Promise<Client> },
  work: (connection: Queryable) => Promise<T>,
): Promise<T> {
  return untilWon(async () => once(await pool.connect(), work));
}

/** Repeats a transaction, or a statement that is one by itself, while it loses races: the database took it back as a whole. */
export async function untilWon<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= mostTries || !lostRaces.has(codeOf(error))) throw error;
    }
  }
}

const mostTries = 10;

/** serialization_failure, deadlock_detected. */
const lostRaces: ReadonlySet<unknown> = new Set(['40001', '40P01']);

async function once<T>(client: Client, work: (connection: Queryable) => Promise<T>): Promise<T> {
  let isBroken = false;
  try {
    await client.query('BEGIN');
    const result = await work({
      query: async <Row>(text: string, values?: readonly unknown[]) =>
        (await client.query(text, values as unknown[])) as Rows<Row>,
    });
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {
      isBroken = true;
    });
    throw error;
  } finally {
    client.release(isBroken);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
