import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
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
async function looksInAMinute(rows: readonly BoardRow[]): Promise<number> {
  vi.useFakeTimers();
  let looks = 0;
  const watch = new BoardWatch(folder, async () => {
    looks += 1;
    return rows;
  });
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
  it('is looked at less and less while nothing happens', async () => {
    expect(await looksInAMinute([row()])).toBeLessThan(7);
  });

  it('is looked at often while a process without a link works', async () => {
    expect(await looksInAMinute([row({ column: 'running', holder: 'elsewhere' })])).toBeGreaterThan(20);
  });

  it('is looked at when a session begins in a project that is known, or in a new one', async () => {
    mkdirSync(join(folder, 'known'));
    let rows = [row()];
    const watch = new BoardWatch(folder, async () => rows);
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
    page.abort();
    expect((await events.next()).done).toBe(true);
  });
});
