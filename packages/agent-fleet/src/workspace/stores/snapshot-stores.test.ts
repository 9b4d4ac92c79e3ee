import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createPostgresDatabase, withoutPostgres } from '@robota-sdk/agent-testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FleetDatabase, Lease } from '../../contract/database.ts';
import { openPostgres } from '../../database/open-postgres.ts';
import { filesIn, TestFleet, writeFiles } from '../fixtures/repository.ts';
import type { SnapshotStore } from '../tree/snapshot-store.ts';
import { databaseSnapshots } from './database-snapshots.ts';
import { firstStore } from './first-store.ts';
import { originSnapshots } from './origin-snapshots.ts';

let here: TestFleet;
let there: TestFleet;
beforeEach(() => {
  here = new TestFleet();
  there = new TestFleet();
});
afterEach(() => {
  here.end();
  there.end();
});

/** Work on one machine, then on another that has only the repository and the store. */
async function takeOver(repo: string, snapshots: SnapshotStore, lease?: Lease): Promise<void> {
  const request = { repo, ...(lease ? { lease } : {}) };
  const first = await here.open(request, { snapshots });
  writeFiles(first.directory, { 'a.txt': 'two\n', 'bin/x': { run: 'x\n' }, link: { link: 'a.txt' } });
  await first.snapshot();
  writeFiles(first.directory, { 'b.txt': 'b\n' });
  const tree = await first.snapshot();
  const files = filesIn(first.directory);
  rmSync(here.home.directory, { recursive: true });
  const second = await there.open({ ...request, tree }, { snapshots });
  expect([second.isNew, second.baseCommit]).toEqual([true, first.baseCommit]);
  expect(filesIn(second.directory)).toEqual(files);
  expect(await second.snapshot()).toBe(tree);
  writeFiles(second.directory, { 'b.txt': 'later\n' });
  const later = await second.snapshot();
  first.close();
  const third = await here.open({ ...request, tree: later }, { snapshots });
  expect(filesIn(third.directory)).toEqual(filesIn(second.directory));
}

describe('snapshots on the origin', () => {
  it('let another machine continue, and are no branches', async () => {
    const server = here.server();
    await takeOver(server.url, originSnapshots);
    expect(here.git(server.directory, 'for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/tags')).toBe(
      'refs/heads/main',
    );
    expect(here.git(server.directory, 'for-each-ref', '--format=%(refname)', 'refs/robota')).toBe(
      'refs/robota/tasks/t1/1',
    );
  });

  it('of a worker that lost the task replace none of its successor', async () => {
    const server = here.server();
    const zombie = await here.open({ repo: server.url }, { snapshots: originSnapshots });
    const successor = await there.open({ repo: server.url }, { snapshots: originSnapshots });
    writeFiles(successor.directory, { 'a.txt': 'right\n' });
    await successor.snapshot();
    const kept = here.git(server.directory, 'rev-parse', 'refs/robota/tasks/t1/1');
    writeFiles(zombie.directory, { 'a.txt': 'wrong\n' });
    await expect(zombie.snapshot()).rejects.toThrow(/git push failed/);
    expect(here.git(server.directory, 'rev-parse', 'refs/robota/tasks/t1/1')).toBe(kept);
  });

  it('are never pushed into a local repository', async () => {
    const repo = here.repository();
    await expect(here.open({ repo }, { snapshots: originSnapshots })).rejects.toThrow(
      /not pushed into a local/,
    );
    expect(here.git(repo, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  });
});

describe('a worktree that another machine has overtaken', () => {
  it('is not used again', async () => {
    const server = here.server();
    const old = await here.open({ repo: server.url }, { snapshots: originSnapshots });
    writeFiles(old.directory, { 'a.txt': 'old\n' });
    await old.snapshot();
    old.close();
    const other = await there.open(
      { repo: server.url, tree: await old.snapshot() },
      { snapshots: originSnapshots },
    );
    writeFiles(other.directory, { 'a.txt': 'new\n' });
    const tree = await other.snapshot();
    const back = await here.open({ repo: server.url, tree }, { snapshots: originSnapshots });
    expect(back.directory).not.toBe(old.directory);
    expect(filesIn(back.directory)).toEqual(filesIn(other.directory));
  });
});

describe('a machine that continues', () => {
  it('makes a snapshot reachable that its killed predecessor kept and did not store', async () => {
    const repo = here.server().url;
    const unreachable = { ...originSnapshots, save: () => Promise.reject(new Error('killed')) };
    const started = await here.open({ repo }, { snapshots: originSnapshots });
    started.close();
    const killed = await here.open({ repo }, { snapshots: unreachable });
    writeFiles(killed.directory, { 'a.txt': 'worked\n' });
    await expect(killed.snapshot()).rejects.toThrow('killed');
    killed.close();
    const next = await here.open({ repo, isTakeover: true }, { snapshots: originSnapshots });
    expect(next.directory).toBe(killed.directory);
    const tree = await next.snapshot();
    const other = await there.open({ repo, tree }, { snapshots: originSnapshots });
    expect(filesIn(other.directory)['a.txt']).toEqual(filesIn(next.directory)['a.txt']);
  });

  it('takes the snapshot of another machine that no record names yet', async () => {
    const repo = here.server().url;
    const old = await here.open({ repo }, { snapshots: originSnapshots });
    old.close();
    const other = await there.open({ repo }, { snapshots: originSnapshots });
    writeFiles(other.directory, { 'a.txt': 'newer\n' });
    await other.snapshot();
    other.close();
    const back = await here.open({ repo, isTakeover: true }, { snapshots: originSnapshots });
    expect(back.directory).not.toBe(old.directory);
    expect(filesIn(back.directory)).toEqual(filesIn(other.directory));
  });

  it('keeps its own later work where the stored snapshot is an earlier one of it', async () => {
    const repo = here.server().url;
    const first = await here.open({ repo }, { snapshots: originSnapshots });
    writeFiles(first.directory, { 'a.txt': 'stored\n' });
    await first.snapshot();
    writeFiles(first.directory, { 'a.txt': 'later\n' });
    first.close();
    const back = await here.open({ repo, isTakeover: true }, { snapshots: originSnapshots });
    expect([back.directory, back.isNew]).toEqual([first.directory, false]);
  });
});

describe.skipIf(withoutPostgres !== '')(`snapshots in the database${withoutPostgres}`, () => {
  let database: FleetDatabase;
  beforeAll(async () => {
    database = await openPostgres(await createPostgresDatabase());
  });
  afterAll(async () => {
    await database?.close();
  });
  beforeEach(async () => {
    await database.query('delete from fleet.task');
    const task =
      "insert into fleet.task (id, name, spec, attempt_limit, epoch) values ('t1', 't', '{}', 1, 5)";
    await database.query(task);
  });

  it('let another machine continue, in one row', async () => {
    await takeOver(here.server().url, databaseSnapshots(database), { taskId: 't1', worker: 'w', epoch: 5 });
    const { rows } = await database.query('select number, length(pack) as size from fleet.snapshot');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ number: 3 });
    expect(Number((rows[0] as { size: unknown }).size)).toBeLessThan(2_000);
  });

  it('are refused without the lease, and leave those of the holder', async () => {
    const repo = here.server().url;
    const store = firstStore([databaseSnapshots(database), originSnapshots]);
    const workspace = await here.open(
      { repo, lease: { taskId: 't1', worker: 'w', epoch: 5 } },
      { snapshots: store },
    );
    await database.query("update fleet.task set epoch = 6 where id = 't1'");
    writeFiles(workspace.directory, { 'a.txt': 'zombie\n' });
    await expect(workspace.snapshot()).rejects.toMatchObject({ name: 'LostLeaseError' });
    const { rows } = await database.query('select number from fleet.snapshot');
    expect(rows).toEqual([{ number: 0 }]);
    expect(here.git(join(here.root, repo.split('/').at(-1) ?? ''), 'for-each-ref', 'refs/robota')).toBe('');
  });
});
