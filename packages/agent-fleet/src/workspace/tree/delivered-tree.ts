import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atomicWrite } from '@robota-sdk/agent-core';

/** The tree of a worktree that reached its user; undefined if none did. */
export async function readDelivered(own: string): Promise<string | undefined> {
  return (await readFile(fileIn(own), 'utf8').catch(() => '')) || undefined;
}

/** Remembers which tree reached the user. */
export async function writeDelivered(own: string, tree: string): Promise<void> {
  await atomicWrite(fileIn(own), Buffer.from(tree));
}

function fileIn(own: string): string {
  return join(own, 'delivered');
}
