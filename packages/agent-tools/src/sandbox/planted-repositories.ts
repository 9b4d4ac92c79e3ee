import { lstatSync, type Stats } from 'node:fs';
import { basename, join } from 'node:path';
import { isWithin, orElse } from '@robota-sdk/agent-core';
import { gitLinksIn } from './git-links.ts';
import { inspectTree, type WorkspaceTree } from './workspace-tree.ts';

/** The repositories that are there before a command runs. */
export interface KnownRepositories {
  /** The directories that the command may write. */
  readonly roots: readonly string[];
  /** Places in which repositories may appear, because writing them was granted. */
  readonly grants: readonly string[];
  /** Paths that let git find them. */
  readonly known: ReadonlySet<string>;
  /** Directories that an index names as repositories of their own. */
  readonly links: ReadonlySet<string>;
  /** The indexes of the working trees, which name further repositories inside of them. */
  readonly indexes: readonly { readonly file: string; readonly root: string }[];
}

type WritablePlaces = Omit<KnownRepositories, 'known' | 'links'>;

/** Notes everything that git would take for a repository, or for a pointer to one, in what a command may write. */
export function knownRepositories(
  places: WritablePlaces,
  trees: readonly WorkspaceTree[],
): KnownRepositories {
  const links = new Set(linkedDirectories(places));
  return { ...places, known: new Set(repositoriesIn(places, trees)), links };
}

/**
 * New paths that let git find a repository which did not exist before a command. The next git there, by the
 * user or an editor, would run commands from its configuration. Inner paths come first, so that each can be
 * renamed in turn.
 */
export function plantedRepositories(before: KnownRepositories): string[] {
  return plantedAmong(repositoriesIn(before, before.roots.map(inspectTree)), before);
}

/** The planted repositories that an index names: git runs their configuration from the top. Cheap while no index changes. */
export function plantedBehindLinks(before: KnownRepositories): string[] {
  return plantedAmong(repositoriesIn(before, []), before);
}

/** Directories that an index newly names as repositories of their own. */
export function plantedLinks(before: KnownRepositories): string[] {
  // Of a split index every path may be a link; one that leads to a file is none.
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

/** A repository under another name is still one. */
function headIn(path: string): string[] {
  const head = join(path, 'HEAD');
  return basename(path).toLowerCase() === '.git' && exists(head) ? [head] : [];
}

function exists(path: string): boolean {
  return statOf(path) !== undefined;
}

function isDirectory(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}

function statOf(path: string): Stats | undefined {
  return orElse(() => lstatSync(path, { throwIfNoEntry: false }), undefined);
}
