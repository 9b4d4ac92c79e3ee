import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../config/is-missing.ts';
import type { ResourceFolder } from '../resources/resource-folders.ts';
import { commandName } from './command-name.ts';

/** A command file as it was found. */
export interface FoundCommand {
  readonly name: string;
  readonly path: string;
  readonly folder: ResourceFolder;
}

/** How deep folders of commands may be nested; nobody types longer names. */
const maxDepth = 6;

/** Finds the command files of a folder by name. A folder with a SKILL.md is a skill and no command. */
export async function findCommandFiles(folder: ResourceFolder): Promise<readonly FoundCommand[]> {
  if (isMissing(folder.path)) return [];
  const paths = await walk({ root: folder.path, below: '', depth: 1, only: folder.only, seen: new Set() });
  return paths
    .sort()
    .map((below) => ({ name: commandName(below, folder.plugin), path: join(folder.path, below), folder }))
    .filter(({ name }) => name !== '');
}

interface Step {
  readonly root: string;
  readonly below: string;
  readonly depth: number;
  readonly only: readonly string[] | undefined;
  /** Real directories that were entered: a link may lead back. */
  readonly seen: Set<string>;
}

async function walk({ root, below, depth, only, seen }: Step): Promise<string[]> {
  const directory = join(root, below);
  const real = await realpath(directory).catch(() => undefined);
  if (real === undefined || seen.has(real)) return [];
  seen.add(real);
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  if (entries.some(({ name }) => name === 'SKILL.md')) return [];
  const found = await Promise.all(
    entries.map(async (entry) => {
      const { name } = entry;
      if (name.startsWith('.') || (only && !only.includes(name))) return [];
      const path = below === '' ? name : `${below}/${name}`;
      const kind = await kindOf(entry, join(root, path));
      if (kind === 'file') return name.endsWith('.md') ? [path] : [];
      if (kind !== 'directory' || depth >= maxDepth) return [];
      return walk({ root, below: path, depth: depth + 1, only: undefined, seen });
    }),
  );
  return found.flat();
}

async function kindOf(entry: Dirent, path: string): Promise<'file' | 'directory' | 'other'> {
  const target = entry.isSymbolicLink() ? await stat(path).catch(() => undefined) : entry;
  if (target?.isFile()) return 'file';
  return target?.isDirectory() ? 'directory' : 'other';
}
