import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { user } from '../fixtures/messages.ts';
import { JsonlSessionStore } from '../store/jsonl-store.ts';
import type { SessionHandle } from '../store/session-handle.ts';
import { unfinishedName } from '../store/unfinished-sessions.ts';
import { SessionCatalogue } from './session-catalogue.ts';
import { removeUnusedSessions } from './unused-sessions.ts';

let home: string;
let store: JsonlSessionStore;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'robota-unused-'));
  store = new JsonlSessionStore({ home });
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

const day = 24 * 60 * 60 * 1000;

/** A session that was stored before anything was said in it, last written some days ago. */
async function keptFor(days: number, use: (handle: SessionHandle) => unknown = () => {}): Promise<string> {
  const handle = await store.create({ cwd: '/project' });
  await handle.keepUnused();
  await use(handle);
  await handle.close();
  setAge(handle.file ?? '', days);
  return handle.file ?? '';
}

function setAge(file: string, days: number): void {
  const then = new Date(Date.now() - days * day);
  utimesSync(file, then, then);
}

describe('a session that is stored before anything is said in it', () => {
  it('is opened by its id, and keeps what was chosen and what is said later', async () => {
    const handle = await store.create({ cwd: '/project' });
    await handle.append({ type: 'model_change', provider: 'test', modelId: 'm' });
    await handle.keepUnused();
    await handle.keepUnused();
    await handle.close();
    const again = await store.open(handle.id);
    await again.append({ type: 'message', message: user('hi') });
    await again.close();
    const read = await store.open(handle.id, { mode: 'read' });
    expect(read.path().map(({ type }) => type)).toEqual(['model_change', 'message']);
    expect(read.problems).toEqual([]);
    await read.close();
  });

  it('is in no list, is not the latest one, and is not counted elsewhere, until something is said', async () => {
    const file = await keptFor(0, (handle) =>
      handle.append({ type: 'model_change', provider: 'test', modelId: 'm' }),
    );
    const catalogue = new SessionCatalogue({ home });
    const seen = async () => [
      (await store.list()).length,
      (await store.latest('/project')) === undefined,
      (await catalogue.list()).sessions.length,
      (await catalogue.list({ cwd: '/elsewhere' })).elsewhere,
    ];
    expect(await seen()).toEqual([0, true, 0, 0]);
    const handle = await store.open(file);
    await handle.append({ type: 'message', message: user('hi') });
    await handle.close();
    expect(await seen()).toEqual([1, false, 1, 1]);
  });

  it('is removed after 30 days with all that is beside it', async () => {
    const old = await keptFor(31, ({ directory = '' }) =>
      writeFileSync(join(directory, 'log.jsonl'), '{}\n'),
    );
    const locked = await keptFor(31, ({ file = '' }) =>
      writeFileSync(`${file}.lock`, JSON.stringify({ pid: 2 ** 22 + 1, host: 'gone', since: '' })),
    );
    setAge(`${locked}.lock`, 31);
    await removeUnusedSessions(home);
    expect([existsSync(dirname(old)), existsSync(dirname(locked))]).toEqual([false, false]);
    expect(readdirSync(dirname(dirname(old)))).toEqual([]);
  });

  it('stays while it is young, in use, named, used, or has files that cannot be recreated', async () => {
    const files = [
      await keptFor(29),
      await keptFor(31, (handle) => handle.setName('plans')),
      await keptFor(31, (handle) => handle.append({ type: 'message', message: user('hi') })),
      await keptFor(31, (handle) => handle.append({ type: 'custom', customType: 'x', data: { a: 1 } })),
      await keptFor(31, ({ directory = '' }) => writeFileSync(join(directory, 'notes.md'), 'mine')),
      await keptFor(31, ({ file = '' }) => writeFileSync(file, 'no session at all\n')),
    ];
    const open = await store.open(await keptFor(31));
    setAge(open.file ?? '', 31);
    await removeUnusedSessions(home);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    expect(existsSync(open.file ?? '')).toBe(true);
    await open.close();
  });

  it('is found nowhere while it is being removed', async () => {
    const file = await keptFor(0, (handle) => handle.append({ type: 'message', message: user('hi') }));
    const whole = await new SessionCatalogue({ home }).paths();
    const directory = join(dirname(dirname(file)), unfinishedName('20260101-x'));
    const unfinished = await store.create({ cwd: '/project', file: join(directory, 'session.jsonl') });
    await unfinished.append({ type: 'message', message: user('half') });
    await unfinished.close();
    const catalogue = new SessionCatalogue({ home });
    expect(await catalogue.paths()).toEqual(whole);
    expect((await catalogue.list()).sessions.map(({ firstPrompt }) => firstPrompt)).toEqual(['hi']);
  });
});
