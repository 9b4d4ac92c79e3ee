import { accessSync, constants } from 'node:fs';

/** True if a program can be run from a path. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
