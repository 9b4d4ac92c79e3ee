import { readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';

const maximumLinks = 40;

/** Where a path leads; of one that does not exist, where the part of it that does leads. */
export function followLinks(file: string): string {
  return follow(file, 0);
}

function follow(file: string, links: number): string {
  try {
    return realpathSync.native(file);
  } catch {
    const parent = path.dirname(file);
    if (parent === file || links > maximumLinks) return path.resolve(file);
    const target = linkTarget(file);
    if (target !== undefined) return follow(path.resolve(follow(parent, links + 1), target), links + 1);
    return path.join(follow(parent, links), path.basename(file));
  }
}

/** What a symlink points to, also when nothing is there. */
function linkTarget(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}
