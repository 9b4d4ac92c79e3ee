import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { atomicWrite } from '@robota-sdk/agent-core';
import type { Git } from './git.ts';

/** A commit of ours, which no user made. */
export interface OwnCommit {
  readonly tree: string;
  readonly parent: string;
  /** In seconds. */
  readonly time: number;
  readonly message: string;
}

const author = 'Robota <robota@localhost>';
const sha1Length = 40;

/**
 * Puts a commit into a repository of ours, as `git commit-tree` does: by a file, since a process would take longer than all the
 * rest. The same commit has the same hash wherever it is made. Its tree is there already.
 */
export async function writeCommit({ place }: Git, commit: OwnCommit): Promise<string> {
  const { tree, parent, time, message } = commit;
  const by = `${author} ${time} +0000`;
  const text = Buffer.from(`tree ${tree}\nparent ${parent}\nauthor ${by}\ncommitter ${by}\n\n${message}`);
  const bytes = Buffer.concat([Buffer.from(`commit ${text.length}\0`), text]);
  const algorithm = tree.length === sha1Length ? 'sha1' : 'sha256';
  const hash = createHash(algorithm).update(bytes).digest('hex');
  const file = join(place.gitDirectory, 'objects', hash.slice(0, 2), hash.slice(2));
  if (!existsSync(file)) await atomicWrite(file, await promisify(deflate)(bytes), { mode: 0o444 });
  return hash;
}
