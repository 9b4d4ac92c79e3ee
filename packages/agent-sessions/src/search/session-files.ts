import { readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '@robota-sdk/agent-core';

/** A session's file and its metadata. */
export interface SessionFile {
  readonly project: string;
  readonly id: string;
  readonly path: string;
  readonly bytes: number;
  /** When it was last written, Unix milliseconds. */
  readonly modified: number;
  /** Differs as soon as the file does. */
  readonly stamp: string;
}

/** A path where a session should be, and why it cannot be read. */
export interface UnreadableSession {
  readonly path: string;
  readonly why: string;
}

export interface FoundFiles {
  readonly files: SessionFile[];
  readonly unreadable: UnreadableSession[];
}

/** The file of a session in its directory. */
export const sessionFileName = 'session.jsonl';

/** The sessions of a project, in no order. */
export function filesOfProject(root: string, project: string): FoundFiles {
  const directory = join(root, project);
  const files: SessionFile[] = [];
  const { names, why } = directoriesIn(directory);
  const unreadable: UnreadableSession[] = why === undefined ? [] : [{ path: directory, why }];
  for (const id of names) {
    const path = join(directory, id, sessionFileName);
    try {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (!stat) continue;
      if (stat.isFile())
        files.push({ project, id, path, bytes: stat.size, modified: stat.mtimeMs, stamp: stampOf(stat) });
      else unreadable.push({ path, why: 'it is not a file' });
    } catch (thrown) {
      unreadable.push({ path, why: errorMessage(thrown) });
    }
  }
  return { files, unreadable };
}

/** Later ones first. */
export function byRecency(a: SessionFile, b: SessionFile): number {
  if (a.modified !== b.modified) return b.modified - a.modified;
  return a.id < b.id ? 1 : -1;
}

/** The time of the last change of anything is one that no program can set back. */
function stampOf({ size, mtimeMs, ctimeMs }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs}`;
}

/** The subdirectories, or why they cannot be listed. Names with a dot are incomplete sessions. */
export function directoriesIn(directory: string): { names: string[]; why?: string } {
  try {
    const items = readdirSync(directory, { withFileTypes: true });
    return {
      names: items.flatMap((item) => (item.isDirectory() && !item.name.startsWith('.') ? item.name : [])),
    };
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { names: [] };
    const isFile = code === 'ENOTDIR';
    return {
      names: [],
      why: isFile ? 'a file is where a directory should be: move it away' : errorMessage(thrown),
    };
  }
}
