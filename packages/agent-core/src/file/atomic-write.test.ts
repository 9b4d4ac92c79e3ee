import { chmod, link, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutPrivileges } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { atomicWrite } from './atomic-write.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'robota-atomic-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('atomicWrite', () => {
  it('creates directories and leaves nothing but the file', async () => {
    proves('P-37');
    const path = join(directory, 'a', 'b', 'c.txt');
    await atomicWrite(path, Buffer.from('hello'));
    expect(await readFile(path, 'utf8')).toBe('hello');
    expect(await readdir(join(directory, 'a', 'b'))).toEqual(['c.txt']);
    expect((await stat(path)).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it('replaces the file in one step and keeps its mode', async () => {
    proves('P-37');
    const path = join(directory, 'run.sh');
    await writeFile(path, 'old');
    await chmod(path, 0o751);
    const before = await stat(path);
    await atomicWrite(path, Buffer.from('new'));
    const after = await stat(path);
    expect(after.mode & 0o7777).toBe(0o751);
    expect(after.ino).not.toBe(before.ino);
    expect(await readFile(path, 'utf8')).toBe('new');
  });

  it('keeps the old file and no remains when it fails', async () => {
    proves('P-37');
    const path = join(directory, 'target');
    await mkdir(path);
    await writeFile(join(path, 'inner'), 'kept');
    await expect(atomicWrite(path, Buffer.from('new'))).rejects.toThrow(
      `${path} could not be written (illegal operation on a directory`,
    );
    expect(await readdir(directory)).toEqual(['target']);
    expect(await readFile(join(path, 'inner'), 'utf8')).toBe('kept');
  });

  it('refuses a file that is read-only', async () => {
    const path = join(directory, 'fixed');
    await writeFile(path, 'old');
    await chmod(path, 0o444);
    await withoutPrivileges(directory, async () => {
      await expect(atomicWrite(path, Buffer.from('new'))).rejects.toThrow('permission denied');
    });
    expect(await readFile(path, 'utf8')).toBe('old');
  });

  it('leaves the other names of a hard link with the old content', async () => {
    await writeFile(join(directory, 'outside'), 'old');
    await link(join(directory, 'outside'), join(directory, 'inside'));
    await atomicWrite(join(directory, 'inside'), Buffer.from('new'));
    expect(await readFile(join(directory, 'outside'), 'utf8')).toBe('old');
  });

  it('shows readers the old or the new content, never a part', async () => {
    proves('P-37');
    const path = join(directory, 'busy');
    const contents = ['a'.repeat(200_000), 'b'.repeat(300_000)];
    await atomicWrite(path, Buffer.from(contents[0]!));
    let isDone = false;
    const writing = (async () => {
      for (let round = 0; round < 10; round += 1) await atomicWrite(path, Buffer.from(contents[round % 2]!));
      isDone = true;
    })();
    while (!isDone) expect(contents).toContain(await readFile(path, 'utf8'));
    await writing;
  });
});
