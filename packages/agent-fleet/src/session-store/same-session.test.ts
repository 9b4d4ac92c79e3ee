import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { textOf } from '@robota-sdk/agent-core';
import {
  JsonlSessionStore,
  type SessionHandle,
  type SessionStorePort,
  type SessionSummary,
} from '@robota-sdk/agent-sessions';
import { createPostgresDatabase, temporaryDirectory, withoutPostgres } from '@robota-sdk/agent-testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assistant, user } from '../../../agent-sessions/src/fixtures/messages.ts';
import type { FleetDatabase } from '../contract/database.ts';
import { openPostgres } from '../database/open-postgres.ts';
import { PostgresSessionStore } from './postgres-session-store.ts';

type Operation =
  | { readonly do: 'append'; readonly texts: readonly string[]; readonly durable: boolean }
  /** To the entry with this number, of as many as there are; to the beginning if negative. */
  | { readonly do: 'branch' | 'label'; readonly to: number; readonly text: string }
  | { readonly do: 'name'; readonly text: string }
  | { readonly do: 'fork' | 'reopen' | 'kill' };

const text = fc.oneof(
  fc.string({ maxLength: 30, unit: 'binary' }),
  fc.constantFrom('', '\u0000', '"\\\n', '€🙂'),
);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      texts: fc.array(text, { minLength: 1, maxLength: 4 }),
      durable: fc.boolean(),
    }),
  },
  fc.record({
    do: fc.constantFrom('branch' as const, 'label' as const),
    to: fc.integer({ min: -1, max: 50 }),
    text,
  }),
  fc.record({ do: fc.constant('name' as const), text }),
  fc.record({ do: fc.constantFrom('fork' as const, 'reopen' as const, 'kill' as const) }),
);

/** A store with one open session, to which the same things are done as to that of another store. */
interface Side {
  readonly store: SessionStorePort;
  /** Makes the store believe that the process that holds the session has ended. */
  abandon(session: SessionHandle): Promise<void>;
  session: SessionHandle;
}

describe.skipIf(withoutPostgres !== '')(`sessions in files and in Postgres${withoutPostgres}`, () => {
  let url: string;
  let database: FleetDatabase;
  let home: string;

  beforeAll(async () => {
    url = await createPostgresDatabase();
    database = await openPostgres(url);
    home = await temporaryDirectory();
  });

  afterAll(async () => {
    await database?.close();
    rmSync(home, { recursive: true, force: true });
  });

  const sides = async (heldBytes: number): Promise<Side[]> => {
    const files = new JsonlSessionStore({ home, heldBytes });
    const rows = new PostgresSessionStore({ database, heldBytes });
    const first = await files.create({ cwd: home });
    return [
      {
        store: files,
        session: first,
        abandon: async ({ directory = '' }) => rmSync(join(directory, 'session.jsonl.lock'), { force: true }),
      },
      {
        store: rows,
        session: await rows.create({ cwd: home, id: first.id, timestamp: first.header.timestamp }),
        abandon: async ({ id }) => {
          await database.query('update fleet.session set held_until = now() where id = $1', [id]);
        },
      },
    ];
  };

  it('are the same after the same operations, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { maxLength: 25 }),
        fc.constantFrom(0, 4 * 1024 * 1024),
        async (operations, heldBytes) => {
          const both = await sides(heldBytes);
          for (const each of operations) {
            const messages = 'texts' in each ? each.texts.map(messageOf) : [];
            for (const side of both) await carryOut(each, { side, messages });
            expect(outline(both[1]?.session)).toEqual(outline(both[0]?.session));
          }
          for (const { session } of both) await session.close();
          const kept = await Promise.all(both.map(keptOf));
          expect(kept[1]).toEqual(kept[0]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('are the same up to the last line when their process is killed, and can be written at once', async () => {
    const stores = [new JsonlSessionStore({ home }), new PostgresSessionStore({ database })] as const;
    let inFiles: string[] = [];
    for (const pauseMs of [0, 13, 40]) {
      const told = await writeUntilKilled([url, home, 'killed'], pauseMs);
      // Taking both over first keeps out what the killed process had still sent to the database.
      const [inFile, inRows] = await Promise.all([stores[0].open('killed'), stores[1].open('killed')]);
      const [files, rows] = [textsIn(inFile), textsIn(inRows)];
      expect(files.slice(0, rows.length)).toEqual(rows);
      expect(files.length - rows.length).toBeLessThanOrEqual(1);
      expect(rows.slice(-told.length - 1)).toEqual(expect.arrayContaining(told));
      expect(files.slice(0, inFiles.length)).toEqual(inFiles);
      inFiles = files;
      // Both begin again with the same lines.
      for (const text of files.slice(rows.length))
        await inRows.append({ type: 'message', message: user(text) });
      await Promise.all([inFile.close(), inRows.close()]);
    }
  });
});

/** Kills the process after it told its first message and a pause; gives all that it told. */
async function writeUntilKilled(args: readonly string[], pauseMs: number): Promise<string[]> {
  const script = fileURLToPath(new URL('./fixtures/both-writer.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  await new Promise((resolve) =>
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      resolve(undefined);
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('close', resolve));
  return output.split('\n').slice(0, -1);
}

function textsIn(session: SessionHandle): string[] {
  return session.messages().map(({ content }) => textOf(content));
}

function messageOf(words: string, index: number) {
  return index % 2 === 0 ? user(words) : assistant(words, { cost: 0.25 });
}

type Messages = readonly ReturnType<typeof messageOf>[];

async function carryOut(
  operation: Operation,
  { side, messages }: { readonly side: Side; readonly messages: Messages },
): Promise<void> {
  const { session } = side;
  switch (operation.do) {
    case 'append': {
      const drafts = messages.map((message) => ({ type: 'message', message }) as const);
      await session.appendAll(drafts, { durable: operation.durable });
      return;
    }
    case 'branch':
      return session.setLeaf(entryAt(session, operation.to));
    case 'label': {
      const id = entryAt(session, operation.to);
      return id === null ? undefined : session.setLabel(id, operation.text);
    }
    case 'name':
      return void (await session.setName(operation.text));
    case 'fork': {
      if (session.isUnused) return;
      side.session = await side.store.fork(session.id);
      return session.close();
    }
    default:
      return openAgain(side, { isKilled: operation.do === 'kill' });
  }
}

/** A session that was never stored is gone after its end; the next one takes its place. */
async function openAgain(side: Side, { isKilled }: { readonly isKilled: boolean }): Promise<void> {
  const { session, store } = side;
  if (session.isUnused) return;
  await (isKilled ? side.abandon(session) : session.close());
  side.session = await store.open(session.id);
}

function entryAt(session: SessionHandle, place: number): string | null {
  const ids = [...session.ids()];
  return place < 0 || ids.length === 0 ? null : (ids[place % ids.length] ?? null);
}

/** All that a session says, without what is random. */
function outline(session: SessionHandle | undefined) {
  if (!session) return undefined;
  return {
    entries: [...session.entries()].map((entry) => ({
      ...entry,
      timestamp: '',
      parent: session.parentIdOf(entry.id),
    })),
    leaf: session.leafId,
    path: session.pathIds(),
    name: session.name,
    labels: [...session.labels],
    messages: session.messages(),
    counts: [session.messageCount, session.totals],
    isUnused: session.isUnused,
    problems: session.problems,
  };
}

/** The last session as another process reads it, and as a list shows it. */
async function keptOf({ store, session }: Side) {
  if (!(await store.has(session.id))) return 'nothing';
  const read = await store.open(session.id, { mode: 'read' });
  const listed = (await store.list()).find(({ id }) => id === session.id);
  const kept = { read: outline(read), listed: listed && withoutPlace(listed) };
  await read.close();
  return kept;
}

/** Ids of copies are new in each store, only files have paths, and a database shows NUL as U+FFFD. */
function withoutPlace({ name, firstPrompt, cwd, newerFormat }: SessionSummary) {
  const shown = (text: string | undefined) => text?.replaceAll('\0', '\ufffd');
  return { name: shown(name), firstPrompt: shown(firstPrompt), cwd, newerFormat };
}
