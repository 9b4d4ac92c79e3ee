/** A result of a query, as `pg` has it. */
export interface Rows<Row> {
  readonly rows: Row[];
  readonly rowCount: number | null;
}

export interface Queryable {
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Rows<Row>>;
}

/** The database of a fleet: an embedded one, or a Postgres server. */
export interface FleetDatabase extends Queryable {
  readonly kind: 'pglite' | 'postgres';
  /** Runs `work` in one transaction, and again if it lost a race with another. */
  transaction<T>(work: (connection: Queryable) => Promise<T>): Promise<T>;
  /** The pool for the engine. */
  readonly pool: unknown;
  close(): Promise<void>;
}

/** The right to work on a task. Every write of the holder carries the epoch; a later holder's is larger. */
export interface Lease {
  readonly taskId: string;
  readonly worker: string;
  readonly epoch: number;
}

/** Thrown where a write came with an epoch that is no longer the task's: the task belongs to another worker now. */
export class LostLeaseError extends Error {
  readonly lease: Lease;

  constructor(lease: Lease) {
    super(`Task ${lease.taskId} is no longer held by this worker (epoch ${lease.epoch}).`);
    this.name = 'LostLeaseError';
    this.lease = lease;
  }
}
