import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** Names the directory of a project's sessions: readable, and different for every real path. */
export function projectIdOf(cwd: string): string {
  const path = realPath(cwd);
  const words = path.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const slug = words.slice(-48).replace(/^-+|-+$/g, '');
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 12);
  return slug === '' ? `root-${hash}` : `${slug}-${hash}`;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
