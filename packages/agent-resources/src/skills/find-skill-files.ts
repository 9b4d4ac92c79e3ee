import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ResourceFolder } from '@robota-sdk/agent-config';
import { entriesIn, type FolderEntry } from '@robota-sdk/agent-config';
import { givenFields, isMissing, orElse } from '@robota-sdk/agent-core';
import type { SkillFile } from './skill.ts';

const fileName = 'SKILL.md';

/** Dialects that also accept single Markdown files as skills. */
const plainDialects: ReadonlySet<ResourceFolder['dialect']> = new Set(['pi', 'rab']);

/**
 * The skill files below folders, the strongest folder first: `name/SKILL.md`, also in a grouping folder. A file
 * reachable in two ways is found once. Synchronous, because that is much faster for many small files.
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
  const entries = entriesOf(folder.path, folder);
  if (entries.some(({ name }) => name === fileName)) return [skillIn(folder.path, folder)];
  return entries
    .filter(({ name }) => folder.only?.includes(name) ?? true)
    .flatMap(({ name, path, kind }) => {
      if (kind === 'directory') return skillsBelow(path, folder);
      if (plainDialects.has(folder.dialect) && name.endsWith('.md')) return [plainSkill(path, folder)];
      // Reading it reports its target.
      return kind === 'outside' ? [skillIn(path, folder)] : [];
    });
}

/** The skill in a folder, or those in the folders below it. */
function skillsBelow(path: string, folder: ResourceFolder): SkillFile[] {
  if (!isMissing(join(path, fileName))) return [skillIn(path, folder)];
  return entriesOf(path, folder)
    .filter(({ path: each, kind }) => kind === 'directory' && !isMissing(join(each, fileName)))
    .map((each) => skillIn(each.path, folder));
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

/** Claude Code accepts any name. */
const standardDialects: ReadonlySet<ResourceFolder['dialect']> = new Set(['agents', 'pi', 'rab']);

type Origin = Pick<
  SkillFile,
  'folder' | 'scope' | 'root' | 'plugin' | 'pluginRoot' | 'hasStandardName' | 'countsFromZero'
>;

function originOf({ path, scope, root, plugin, pluginRoot, dialect }: ResourceFolder): Origin {
  const hasStandardName = plugin === undefined && standardDialects.has(dialect);
  return {
    folder: path,
    scope,
    ...(hasStandardName ? { hasStandardName } : {}),
    ...(dialect === 'claude' || plugin !== undefined ? { countsFromZero: true } : {}),
    ...givenFields({ root, plugin, pluginRoot }),
  };
}

function entriesOf(path: string, { root }: ResourceFolder): FolderEntry[] {
  return entriesIn(path, { root }).filter(({ name }) => !name.startsWith('.') && name !== 'node_modules');
}

function realOf(path: string): string {
  return orElse(() => realpathSync.native(path), path);
}
