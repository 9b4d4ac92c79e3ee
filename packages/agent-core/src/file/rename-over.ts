import { rename } from 'node:fs/promises';

/** File system calls of a rename; tests replace them. */
export interface Renamer {
  readonly platform: NodeJS.Platform;
  rename(from: string, to: string): Promise<void>;
  pause(milliseconds: number): Promise<void>;
}

const attempts = 10;
/** Windows refuses while another program, such as a virus scanner, has the target open for a moment. */
const passing: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Renames a file over another in one step. On Windows it waits while other programs have the target open. */
export async function renameOver(from: string, to: string, renamer: Renamer = ownRenamer): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await renamer.rename(from, to);
    } catch (thrown) {
      const { code = '' } = thrown as NodeJS.ErrnoException;
      if (renamer.platform !== 'win32' || attempt === attempts || !passing.has(code)) throw thrown;
      await renamer.pause(attempt * 20);
    }
  }
}

/** This machine. */
const ownRenamer: Renamer = {
  platform: process.platform,
  rename,
  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};
