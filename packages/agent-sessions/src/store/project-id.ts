import { resolve } from 'node:path';
import { realPathOf, shortHash } from '@robota-sdk/agent-core';

/** Names the directory of a project's sessions: readable, and different for every real path. */
export function projectIdOf(cwd: string): string {
  const path = realPathOf(resolve(cwd));
  const words = path.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const slug = words.slice(-48).replace(/^-|-$/g, '');
  const hash = shortHash(path).slice(0, 12);
  return slug === '' ? `root-${hash}` : `${slug}-${hash}`;
}
