import { statSync } from 'node:fs';

/**
 * True if a file is certainly not there. Most files that are looked for at the start are not, and asking like
 * this costs a twentieth of a failed read. A file that can't be looked at counts as there, so that reading it
 * says why.
 */
export function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (thrown) {
    // Nothing lies below a file.
    return Reflect.get(Object(thrown), 'code') === 'ENOTDIR';
  }
}
