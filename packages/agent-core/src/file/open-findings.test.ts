import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { afterEach, describe, expect } from 'vitest';
import type { AgentError } from '../problem/agent-error.ts';
import { acquireLock } from './session-lock.ts';

const real = { linkSync: fs.linkSync, renameSync: fs.renameSync, writeFileSync: fs.writeFileSync };

/** Replaces functions of `node:fs`, also for modules that import them by name, until the test ends. */
function replace(functions: Partial<typeof real>): void {
  Object.assign(fs, functions);
  syncBuiltinESMExports();
}
afterEach(() => replace(real));

const refused = (error: unknown) => {
  expect(error).toMatchObject({ code: 'session-in-use' } satisfies Partial<AgentError>);
  return 'refused';
};

/** One process that locks a file; the processes of a case run in each other's gaps. */
function lock(file: string): string {
  try {
    acquireLock(file);
    return 'locked';
  } catch (error) {
    return refused(error);
  }
}

describe('the lock of a session', () => {
  stillOpen('has one holder without hard links, also when another process looks while it is written', {
    observe: async () => {
      const file = join(await temporaryDirectory('lock'), 'session.jsonl');
      const found: { other?: string } = {};
      let isWriting = false;
      replace({
        linkSync: () => {
          throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' });
        },
        // The file exists before it has content, as on every file system.
        writeFileSync: (path, data, options) => {
          if (path !== `${file}.lock` || isWriting) return real.writeFileSync(path, data, options);
          isWriting = true;
          const fd = fs.openSync(path, 'wx', 0o600);
          found.other = lock(file);
          real.writeFileSync(fd, data);
          fs.closeSync(fd);
        },
      });
      const own = lock(file);
      return [own, found.other ?? lock(file)];
    },
    today: ['locked', 'locked'],
    wanted: (results) => expect(results.filter((result) => result === 'locked')).toHaveLength(1),
  });

  stillOpen('has one holder when two processes take over a stale one and a third comes', {
    observe: async () => {
      const file = join(await temporaryDirectory('lock'), 'session.jsonl');
      // A process of this machine that has ended.
      real.writeFileSync(`${file}.lock`, JSON.stringify({ pid: 2 ** 30, host: hostname() }));
      const results: Record<string, string> = {};
      replace({
        renameSync: (from, to) => {
          if (from !== `${file}.lock` || results.first !== undefined) return real.renameSync(from, to);
          results.first = 'locks';
          // The second process has read the stale lock; before it moves that aside, the first has replaced it.
          results.first = lock(file);
          real.renameSync(from, to);
          results.third = lock(file);
        },
      });
      results.second = lock(file);
      return results;
    },
    today: { first: 'locked', second: 'refused', third: 'locked' },
    wanted: (results) =>
      expect(Object.values(results).filter((result) => result === 'locked')).toHaveLength(1),
  });
});
