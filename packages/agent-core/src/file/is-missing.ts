import { statSync } from 'node:fs';

/**
 * True if a file certainly does not exist. Most files probed at startup are missing, and this costs a twentieth of a
 * failed read. An inaccessible file counts as existing, so that reading it reports the reason.
 */
export function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (thrown) {
    // A parent in the path is a file.
    return Reflect.get(Object(thrown), 'code') === 'ENOTDIR';
  }
}
