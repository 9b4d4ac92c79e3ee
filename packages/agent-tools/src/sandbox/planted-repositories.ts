import { lstatSync, type Stats } from 'node:fs';
import { basename, join } from 'node:path';
import { isWithin, orElse } from '@robota-sdk/agent-core';
import { gitLinksIn } from './git-links.ts';
import { inspectTree, type WorkspaceTree } from './workspace-tree.ts';

/** The repositories that exist before a command runs. */
export interface KnownRepositories {
  /** The directories that the command may write. */
  readonly roots: readonly string[];
  /** Directories with write permission, in which repositories may appear. */
  readonly grants: readonly string[];
  /** Paths that let git find them. */
  readonly known: ReadonlySet<string>;
  /** Directories that an index names as nested repositories. */
  readonly links: ReadonlySet<string>;
  /** The indexes of the working trees, which name nested repositories. */
  readonly indexes: readonly { readonly file: string; readonly root: string }[];
}

type WritablePlaces = Omit<KnownRepositories, 'known' | 'links'>;

/** Records everything in writable directories that git would treat as a repository or a pointer to one. */
export function knownRepositories(
  places: WritablePlaces,
  trees: readonly WorkspaceTree[],
): KnownRepositories {
  const links = new Set(linkedDirectories(places));
  return { ...places, known: new Set(repositoriesIn(places, trees)), links };
}

/**
 * New paths that let git find a repository which did not exist before a command. The next git there, run by the user or
 * an editor, would execute its configuration. Inner paths come first, so that each can be renamed in turn.
 */
export function plantedRepositories(before: KnownRepositories): string[] {
  return plantedAmong(repositoriesIn(before, before.roots.map(inspectTree)), before);
}

/**
 * Planted repositories that an index names: git runs their configuration from the root. Cheap while no index changes.
 */
export function plantedBehindLinks(before: KnownRepositories): string[] {
  return plantedAmong(repositoriesIn(before, []), before);
}

/** Directories that an index newly names as nested repositories. */
export function plantedLinks(before: KnownRepositories): string[] {
  // In a split index every path may be a link; one that is a file is not.
  return linkedDirectories(before).filter((path) => !before.links.has(path) && isDirectory(path));
}

function plantedAmong(found: readonly string[], { known, grants }: KnownRepositories): string[] {
  const planted = found
    .filter((path) => !known.has(path))
    .filter((path) => !grants.some((grant) => isWithin(grant, path)))
    .flatMap((path) => [...headIn(path), path]);
  return [...new Set(planted)].sort((one, other) => other.length - one.length);
}

function repositoriesIn(places: WritablePlaces, trees: readonly WorkspaceTree[]): string[] {
  const linked = linkedDirectories(places)
    .map((path) => join(path, '.git'))
    .filter(exists);
  return [...trees.flatMap(({ dotGits, bareHeads }) => [...dotGits, ...bareHeads]), ...linked];
}

function linkedDirectories({ roots, indexes }: WritablePlaces): string[] {
  return indexes
    .flatMap(({ file, root }) => gitLinksIn(file).map((path) => join(root, path)))
    .filter((path) => roots.some((each) => isWithin(each, path)));
}

/** A repository under another name still counts. */
function headIn(path: string): string[] {
  const head = join(path, 'HEAD');
  return basename(path).toLowerCase() === '.git' && exists(head) ? [head] : [];
}

/** True if a path exists; a link counts, even if broken. */
export function exists(path: string): boolean {
  return statOf(path) !== undefined;
}

function isDirectory(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}

function statOf(path: string): Stats | undefined {
  return orElse(() => lstatSync(path, { throwIfNoEntry: false }), undefined);
}
