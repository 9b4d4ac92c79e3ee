import { mkdtemp, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeDirectories } from './make-directories.ts';

it('makes what is missing, with its mode, and is content with what is there', async () => {
  const root = await mkdtemp(join(tmpdir(), 'robota-directories-'));
  const path = join(root, 'a', 'b', 'c');
  makeDirectories(path, 0o700);
  makeDirectories(path, 0o700);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  expect((await stat(join(root, 'a'))).mode & 0o777).toBe(0o700);
});

it('fails where it cannot be made, and never hangs', async () => {
  const root = await mkdtemp(join(tmpdir(), 'robota-directories-'));
  await writeFile(join(root, 'file'), '');
  const file = join(root, 'file');
  expect(() => makeDirectories(join(file, 'below', 'it'))).toThrow(
    `the directory cannot be created: ${file} is not a directory`,
  );
  if (process.platform === 'linux')
    expect(() => makeDirectories('/proc/self/robota/x')).toThrow(
      /no such file|permission denied|not permitted/,
    );
});
