import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { AgentError, isProcessAlive, makeDirectories } from '@robota-sdk/agent-core';

const pattern = /^\.staging-(\d+)-[0-9a-f]+$/;

/**
 * Gives work a folder beside where its result belongs, so that it can be moved there in one step; afterwards the folder is
 * gone. What a process that was killed has left behind goes first.
 */
export async function withStaging<T>(root: string, work: (folder: string) => Promise<T>): Promise<T> {
  makeDirectories(root, 0o700);
  await removeLeftovers(root);
  const folder = join(root, `.staging-${process.pid}-${randomBytes(6).toString('hex')}`);
  await mkdir(folder, { mode: 0o700 });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Rewrites an error about a staging folder, which is deleted by then, as one about `origin`. */
export function withoutStaging(thrown: unknown, folder: string, origin: string): unknown {
  if (!AgentError.is(thrown)) return thrown;
  const rename = (text: string) => text.replaceAll(`${folder}${sep}`, '').replaceAll(folder, origin);
  const { message, source, hint } = thrown.problem;
  return new AgentError(thrown.code, rename(message), {
    cause: thrown,
    hint,
    source: source && { ...source, file: rename(source.file) },
  });
}

async function removeLeftovers(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    const [, pid] = pattern.exec(name) ?? [];
    if (pid !== undefined && !isProcessAlive(Number(pid)))
      await rm(join(root, name), { recursive: true, force: true });
  }
}
