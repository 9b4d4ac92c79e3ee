import { existsSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';
import { acquireLock, describeLockOwner, lockHolder, ownLockOwner, parseLockOwner } from './session-lock.ts';

it('reads an owner with its time, its start and fields of later versions', () => {
  const owner = { ...ownLockOwner(), version: '9.0.0' };
  expect(parseLockOwner(JSON.stringify(owner))).toEqual(owner);
});

it('keeps a lock whose time or start is unknown', async () => {
  const file = join(await temporaryDirectory('lock'), 'session.jsonl');
  for (const more of [{}, { since: 1, started: 2 }, { since: null }]) {
    writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.pid, host: hostname(), ...more }));
    expect(lockHolder(file)).toBe('this process since an unknown time');
    expect(() => acquireLock(file)).toThrow('The session is in use by this process');
    expect(existsSync(`${file}.lock`)).toBe(true);
  }
});

it('tells since when it is held in local time', () => {
  const at = new Date(2026, 10, 19, 5, 9, 1);
  const owner = { ...ownLockOwner(), since: at.toISOString() };
  expect(describeLockOwner(owner)).toBe('this process since 2026-11-19 05:09');
  expect(describeLockOwner({ ...owner, pid: 7, host: 'elsewhere' })).toBe(
    'process 7 on elsewhere since 2026-11-19 05:09',
  );
});

it('takes over what names no process', async () => {
  const file = join(await temporaryDirectory('lock'), 'session.jsonl');
  const host = hostname();
  for (const written of [
    '',
    'null',
    '[]',
    '{}',
    ...[0, -1, 1.5, '7'].map((pid) => JSON.stringify({ pid, host })),
  ]) {
    writeFileSync(`${file}.lock`, written);
    expect(lockHolder(file)).toBeUndefined();
    acquireLock(file)();
    expect(existsSync(`${file}.lock`)).toBe(false);
  }
});
