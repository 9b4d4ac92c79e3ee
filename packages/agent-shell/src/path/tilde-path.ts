import { isWithin } from './is-within.ts';

/** A path as users write it: `~` instead of their home. Windows paths are known by their form. */
export function tildePath(path: string, home: string): string {
  return home !== '' && !/[\\/]$/.test(home) && isWithin(home, path) ? `~${path.slice(home.length)}` : path;
}
