import { lstatSync, renameSync } from 'node:fs';
import { orElse } from '@robota-sdk/agent-core';

/** A protected file or directory that a command created, and where it is now. */
export interface SetAside {
  readonly path: string;
  readonly movedTo: string;
}

/**
 * Renames what appeared under a protected name. A bind mount can keep a name from being created only by creating it
 * first, which would litter the workspace and end up in commits; so it is undone instead, and nothing is lost.
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

function exists(path: string): boolean {
  return orElse(() => lstatSync(path, { throwIfNoEntry: false }) !== undefined, false);
}
