import { lstat, readdir, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import { AgentError, isWithin } from '@robota-sdk/agent-core';

/** Removes a folder below another one, and the folders around it that are empty then. Of a link only the link goes. */
export async function removeFolder(path: string, root: string): Promise<void> {
  if (!isWithin(root, path) || path === root) throw new AgentError('config', `${path} is not below ${root}.`);
  const link = await firstLink(path, root);
  if (link !== undefined) return unlink(link);
  await rm(path, { recursive: true, force: true });
  for (let folder = dirname(path); folder !== root && isWithin(root, folder); folder = dirname(folder)) {
    const entries = await readdir(folder).catch(() => ['?']);
    if (entries.length > 0) return;
    await rmdir(folder);
  }
}

async function firstLink(path: string, root: string): Promise<string | undefined> {
  let current = root;
  for (const part of relative(root, path).split(sep)) {
    current = `${current}${sep}${part}`;
    const info = await lstat(current).catch(() => undefined);
    if (info?.isSymbolicLink()) return current;
  }
  return undefined;
}
