import type { Queryable } from '../../contract/database.ts';
import { LostLeaseError } from '../../contract/database.ts';
import { TaskFailure } from '../../contract/task-failure.ts';
import type { SnapshotStore, StoredAttempt, StoredSnapshot } from '../tree/snapshot-store.ts';
import { commitSnapshot, type Snapshot } from '../tree/snapshots.ts';

const largestPack = 64 * 1024 * 1024;

/** Keeps the last snapshot of each attempt in the fleet's database, as a pack of the objects that the base does not have. */
export function databaseSnapshots(database: Queryable): SnapshotStore {
  return {
    save: (attempt, snapshot, base) => save(database, attempt, { snapshot, base }),
    find: (attempt) => find(database, attempt),
  };
}

interface Save {
  readonly snapshot: Snapshot;
  readonly base: string;
}

async function save(database: Queryable, attempt: StoredAttempt, { snapshot, base }: Save): Promise<void> {
  const { mirror, taskId, lease, signal } = attempt;
  // Earlier snapshots stay behind: a single commit on the base holds the whole tree.
  const commit =
    snapshot.number <= 1
      ? snapshot.commit
      : await commitSnapshot({ git: mirror.git, ...attempt, ...snapshot }, { ...snapshot, parent: base });
  const words = ['pack-objects', '--revs', '--thin', '--stdout', '-q', '--delta-base-offset'];
  const input = `${commit}\n^${base}\n`;
  const pack = commit === base ? new Uint8Array() : (await mirror.git.run(words, { input, signal })).stdout;
  if (pack.length > largestPack)
    throw new TaskFailure(
      'repository',
      `The changes of task ${taskId} take ${Math.round(pack.length / 1024 / 1024)} MB, more than the fleet's database keeps.`,
      'Add large files that are made on the way to .gitignore.',
    );
  // Only the holder of the lease writes, and nothing older replaces a later snapshot.
  const { rowCount } = await database.query(
    `insert into fleet.snapshot (task_id, attempt, number, base, commit, pack)
     select $1, $2, $3, $4, $5, $6
     where $7::bigint is null or exists (select from fleet.task where id = $1 and epoch = $7::bigint for share)
     on conflict (task_id, attempt) do update
     set number = excluded.number, base = excluded.base, commit = excluded.commit, pack = excluded.pack, taken_at = now()
     where fleet.snapshot.number <= excluded.number`,
    [taskId, attempt.attempt, snapshot.number, base, commit, pack, lease?.epoch ?? null],
  );
  if (rowCount === 0 && lease !== undefined) await assertHeld(database, attempt);
}

/** Nothing was written: either the lease is lost, or a later snapshot is there, which is as good. */
async function assertHeld(database: Queryable, { lease, taskId }: StoredAttempt): Promise<void> {
  if (lease === undefined) return;
  const { rows } = await database.query<{ epoch: string }>('select epoch from fleet.task where id = $1', [
    taskId,
  ]);
  if (Number(rows[0]?.epoch) !== lease.epoch) throw new LostLeaseError(lease);
}

interface Row {
  readonly number: number;
  readonly base: string;
  readonly commit: string;
}

async function find(database: Queryable, attempt: StoredAttempt): Promise<StoredSnapshot | undefined> {
  const { taskId, mirror, signal } = attempt;
  const key = [taskId, attempt.attempt];
  const { rows } = await database.query<Row>(
    'select number, base, commit from fleet.snapshot where task_id = $1 and attempt = $2',
    key,
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const bring = async () => {
    await mirror.bring(row.base, signal);
    const found = await database.query<{ commit: string; base: string; pack: Uint8Array }>(
      'select commit, base, pack from fleet.snapshot where task_id = $1 and attempt = $2',
      key,
    );
    const { commit, base, pack } = found.rows[0] ?? { ...row, pack: new Uint8Array() };
    if (commit !== base && pack.length > 0)
      await mirror.git.run(['index-pack', '--stdin', '--fix-thin'], { input: pack, signal });
    return { commit, base };
  };
  return { number: Number(row.number), bring };
}
