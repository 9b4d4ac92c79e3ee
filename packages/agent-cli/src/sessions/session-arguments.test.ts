import { join } from 'node:path';
import { readOptions } from '@robota-sdk/agent-sdk/front-end';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { optionsOf } from '../arguments/row-options.ts';
import { limitOf, scopeOf, sinceOf } from './session-arguments.ts';

const read = (...given: readonly string[]) => readOptions(given, optionsOf('sessions', 'list'));

describe('the sessions that are meant', () => {
  it('are those of a directory, or all', async () => {
    const cwd = await temporaryDirectory();
    expect(scopeOf(read('--cwd', cwd))).toEqual({ cwd });
    expect(scopeOf(read())).toEqual({ cwd: process.cwd() });
    expect(scopeOf(read('--all'))).toEqual({});
  });

  it('are not those of a directory that is missing, nor of one and all', async () => {
    const missing = join(await temporaryDirectory(), 'gone');
    expect(() => scopeOf(read('--cwd', missing))).toThrow(`--cwd ${missing}: no such directory.`);
    expect(() => scopeOf(read('--all', '--cwd', '.'))).toThrow('--cwd cannot be given with it');
  });

  it('are limited by a whole number; programs get all of them', () => {
    expect(limitOf(read(), 20)).toBe(20);
    expect(limitOf(read('--json'), 20)).toBeUndefined();
    expect(limitOf(read('--json', '--limit', '3'), 20)).toBe(3);
    expect(limitOf(read('--limit=0'), 20)).toBeUndefined();
    for (const limit of ['-1', '1.5', 'many', ''])
      expect(() => limitOf(read(`--limit=${limit}`), 20)).toThrow(
        `--limit ${limit}: expected a whole number`,
      );
  });

  it('begin at a date, a time or some time ago', () => {
    const now = Date.parse('2026-03-10T12:00:00Z');
    const since = (text: string) => sinceOf(read(`--since=${text}`), now);
    expect(sinceOf(read(), now)).toBeUndefined();
    expect(since('90m')).toBe(now - 90 * 60_000);
    expect(since('2 W')).toBe(now - 14 * 24 * 3_600_000);
    expect(since('2026-03-01')).toBe(new Date(2026, 2, 1).getTime());
    expect(since('2026-03-01T10:00:00Z')).toBe(Date.parse('2026-03-01T10:00:00Z'));
    for (const text of ['yesterday', '3y', '', '7', '0', '1/2', 'in 3'])
      expect(() => since(text)).toThrow(`--since ${text}: expected`);
  });
});
