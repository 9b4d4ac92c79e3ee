import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isWithin, orElse } from '@robota-sdk/agent-core';

/** Another process that works in a directory. */
export interface DirectoryUser {
  readonly pid: number;
  readonly name: string;
}

/** Processes whose working directory lies in a directory; known on Linux only. */
export function usersOf(directory: string): readonly DirectoryUser[] {
  return pidsOf().flatMap((pid) => {
    if (pid === process.pid) return [];
    try {
      const cwd = readlinkSync(`/proc/${pid}/cwd`);
      if (!isWithin(directory, cwd)) return [];
      return [{ pid, name: readFileSync(`/proc/${pid}/comm`, 'utf8').trim() }];
    } catch {
      // It ended, or belongs to another user.
      return [];
    }
  });
}

function pidsOf(): readonly number[] {
  return orElse(
    () =>
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number),
    [],
  );
}
