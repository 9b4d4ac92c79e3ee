import { constants, existsSync } from 'node:fs';
import { copyFile, link, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectories } from '@robota-sdk/agent-core';

/** Copies what `/rewind` needs. Contents never change, so both sessions share them. */
export async function copyCheckpoints(from: string, to: string): Promise<void> {
  const source = join(from, 'checkpoints');
  if (existsSync(source)) await copyDirectory(source, join(to, 'checkpoints'));
}

async function copyDirectory(from: string, to: string, isShared = false): Promise<void> {
  makeDirectories(to, 0o700);
  for (const item of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, item.name), join(to, item.name)];
    if (item.isDirectory()) await copyDirectory(source, target, isShared || item.name === 'objects');
    else if (item.isFile() && !item.name.endsWith('.tmp')) await (isShared ? share : copy)(source, target);
  }
}

/** Some file systems have no hard links. */
async function share(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copy(from, to));
}

async function copy(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
}
