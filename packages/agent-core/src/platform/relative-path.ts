import path, { type PlatformPath } from 'node:path';

/**
 * The way from a directory to a path, with slashes on every system: patterns, models and stored files know no other. A
 * path on another drive of Windows is given in full.
 */
export function relativePath(from: string, to: string, paths: PlatformPath = path): string {
  const relative = paths.relative(from, to);
  return paths.sep === '/' ? relative : relative.replaceAll(paths.sep, '/');
}
