import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { textOf } from '@robota-sdk/agent-core';
import type { SessionHandle, SessionProblem } from '@robota-sdk/agent-sessions';
import { createPostgresDatabase, temporaryDirectory, withoutPostgres } from '@robota-sdk/agent-testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { user } from '../../../agent-sessions/src/fixtures/messages.ts';
import { testStore } from '../../../agent-sessions/src/fixtures/store-conformance.ts';
import { type FleetDatabase, LostLeaseError } from '../contract/database.ts';
import { applyCommands } from '../database/apply-commands.ts';
import { openPostgres } from '../database/open-postgres.ts';
import { taskSpec } from '../fixtures/task-spec.ts';
import { type CutConnection, cutConnection } from './fixtures/cut-connection.ts';
import { startWriter } from './fixtures/start-writer.ts';
import { openSessionStore } from './open-session-store.ts';
import { PostgresSessionStore } from './postgres-session-store.ts';

describe.skipIf(withoutPostgres !== '')(`sessions in Postgres${withoutPostgres}`, () => {
  let url: string;
  let database: FleetDatabase;
  let store: PostgresSessionStore;

  beforeAll(async () => {
    url = await createPostgresDatabase();
    database = await openPostgres(url);
  });

  afterAll(async () => {
    await database?.close();
  });

  beforeEach(async () => {
    await database.query('truncate fleet.task, fleet.session, fleet.session_line cascade');
    store = new PostgresSessionStore({ database });
  });

  testStore('PostgresSessionStore', () => store);
  testStore(
    'PostgresSessionStore of large sessions',
    () => new PostgresSessionStore({ database, heldBytes: 0 }),
  );

  /** Adds a task that a worker holds, and gives its lease. */
  async function claimedTask(id: string, epoch = 1) {
    const add = { type: 'add', id, spec: taskSpec(), at: new Date().toISOString() } as const;
    await applyCommands(database, [add]);
    return claim(id, epoch);
  }

  async function claim(taskId: string, epoch: number) {
    await database.query('update fleet.task set epoch = $2 where id = $1', [taskId, epoch]);
    return { taskId, worker: `worker-${epoch}`, epoch };
  }

  async function textsIn(id: string): Promise<string[]> {
    const handle = await store.open(id, { mode: 'read' });
    const texts = handle.messages().map(({ content }) => textOf(content));
    await handle.close();
    return texts;
  }

  describe('a lease', () => {
    it('refuses lines of a holder whose task was claimed by another, and writes nothing of them', async () => {
      const first = new PostgresSessionStore({ database, lease: await claimedTask('t1') });
      const handle = await first.create({ cwd: '/', id: 's1' });
      await say(handle, 'one');
      const second = new PostgresSessionStore({ database, lease: await claim('t1', 2) });
      await expect(say(handle, 'stale')).rejects.toThrow(LostLeaseError);
      const next = await second.open('s1');
      await say(next, 'two');
      await expect(say(handle, 'stale again')).rejects.toThrow(LostLeaseError);
      await expect(first.open('s1')).rejects.toThrow();
      await handle.close();
      await say(next, 'three');
      await next.close();
      expect(await textsIn('s1')).toEqual(['one', 'two', 'three']);
      await expect(first.open('s1')).rejects.toThrow(LostLeaseError);
    });

    it('refuses to begin a session for a task that was claimed by another', async () => {
      const stale = await claimedTask('t1');
      await claim('t1', 2);
      const handle = await new PostgresSessionStore({ database, lease: stale }).create({
        cwd: '/',
        id: 's1',
      });
      await expect(say(handle, 'stale')).rejects.toThrow(LostLeaseError);
      await handle.close();
      expect(await store.has('s1')).toBe(false);
    });

    it('lets a claim wait for an append under way, so that the next holder reads all that was written', async () => {
      const lease = await claimedTask('t1');
      const handle = await new PostgresSessionStore({ database, lease }).create({ cwd: '/', id: 's1' });
      await say(handle, 'one');
      const outcomes: Promise<boolean>[] = [];
      for (let count = 0; count < 20; count++)
        outcomes.push(
          say(handle, `line ${count}`).then(
            () => true,
            () => false,
          ),
        );
      const next = new PostgresSessionStore({ database, lease: await claim('t1', 2) });
      const opened = await next.open('s1');
      const seen = opened.messages().length;
      const written = (await Promise.all(outcomes)).filter(Boolean).length;
      expect(seen).toBe(1 + written);
      await say(opened, 'after');
      await opened.close();
      expect(await textsIn('s1')).toHaveLength(seen + 1);
      await handle.close();
    });

    it('refuses lines of a process that was stopped while another took over, and then continued', async () => {
      const writer = await startWriter(url, 's1', await claimedTask('t1'));
      onTestFinished(() => writer.end());
      writer.say('one');
      expect(await writer.answer()).toBe('ok');
      writer.process.kill('SIGSTOP');
      writer.say('from a zombie');
      const next = await new PostgresSessionStore({ database, lease: await claim('t1', 2) }).open('s1');
      await say(next, 'two');
      writer.process.kill('SIGCONT');
      expect(await writer.answer()).toBe('LostLeaseError');
      writer.say('once more');
      expect(await writer.answer()).toBe('LostLeaseError');
      await say(next, 'three');
      await next.close();
      expect(await textsIn('s1')).toEqual(['one', 'two', 'three']);
    });
  });

  describe('the right to append', () => {
    it('is free at once when its process was killed', async () => {
      const writer = await startWriter(url, 's1');
      writer.say('one');
      expect(await writer.answer()).toBe('ok');
      await expect(store.open('s1')).rejects.toThrow(`in use by process ${writer.process.pid}`);
      await writer.end('SIGKILL');
      const handle = await store.open('s1');
      await say(handle, 'two');
      await handle.close();
      expect(await textsIn('s1')).toEqual(['one', 'two']);
    });

    it('of another machine ends with its signs of life, and its process writes nothing more', async () => {
      const problems: SessionProblem[] = [];
      const elsewhere = new PostgresSessionStore({
        database,
        onProblem: (problem) => problems.push(problem),
      });
      const handle = await elsewhere.create({ cwd: '/', id: 's1' });
      await say(handle, 'one');
      const owner = JSON.stringify({ pid: 1, host: 'elsewhere', since: 'now' });
      await database.query('update fleet.session set holder_owner = $1', [owner]);
      await expect(store.open('s1')).rejects.toThrow('in use by process 1 on elsewhere');
      await database.query("update fleet.session set held_until = now() - interval '1 second'");
      const next = await store.open('s1');
      await say(next, 'two');
      await say(handle, 'late');
      await handle.close();
      expect(problems.map(({ code }) => code)).toEqual(['disk', 'unsaved']);
      expect(problems[0]?.message).toContain('another process has continued it');
      expect(rescued(problems)).toContain('late');
      await next.close();
      expect(await textsIn('s1')).toEqual(['one', 'two']);
    });

    it('is taken again after a long sleep if the session was left alone', async () => {
      const handle = await store.create({ cwd: '/', id: 's1' });
      await say(handle, 'one');
      await database.query("update fleet.session set held_until = now() - interval '1 hour'");
      await (await store.open('s1')).close();
      await say(handle, 'two');
      await expect(store.open('s1')).rejects.toThrow('in use');
      await handle.close();
      expect(await textsIn('s1')).toEqual(['one', 'two']);
    });
  });

  describe('a lost connection', () => {
    let path: CutConnection;
    let problems: SessionProblem[];

    beforeEach(async () => {
      path = await cutConnection(url);
      problems = [];
    });

    const open = (lease?: { taskId: string; worker: string; epoch: number }) =>
      openSessionStore(path.url, {
        onProblem: (problem) => problems.push(problem),
        ...(lease ? { lease } : {}),
      });

    it('keeps lines waiting, and writes each of them once when the database is back', async () => {
      onTestFinished(() => path.close());
      const handle = await (await open()).create({ cwd: '/', id: 's1' });
      await say(handle, 'one');
      path.cut();
      await say(handle, 'two');
      await say(handle, 'three');
      expect(await handle.setName('Lost')).toBe(false);
      expect(problems).toMatchObject([{ code: 'disk' }]);
      path.mend();
      while (problems.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(problems.map(({ code }) => code)).toEqual(['disk', 'disk-recovered']);
      expect(await textsIn('s1')).toEqual(['one', 'two', 'three']);
      await handle.close();
      expect((await store.list())[0]).toMatchObject({ id: 's1', name: 'Lost' });
    });

    it('writes a line once whose answer was lost', async () => {
      onTestFinished(() => path.close());
      const handle = await (await open()).create({ cwd: '/', id: 's1' });
      for (const text of ['one', 'two', 'three']) {
        path.loseNextAnswer();
        await say(handle, text);
        await handle.flush();
      }
      await handle.close();
      expect(await textsIn('s1')).toEqual(['one', 'two', 'three']);
    });

    it('makes a durable line under a lease wait until it is committed', async () => {
      onTestFinished(() => path.close());
      const handle = await (await open(await claimedTask('t1'))).create({ cwd: '/', id: 's1' });
      await say(handle, 'one');
      path.cut();
      let isDone = false;
      const waiting = say(handle, 'two').then(() => {
        isDone = true;
      });
      while (problems.length < 1) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(isDone).toBe(false);
      path.mend();
      await waiting;
      expect(await textsIn('s1')).toEqual(['one', 'two']);
      await handle.close();
    });

    it('does not end the following of a session', async () => {
      onTestFinished(() => path.close());
      const handle = await store.create({ cwd: '/', id: 's1' });
      await say(handle, 'one');
      const end = new AbortController();
      const kinds: string[] = [];
      for await (const { kind } of (await open()).follow('s1', { signal: end.signal })) {
        kinds.push(kind);
        if (kinds.length === 2) {
          path.cut();
          await say(handle, 'two');
          setTimeout(() => path.mend(), 300);
        }
        if (kinds.length === 3) end.abort();
      }
      expect(kinds).toEqual(['header', 'entry', 'entry']);
      await handle.close();
    });

    it('at the end leaves the whole session in a file', async () => {
      const handle = await (await open()).create({ cwd: '/', id: 's1' });
      await say(handle, 'one');
      await path.close();
      await say(handle, 'two');
      await handle.close();
      expect(problems.map(({ code }) => code)).toEqual(['disk', 'unsaved']);
      const lines = rescued(problems).trim().split('\n');
      expect(lines).toHaveLength(3);
      expect(lines[0]).toContain('"type":"session"');
      expect(lines[2]).toContain('two');
    });
  });

  it('shows a copy to others when it is whole, and removes what a killed process left of one', async () => {
    const source = await store.create({ cwd: '/', id: 'source' });
    await say(source, 'one');
    const problems: string[] = [];
    const fill = async (session: SessionHandle) => {
      await say(session, 'begun');
      problems.push(...(await store.list()).map(({ id }) => id));
      throw new Error('killed');
    };
    await expect(store.createWhole({ cwd: '/', id: 'copy' }, { fill })).rejects.toThrow('killed');
    expect(problems).toEqual(['source']);
    expect(await store.has('copy')).toBe(false);
    const left = await store.create({ cwd: '/', id: 'left' });
    await say(left, 'half');
    await database.query("update fleet.session set is_whole = false, held_until = now() where id = 'left'");
    await expect(store.open('left')).rejects.toThrow('Unknown session "left"');
    await (await store.fork('source')).close();
    expect(await store.has('left')).toBe(false);
    expect(await store.list()).toHaveLength(2);
  });

  it('can be listed and read by a user who may only read', async () => {
    const handle = await store.create({ cwd: '/', id: 's1' });
    await say(handle, 'one');
    await handle.close();
    await database.query(`create role reader login password 'reader'`);
    await database.query('grant usage on schema fleet to reader');
    await database.query('grant select on all tables in schema fleet to reader');
    const asReader = Object.assign(new URL(url), { username: 'reader', password: 'reader' });
    const reading = await openSessionStore(asReader.href);
    expect(await reading.list()).toMatchObject([{ id: 's1', firstPrompt: 'one', messages: 1 }]);
    const read = await reading.open('s1', { mode: 'read' });
    expect(read.messageCount).toBe(1);
    await read.close();
    await expect(reading.open('s1')).rejects.toThrow('permission denied');
  });

  it('removes the files beside a session with it', async () => {
    const files = await temporaryDirectory();
    const withFiles = new PostgresSessionStore({ database, files });
    const handle = await withFiles.create({ cwd: '/', id: 's1' });
    await say(handle, 'one');
    expect(handle.directory).toBe(join(files, 's1'));
    await mkdir(join(files, 's1', 'outputs'), { recursive: true });
    await handle.close();
    await withFiles.delete('s1');
    expect(readdirSync(files)).toEqual([]);
  });

  it('writes lines that arrive together with one statement', async () => {
    let statements = 0;
    const counting: FleetDatabase = {
      ...database,
      query: (text, values) => {
        statements += 1;
        return database.query(text, values);
      },
    };
    const handle = await new PostgresSessionStore({ database: counting }).create({ cwd: '/', id: 's1' });
    await Promise.all(Array.from({ length: 100 }, (_, count) => say(handle, `line ${count}`)));
    expect(statements).toBeLessThanOrEqual(3);
    await handle.close();
    expect(await textsIn('s1')).toEqual(Array.from({ length: 100 }, (_, count) => `line ${count}`));
  });
});

async function say(handle: SessionHandle, text: string): Promise<void> {
  await handle.append({ type: 'message', message: user(text) }, { durable: true });
}

/** The file that a session was saved to when the database could not be written; it is removed. */
function rescued(problems: readonly SessionProblem[]): string {
  const path = /robota --session (\S+)$/.exec(problems.at(-1)?.message ?? '')?.[1] ?? '';
  const text = readFileSync(path, 'utf8');
  rmSync(path);
  return text;
}
