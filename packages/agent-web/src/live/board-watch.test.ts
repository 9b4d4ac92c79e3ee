import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BoardRow } from '../contract/board.ts';
import { BoardWatch } from './board-watch.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'board-watch-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

const row = (extra: Partial<BoardRow> = {}): BoardRow => ({
  id: 'a',
  kind: 'session',
  column: 'done',
  title: 'A',
  cwd: '/a',
  model: 'offline/offline',
  cost: 0,
  lastLine: '',
  modified: 1,
  holder: 'none',
  questions: 0,
  ...extra,
});

/** Follows a board for a minute without any change, and counts the looks at it. */
async function looksInAMinute(
  rows: readonly BoardRow[],
  { others }: { readonly others: readonly string[] | undefined } = { others: [] },
): Promise<number> {
  vi.useFakeTimers();
  let looks = 0;
  const silent = new Set(rows.filter(({ holder }) => holder === 'elsewhere').map(({ id }) => id));
  const look = async () => {
    looks += 1;
    return { rows, folders: new Map(), silent, spent: 0 };
  };
  const watch = new BoardWatch({ root: folder, others, look });
  const page = new AbortController();
  const events = watch.events(page.signal);
  await events.next();
  const next = events.next();
  await vi.advanceTimersByTimeAsync(60_000);
  page.abort();
  await next;
  return looks;
}

describe('a board that pages look at', () => {
  it.runIf(process.platform === 'linux')('is looked at once while nothing happens', async () => {
    expect(await looksInAMinute([row()])).toBe(1);
  });

  it('is looked at less and less where changes are not told', async () => {
    const looks = await looksInAMinute([row()], { others: undefined });
    expect(looks).toBeGreaterThan(2);
    expect(looks).toBeLessThan(7);
    expect(await looksInAMinute([row({ holder: 'elsewhere' })])).toBeLessThan(7);
  });

  it('is looked at often while a process without a link works', async () => {
    expect(await looksInAMinute([row({ column: 'running', holder: 'elsewhere' })])).toBeGreaterThan(20);
  });

  it('is looked at when a session begins in a project that is known, or in a new one', async () => {
    mkdirSync(join(folder, 'known'));
    let rows = [row()];
    const asked: (readonly string[] | undefined)[] = [];
    const watch = new BoardWatch({
      root: folder,
      others: [],
      look: async (only) => {
        asked.push(only && [...only]);
        return { rows, folders: new Map(), silent: new Set(), spent: 0 };
      },
    });
    const page = new AbortController();
    const events = watch.events(page.signal);
    await events.next();
    for (const [id, path] of [
      ['b', 'known/b'],
      ['c', 'new'],
    ] as const) {
      rows = [...rows, row({ id })];
      mkdirSync(join(folder, path));
      expect((await events.next()).value).toMatchObject({ type: 'board', rows: [{ id }], gone: [] });
    }
    expect(asked.every((only) => only === undefined)).toBe(true);
    page.abort();
    expect((await events.next()).done).toBe(true);
  });

  it('tells what was spent today, also where no row changed', async () => {
    let spent = 1;
    const look = async () => ({ rows: [row()], folders: new Map(), silent: new Set<string>(), spent });
    const watch = new BoardWatch({ root: folder, others: [], look });
    const page = new AbortController();
    const events = watch.events(page.signal);
    expect((await events.next()).value).toMatchObject({ rows: [{ id: 'a' }], spent: 1 });
    spent = 2;
    watch.changed();
    expect((await events.next()).value).toEqual({ type: 'board', rows: [], gone: [], spent: 2 });
    page.abort();
    await events.next();
  });

  it('is looked at again at one row where something happens in its session', async () => {
    const session = join(folder, 'project', 'a');
    mkdirSync(session, { recursive: true });
    let rows = [row(), row({ id: 'b' })];
    const asked: (readonly string[] | undefined)[] = [];
    const watch = new BoardWatch({
      root: folder,
      others: [],
      look: async (only) => {
        asked.push(only && [...only]);
        return { rows, folders: new Map([['a', session]]), silent: new Set(), spent: 0 };
      },
    });
    const page = new AbortController();
    const events = watch.events(page.signal);
    await events.next();
    rows = [row({ lastLine: 'More' }), row({ id: 'b' })];
    writeFileSync(join(session, 'session.jsonl'), 'x');
    expect((await events.next()).value).toMatchObject({ rows: [{ id: 'a', lastLine: 'More' }], gone: [] });
    expect(asked).toEqual([undefined, ['a']]);
    page.abort();
    await events.next();
  });
});
