import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { PluginFolder, PluginFolders, ResourceKind } from '@robota-sdk/agent-config';
import { isMissing } from '@robota-sdk/agent-core';
import { type Bundle, isOff } from './bundle-in-progress.ts';
import { type BundlePath, pathsOf } from './bundle-paths.ts';

type FolderField = ResourceKind | 'tools';

/** The field and the default folder of each kind, and whether the field adds to that folder or replaces it. */
const kinds: Readonly<
  Record<ResourceKind, { readonly fields: readonly FolderField[]; readonly isBeside: boolean }>
> = {
  skills: { fields: ['skills'], isBeside: true },
  commands: { fields: ['commands'], isBeside: false },
  agents: { fields: ['agents'], isBeside: false },
  extensions: { fields: ['extensions', 'tools'], isBeside: true },
  themes: { fields: ['themes'], isBeside: true },
};

/** The folders of a plugin, by kind. */
export async function foldersOf(bundle: Bundle): Promise<PluginFolders['folders']> {
  const found = await Promise.all(
    Object.keys(kinds).map(
      async (kind) => [kind, await foldersOfKind(bundle, kind as ResourceKind)] as const,
    ),
  );
  return Object.fromEntries(found.filter(([, folders]) => folders.length > 0));
}

async function foldersOfKind(bundle: Bundle, kind: ResourceKind): Promise<PluginFolder[]> {
  if (isOff(bundle, kind)) return [];
  const { fields, isBeside } = kinds[kind];
  const named = (await Promise.all(fields.map((field) => namedIn(bundle, kind, field)))).flat();
  const usual = join(bundle.root, kind);
  const looksThere = bundle.usesUsualPlaces && (isBeside || named.length === 0);
  const isThere = looksThere && isFolder(usual);
  const known = named.filter(({ path, only }) => only !== undefined || path !== usual);
  return [...(isThere ? [{ path: usual }] : known.length < named.length ? [{ path: usual }] : []), ...known];
}

function isFolder(path: string): boolean {
  return !isMissing(path) && statSync(path).isDirectory();
}

async function namedIn(bundle: Bundle, kind: ResourceKind, field: FolderField): Promise<PluginFolder[]> {
  const paths = await pathsOf(bundle, field, bundle.fields[field] ?? []);
  return joinedFolders(paths.map((path) => folderOf(path, kind)));
}

/** A folder that is itself a skill is one entry of the folder around it, as a file is. */
function folderOf({ path, isFolder }: BundlePath, kind: ResourceKind): PluginFolder {
  const isOne = !isFolder || (kind === 'skills' && existsSync(join(path, 'SKILL.md')));
  return isOne ? { path: dirname(path), only: [basename(path)] } : { path };
}

/** Entries of one folder are searched once. */
function joinedFolders(folders: readonly PluginFolder[]): PluginFolder[] {
  const byPath = new Map<string, PluginFolder>();
  for (const { path, only } of folders) {
    const known = byPath.get(path);
    const isWhole = only === undefined || (known !== undefined && known.only === undefined);
    byPath.set(path, isWhole ? { path } : { path, only: [...(known?.only ?? []), ...only] });
  }
  return [...byPath.values()];
}
