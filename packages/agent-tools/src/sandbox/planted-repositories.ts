import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isWithin } from '@robota-sdk/agent-core';
import { gitLinksIn } from './git-links.ts';
import { inspectTree, type WorkspaceTree } from './workspace-tree.ts';

/** The repositories that are there before a command runs. */
export interface KnownRepositories {
  /** The directories that the command may write. */
  readonly roots: readonly string[];
  /** Places in which repositories may appear, because writing them was granted. */
  readonly grants: readonly string[];
  /** What makes git find them. */
  readonly known: ReadonlySet<string>;
  /** The indexes of the working trees, which name further repositories inside of them. */
  readonly indexes: readonly { readonly file: string; readonly root: string }[];
}

/** Notes everything that git would take for a repository, or for a pointer to one, in what a command may write. */
export function knownRepositories(
  places: Omit<KnownRepositories, 'known'>,
  trees: readonly WorkspaceTree[],
): KnownRepositories {
  return { ...places, known: new Set(repositoriesIn(places, trees)) };
}

/**
 * What makes git find a repository that was not there before a command: the next git there, of the user or of an editor,
 * would run what its configuration says. Inner paths come first, so that each can be renamed in turn.
 */
export function plantedRepositories(before: KnownRepositories): string[] {
  const found = repositoriesIn(before, before.roots.map(inspectTree));
  const planted = found
    .filter((path) => !before.known.has(path))
    .filter((path) => !before.grants.some((grant) => isWithin(grant, path)))
    .flatMap((path) => [...headIn(path), path]);
  return [...new Set(planted)].sort((one, other) => other.length - one.length);
}

function repositoriesIn(
  { roots, indexes }: Omit<KnownRepositories, 'known'>,
  trees: readonly WorkspaceTree[],
): string[] {
  const linked = indexes.flatMap(({ file, root }) =>
    gitLinksIn(file)
      .map((path) => join(root, path, '.git'))
      .filter((path) => roots.some((each) => isWithin(each, path)) && exists(path)),
  );
  return [...trees.flatMap(({ dotGits, bareHeads }) => [...dotGits, ...bareHeads]), ...linked];
}

/** A repository under another name is still one. */
function headIn(path: string): string[] {
  const head = join(path, 'HEAD');
  return basename(path).toLowerCase() === '.git' && exists(head) ? [head] : [];
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
