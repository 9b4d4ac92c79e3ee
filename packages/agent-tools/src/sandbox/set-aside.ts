import { renameSync } from 'node:fs';
import { exists } from './planted-repositories.ts';

/** A protected file or directory that a command created, and its new location. */
export interface SetAside {
  readonly path: string;
  readonly movedTo: string;
}

/**
 * Renames new files with protected names. A bind mount can prevent a name only by creating it first, which would litter
 * the workspace and end up in commits; so creation is reverted instead, and nothing is lost.
 */
export function setAside(absent: readonly string[]): SetAside[] {
  return absent.filter(exists).flatMap((path) => {
    const movedTo = freeName(path);
    try {
      renameSync(path, movedTo);
      return [{ path, movedTo }];
    } catch {
      return [];
    }
  });
}

function freeName(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? `${path}.blocked` : `${path}.blocked-${number}`;
    if (!exists(name)) return name;
  }
}
