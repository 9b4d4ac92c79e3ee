import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
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

/**
 * Finds the command files of a folder by name. A folder with a SKILL.md is a skill and no command. Synchronous: a few
 * directories are read faster than a promise for each of them is kept.
 */
export function findCommandFiles(folder: ResourceFolder): readonly FoundCommand[] {
  if (isMissing(folder.path)) return [];
  return walk({ root: folder.path, below: '', depth: 1, only: folder.only, seen: new Set() })
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

function walk({ root, below, depth, only, seen }: Step): string[] {
  const directory = join(root, below);
  const entries = enter(directory, seen);
  if (entries.some(({ name }) => name === 'SKILL.md')) return [];
  return entries.flatMap((entry) => {
    const { name } = entry;
    if (name.startsWith('.') || (only && !only.includes(name))) return [];
    const path = below === '' ? name : `${below}/${name}`;
    const kind = kindOf(entry, join(root, path));
    if (kind === 'file') return name.endsWith('.md') ? [path] : [];
    if (kind !== 'directory' || depth >= maxDepth) return [];
    return walk({ root, below: path, depth: depth + 1, only: undefined, seen });
  });
}

/** The entries of a directory; none if it can't be read or was entered before. */
function enter(directory: string, seen: Set<string>): readonly Dirent[] {
  try {
    const real = realpathSync.native(directory);
    if (seen.has(real)) return [];
    seen.add(real);
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function kindOf(entry: Dirent, path: string): 'file' | 'directory' | 'other' {
  const target = entry.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : entry;
  if (target?.isFile()) return 'file';
  return target?.isDirectory() ? 'directory' : 'other';
}
