import { describe, expect, it } from 'vitest';
import { type Renamer, renameOver } from './rename-over.ts';

function renamer(platform: NodeJS.Platform, failures: readonly string[]) {
  const left = [...failures];
  const calls: string[] = [];
  const fake: Renamer = {
    platform,
    rename: async (from, to) => {
      calls.push(`${from} ${to}`);
      const code = left.shift();
      if (code !== undefined) throw Object.assign(new Error(code), { code });
    },
    pause: async () => {},
  };
  return { fake, calls };
}

describe('renaming over a file', () => {
  it('waits on Windows for a program that has the file open', async () => {
    const { fake, calls } = renamer('win32', ['EPERM', 'EBUSY', 'EACCES']);
    await renameOver('a', 'b', fake);
    expect(calls).toEqual(['a b', 'a b', 'a b', 'a b']);
  });

  it('gives up after a while, and at once for any other reason or system', async () => {
    const busy = renamer('win32', new Array<string>(50).fill('EPERM'));
    await expect(renameOver('a', 'b', busy.fake)).rejects.toThrow('EPERM');
    expect(busy.calls).toHaveLength(10);
    for (const [platform, code] of [
      ['win32', 'ENOENT'],
      ['linux', 'EPERM'],
    ] as const) {
      const { fake, calls } = renamer(platform, [code]);
      await expect(renameOver('a', 'b', fake)).rejects.toThrow(code);
      expect(calls).toHaveLength(1);
    }
  });
});
