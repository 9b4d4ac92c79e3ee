import { lstatSync, readdirSync, statSync } from 'node:fs';
import type { DirectoryEntry, PolicyFiles } from '@robota-sdk/agent-shell';
import { readRegularFileSync } from '../file/read-regular-file.ts';
import { ignoredFiles, linksInRevision, trackedFiles } from '../file/tracked-files.ts';
import { realPathOf } from '../file/walk-path.ts';
import { orElse } from '../problem/or-else.ts';

/** The file system and search path of this machine, for permission decisions. */
export const hostFiles: PolicyFiles = {
  realPath: realPathOf,
  entries: (directory) => {
    return orElse(
      () =>
        readdirSync(directory, { withFileTypes: true }).map(
          (entry): DirectoryEntry => ({
            name: entry.name,
            kind: entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'directory' : 'file',
          }),
        ),
      undefined,
    );
  },
  look: (file) => {
    try {
      const found = statSync(file);
      const kind = found.isDirectory() ? 'directory' : found.isFile() ? 'file' : 'other';
      const version = [found.dev, found.ino, found.mode, found.size, found.mtimeMs, found.ctimeMs].join(':');
      return { kind, size: found.size, version };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
      return isMissing && !isLink(file) ? undefined : { kind: 'other', size: 0, version: 'unreadable' };
    }
  },
  read: (file) => {
    return orElse(() => readRegularFileSync(file), undefined);
  },
  tracked: trackedFiles,
  linksIn: linksInRevision,
  ignored: ignoredFiles,
  get searchPath() {
    return process.env.PATH ?? '';
  },
};

function isLink(file: string): boolean {
  // Node also throws for a path below a file.
  return orElse(() => lstatSync(file).isSymbolicLink(), false);
}
