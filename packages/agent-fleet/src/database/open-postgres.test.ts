import { createPostgresDatabase, withoutPostgres } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { openPostgres } from './open-postgres.ts';

describe.skipIf(withoutPostgres !== '')(`openPostgres${withoutPostgres}`, () => {
  it('takes locks from a process that stopped in the middle of a transaction, and serves it again later', async () => {
    const url = await createPostgresDatabase();
    const stopped = await openPostgres(url, { idleTransactionMs: 200 });
    const other = await openPostgres(url);
    await other.query('create table fleet.probe as select 1 as value');
    let locked = () => {};
    const isLocked = new Promise<void>((resolve) => {
      locked = resolve;
    });
    let goOn = () => {};
    const sleeping = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const transaction = stopped.transaction(async (connection) => {
      await connection.query('update fleet.probe set value = 2');
      locked();
      await sleeping;
      await connection.query('update fleet.probe set value = 3');
    });
    await isLocked;
    expect((await other.query('update fleet.probe set value = 4')).rowCount).toBe(1);
    goOn();
    await expect(transaction).rejects.toThrow();
    expect((await stopped.query('select value from fleet.probe')).rows).toEqual([{ value: 4 }]);
    await Promise.all([stopped.close(), other.close()]);
  });
});
