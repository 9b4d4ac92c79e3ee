import { type Dirent, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { given } from '../assembly/given.ts';
import { isMissing } from '../config/is-missing.ts';
import type { ResourceFolder } from '../resources/resource-folders.ts';
import type { SkillFile } from './skill.ts';

const fileName = 'SKILL.md';

/** Dialects that also take single Markdown files for skills. */
const plainDialects: ReadonlySet<ResourceFolder['dialect']> = new Set(['pi', 'rab']);

/**
 * The skill files below folders, the strongest folder first: `name/SKILL.md`, also in a folder that only groups them. A
 * file that can be reached in two ways is found once. Synchronous, because for many small files that is much faster.
 */
export function findSkillFiles(folders: readonly ResourceFolder[]): SkillFile[] {
  const known = new Set<string>();
  return folders.flatMap(filesIn).filter(({ path }) => {
    const real = realOf(path);
    const isNew = !known.has(real);
    known.add(real);
    return isNew;
  });
}

function filesIn(folder: ResourceFolder): SkillFile[] {
  if (isMissing(folder.path)) return [];
  const entries = entriesOf(folder.path);
  if (entries.some(({ name }) => name === fileName)) return [skillIn(folder.path, folder)];
  return entries
    .filter(({ name }) => folder.only?.includes(name) ?? true)
    .flatMap((entry) => {
      const path = join(folder.path, entry.name);
      if (isFolder(entry)) return skillsBelow(path, folder);
      const isPlain = plainDialects.has(folder.dialect) && entry.name.endsWith('.md');
      return isPlain ? [plainSkill(path, folder)] : [];
    });
}

/** The skill in a folder, or those in the folders below it. */
function skillsBelow(path: string, folder: ResourceFolder): SkillFile[] {
  if (!isMissing(join(path, fileName))) return [skillIn(path, folder)];
  return entriesOf(path)
    .filter(isFolder)
    .map(({ name }) => join(path, name))
    .filter((each) => !isMissing(join(each, fileName)))
    .map((each) => skillIn(each, folder));
}

function skillIn(directory: string, folder: ResourceFolder): SkillFile {
  return {
    path: join(directory, fileName),
    directory,
    defaultName: basename(directory),
    ...originOf(folder),
  };
}

function plainSkill(path: string, folder: ResourceFolder): SkillFile {
  const defaultName = basename(path, '.md');
  return { path, directory: dirname(path), defaultName, isPlain: true, ...originOf(folder) };
}

type Origin = Pick<SkillFile, 'folder' | 'scope' | 'plugin' | 'pluginRoot'>;

function originOf({ path, scope, plugin, pluginRoot }: ResourceFolder): Origin {
  return { folder: path, scope, ...given('plugin', plugin), ...given('pluginRoot', pluginRoot) };
}

/** What a folder holds, sorted; nothing if it can't be read or is none. */
function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** Links are followed when the skill in them is looked for. */
function isFolder(entry: Dirent): boolean {
  return entry.isDirectory() || (entry.isSymbolicLink() && !entry.name.endsWith('.md'));
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
