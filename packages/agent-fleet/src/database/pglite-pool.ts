import { EventEmitter } from 'node:events';
import type { PGlite, Results } from '@electric-sql/pglite';
import pg from 'pg';
import type { Rows } from '../contract/database.ts';

type Query = <Row>(
  text: string | { text: string; values?: unknown[] },
  values?: readonly unknown[],
) => Promise<Rows<Row>>;

/**
 * A pool of `pg` over the one connection of an embedded database. A client that begins a transaction holds the database
 * until it commits or rolls back; values are parsed as `pg` parses them.
 */
export class PglitePool extends EventEmitter {
  readonly options = { max: 10 };
  readonly #database: PGlite;
  #tail: Promise<void> = Promise.resolve();

  constructor(database: PGlite) {
    super();
    this.#database = database;
  }

  query: Query = async (text, values) => {
    const unlock = await this.lock();
    try {
      return await this.run(text, values);
    } finally {
      unlock();
    }
  };

  async connect(): Promise<PgliteClient> {
    return new PgliteClient(this);
  }

  async end(): Promise<void> {
    await this.#tail;
  }

  /** Waits for its turn; gives the function that ends it. */
  async lock(): Promise<() => void> {
    const before = this.#tail;
    let unlock = (): void => undefined;
    this.#tail = new Promise((resolve) => {
      unlock = resolve;
    });
    await before;
    return unlock;
  }

  /** For the holder of the lock. */
  run: Query = async (text, values) => {
    const statement = typeof text === 'string' ? text : text.text;
    const parameters = (typeof text === 'string' ? values : text.values)?.map((value) => value ?? null) ?? [];
    const results =
      parameters.length === 0
        ? await this.#database.exec(statement, { parsers })
        : [await this.#database.query(statement, parameters, { parsers })];
    return toRows(results.at(-1));
  };
}

class PgliteClient extends EventEmitter {
  readonly #pool: PglitePool;
  #unlock: (() => void) | undefined;

  constructor(pool: PglitePool) {
    super();
    this.#pool = pool;
  }

  query: Query = async (text, values) => {
    const statement = typeof text === 'string' ? text : text.text;
    if (this.#unlock === undefined && !begins.test(statement)) return this.#pool.query(text, values);
    this.#unlock ??= await this.#pool.lock();
    try {
      return await this.#pool.run(text, values);
    } finally {
      if (ends.test(statement)) this.#free();
    }
  };

  release(): void {
    if (this.#unlock !== undefined) {
      void this.#pool
        .run('ROLLBACK')
        .catch(() => undefined)
        .then(() => this.#free());
    }
  }

  async end(): Promise<void> {
    this.release();
  }

  #free(): void {
    this.#unlock?.();
    this.#unlock = undefined;
  }
}

const begins = /^\s*(?:BEGIN|START TRANSACTION)\b/i;
const ends = /^\s*(?:COMMIT|ROLLBACK|END)\b(?! TO)/i;

const parsers = Object.fromEntries(
  [
    ...Object.values(pg.types.builtins),
    // Arrays of the types in use: bool, int2, int4, text, varchar, int8, float8, timestamptz, jsonb.
    1000,
    1005,
    1007,
    1009,
    1015,
    1016,
    1022,
    1185,
    3807,
  ].map((oid) => [oid, (value: string) => pg.types.getTypeParser(Number(oid))(value)]),
);

function toRows<Row>(result: Results<unknown> | undefined): Rows<Row> {
  const rows = (result?.rows ?? []) as Row[];
  return { rows, rowCount: rows.length > 0 ? rows.length : (result?.affectedRows ?? 0) };
}
