import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { byDescriptor, byDirectory, inFolderOf, openBeneath, readBeneath, writeBeneath } from './beneath.ts';

let base: string;
let root: string;
let outside: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'robota-beneath-'));
  root = join(base, 'root');
  outside = join(base, 'outside');
  for (const folder of [root, outside]) mkdirSync(folder);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('writeBeneath', () => {
  it('makes folders, replaces files and keeps a given mode', () => {
    writeBeneath(root, 'a/b/c.txt', Buffer.from('one'));
    writeBeneath(root, 'a/b/c.txt', Buffer.from('two'), { mode: 0o755 });
    expect(readFileSync(join(root, 'a/b/c.txt'), 'utf8')).toBe('two');
    expect(statSync(join(root, 'a/b/c.txt')).mode & 0o777).toBe(0o755);
    expect(readdirSync(join(root, 'a/b'))).toEqual(['c.txt']);
  });

  it('refuses an existing file on request, and leaves it and nothing else', () => {
    writeBeneath(root, 'a/b', Buffer.from('one'));
    const again = () => writeBeneath(root, 'a/b', Buffer.from('two'), { existing: 'refuse' });
    expect(again).toThrow(expect.objectContaining({ code: 'EEXIST' }));
    expect(readBeneath(root, 'a/b').toString()).toBe('one');
    expect(readdirSync(join(root, 'a'))).toEqual(['b']);
  });

  it('copies an open file of several megabytes', () => {
    const bytes = Buffer.alloc(3_500_000, 'robota');
    writeFileSync(join(outside, 'large'), bytes);
    const source = openSync(join(outside, 'large'), 'r');
    writeBeneath(root, 'copy', source);
    closeSync(source);
    expect(readFileSync(join(root, 'copy')).equals(bytes)).toBe(true);
  });

  it('replaces a link of that name instead of following it', () => {
    writeFileSync(join(outside, 'precious'), 'precious');
    symlinkSync(join(outside, 'precious'), join(root, 'link'));
    expect(() => writeBeneath(root, 'link', Buffer.from('x'), { existing: 'refuse' })).toThrow('EEXIST');
    writeBeneath(root, 'link', Buffer.from('mine'));
    expect(readFileSync(join(outside, 'precious'), 'utf8')).toBe('precious');
    expect(readBeneath(root, 'link').toString()).toBe('mine');
  });
});

describe.each([
  { name: 'a descriptor', hold: byDescriptor },
  { name: 'the working directory', hold: byDirectory },
])('a path held by $name', ({ hold }) => {
  const write = (path: string) =>
    inFolderOf(root, path, true, (folder, name) => writeFileSync(join(folder, name), 'secret'), hold);

  it.skipIf(hold === byDescriptor && process.platform !== 'linux')(
    'works, and leaves the process where it was',
    () => {
      const before = process.cwd();
      write('one/two/three');
      expect(readFileSync(join(root, 'one/two/three'), 'utf8')).toBe('secret');
      expect(process.cwd()).toBe(before);
    },
  );

  it.each(['link/file', 'link/deep/file', 'a/link/file', 'file/below'])('follows no link: %s', (path) => {
    mkdirSync(join(root, 'a'));
    writeFileSync(join(root, 'file'), '');
    for (const at of ['link', 'a/link']) symlinkSync(outside, join(root, at));
    expect(() => write(path)).toThrow(expect.objectContaining({ code: 'ELOOP' }));
    expect(readdirSync(outside)).toEqual([]);
  });

  it('writes nothing outside while folders are swapped for links', async () => {
    mkdirSync(join(root, 'd'));
    symlinkSync(outside, join(root, 'e'));
    const swap = `const { renameSync: move } = require('node:fs'); process.chdir(${JSON.stringify(root)});
      process.send('ready'); for (;;) { move('d', 't'); move('e', 'd'); move('d', 'e'); move('t', 'd'); }`;
    const swapper = spawn(process.execPath, ['-e', swap], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await once(swapper, 'message');
    let written = 0;
    const refusals = new Set<string>();
    for (let index = 0; index < 10_000; index++) {
      try {
        // The folders are not made: between two renames the name is free, and the swapper would stop at a new folder.
        inFolderOf(
          root,
          `d/f${index % 50}`,
          false,
          (folder, name) => writeFileSync(join(folder, name), 'x'),
          hold,
        );
        written += 1;
      } catch (thrown) {
        refusals.add((thrown as NodeJS.ErrnoException).code ?? String(thrown));
      }
    }
    swapper.kill('SIGKILL');
    await once(swapper, 'exit');
    expect(readdirSync(outside)).toEqual([]);
    expect(written).toBeGreaterThan(0);
    expect([...refusals].every((code) => code === 'ELOOP' || code === 'ENOENT')).toBe(true);
  });
});

describe('openBeneath', () => {
  it.each(['', '.', '..', '../outside/x', 'a/../b', '/etc/passwd', 'a//b', 'a\0b'])(
    'refuses what names no file beneath it: %j',
    (path) => {
      expect(() => openBeneath(root, path)).toThrow(expect.objectContaining({ code: 'EINVAL' }));
    },
  );

  it('opens regular files only, and no link', () => {
    mkdirSync(join(root, 'folder'));
    writeFileSync(join(outside, 'key'), 'key');
    symlinkSync(join(outside, 'key'), join(root, 'link'));
    expect(() => openBeneath(root, 'folder')).toThrow(expect.objectContaining({ code: 'ENOTREG' }));
    expect(() => openBeneath(root, 'link')).toThrow(expect.objectContaining({ code: 'ELOOP' }));
    expect(() => openBeneath(root, 'missing/x')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    expect(existsSync(join(root, 'missing'))).toBe(false);
  });
});
