import { entriesIn } from './entries-in.ts';

/** More files than this cannot be reviewed. */
export const maxFiles = 2_000;

/** The files of a folder, with what its links in the same repository lead to. */
export interface FilesBelow {
  readonly files: readonly string[];
  /** Why they can't be agreed to. */
  readonly refusal?: string;
}

/** Lists everything below a folder; what was installed in it is what its lock file says. */
export function filesBelow(folder: string, root: string): FilesBelow {
  const files: string[] = [];
  const waiting = [folder];
  const seen = new Set<string>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const { name, path, kind } of entriesIn(next, { root, seen })) {
      if (kind === 'outside') return { files: [], refusal: `${path} leads out of the project` };
      if (kind === 'directory' && name !== 'node_modules') waiting.push(path);
      if (kind === 'file') files.push(path);
      if (files.length > maxFiles || seen.size > maxFiles)
        return { files: [], refusal: `${folder} holds more than ${maxFiles} files` };
    }
  return { files };
}
