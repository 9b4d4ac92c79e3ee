import { createHash } from 'node:crypto';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectories } from '@robota-sdk/agent-sdk/front-end';
import { readImageHeader, type Token } from '@robota-sdk/agent-tui';
import { imageToken } from './image-token.ts';

/** By then the image has been sent. */
const keptMs = 30 * 24 * 60 * 60 * 1_000;

/** Saves a clipboard image in a private file; undefined if it is no image. */
export async function keepImage(data: Buffer, folder: string): Promise<Token | undefined> {
  const header = readImageHeader(data);
  if (!header) return undefined;
  makeDirectories(folder, 0o700);
  await removeOld(folder);
  const name = createHash('sha256').update(data).digest('hex').slice(0, 12);
  const path = join(folder, `${name}.${header.type.replace('image/', '')}`);
  await writeFile(path, data, { mode: 0o600 });
  return imageToken(path);
}

async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const isOld = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs > keptMs,
      () => false,
    );
    if (isOld) await rm(path, { force: true });
  }
}
