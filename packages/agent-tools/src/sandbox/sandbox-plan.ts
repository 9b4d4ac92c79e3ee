import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { isWithin, protectedNames, realPathOf, type Workspace } from '@robota-sdk/agent-core';
import { findGitPlaces } from './git-places.ts';
import { hiddenPlaces } from './hidden-places.ts';
import type { SandboxPolicy } from './sandbox-policy.ts';

/** What a command may do with a path and everything below it, as far as no nearer place says otherwise. */
export interface SandboxPlace {
  readonly path: string;
  readonly access: 'write' | 'read' | 'none';
  readonly isDirectory: boolean;
}

/** Everything a sandbox has to enforce for one command, with real paths that exist. */
export interface SandboxPlan {
  readonly cwd: string;
  readonly network: SandboxPolicy['network'];
  /** Outer places first: the last one that holds a path decides. What none of them holds may be read only. */
  readonly places: readonly SandboxPlace[];
  /** Protected names of the workspace that do not exist yet and must not appear. */
  readonly absent: readonly string[];
  /** The same inside git directories, where no person ever creates them. */
  readonly absentFromGit: readonly string[];
}

export interface PlanOptions {
  readonly workspace: Workspace;
  readonly policy: SandboxPolicy;
  /** Further directories the command may read though they lie in a temporary directory. */
  readonly visible?: readonly string[];
}

/** Works out from the workspace and the policy what exists, what is protected and what is hidden right now. */
export function planSandbox({ workspace, policy, visible = [] }: PlanOptions): SandboxPlan {
  const locate = (path: string) => realPathOf(resolve(workspace.cwd, expandHome(path, workspace.home)));
  const grants = policy.writable.map(locate);
  const roots = [workspace.cwd, ...workspace.additional].flatMap((root) =>
    writableParts(root, workspace.home),
  );
  const trees = roots.map(inspectTree);
  const repositories = trees.flatMap((tree) => tree.repositories);
  const git = [workspace.cwd, ...workspace.additional, ...repositories].map(findGitPlaces);
  const readOnly = [...trees.flatMap((tree) => tree.protected), ...git.flatMap((places) => places.readOnly)];
  const shown = policy.readable.map(locate);
  const hidden = [...hiddenPlaces(workspace.home), ...policy.hidden.map(locate)]
    .map(realPathOf)
    .filter((path) => ![...grants, ...shown, workspace.cwd].some((open) => isWithin(path, open)));
  const chosen = new Map<string, SandboxPlace['access']>();
  const choose = (paths: readonly string[], access: SandboxPlace['access']) => {
    for (const path of paths) chosen.set(path, access);
  };
  choose([...visible, ...shown, workspace.cwd, ...workspace.additional], 'read');
  choose([...roots, ...git.flatMap((places) => places.writable)], 'write');
  choose(readOnly, 'read');
  choose(hidden, 'none');
  choose(grants, 'write');
  const isUngranted = (path: string) => !grants.some((grant) => isWithin(path, grant));
  return {
    cwd: workspace.cwd,
    network: policy.network,
    places: [...chosen].flatMap(([path, access]) => placeAt(path, access)).sort(outerFirst),
    absent: roots.flatMap(missingProtected).filter(isUngranted),
    absentFromGit: git.flatMap((places) => places.absent).filter(isUngranted),
  };
}

/** What a command may do with a path according to the place that decides about it. */
export function accessTo(path: string, { places }: Pick<SandboxPlan, 'places'>): SandboxPlace['access'] {
  return places.findLast((place) => isWithin(place.path, path))?.access ?? 'read';
}

/** A path with `~` for the home directory written out. */
export function expandHome(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}

/**
 * In the home directory everything at the top decides what programs do: only directories without a leading dot are
 * writable. A directory that holds the home directory stays read-only as a whole.
 */
function writableParts(root: string, home: string): string[] {
  if (!isWithin(root, home)) return [root];
  if (root !== home) return [];
  return entriesOf(root)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => join(root, entry.name));
}

const deepest = 3;
const mostDirectories = 400;
// Each costs a mount, and each mount time.
const mostProtected = 40;
const skipped: ReadonlySet<string> = new Set(['node_modules', 'dist', 'target', '.venv']);

interface Tree {
  readonly protected: readonly string[];
  /** Directories with a repository of their own. */
  readonly repositories: readonly string[];
}

/** Finds what is protected in a tree, near its root and within a budget that keeps commands quick. */
function inspectTree(root: string): Tree {
  const found: string[] = [];
  const repositories: string[] = [];
  let level = [root];
  for (let depth = 0, visited = 0; depth < deepest && visited < mostDirectories; depth += 1) {
    const directories = level.slice(0, mostDirectories - visited);
    visited += directories.length;
    level = [];
    for (const directory of directories) {
      for (const entry of entriesOf(directory)) {
        const path = join(directory, entry.name);
        if (entry.name === '.git') repositories.push(directory);
        else if (protectedNames.has(entry.name.toLowerCase())) found.push(realPathOf(path));
        else if (entry.isDirectory() && !skipped.has(entry.name)) level.push(path);
      }
    }
  }
  // A link may lead out of the tree, to a place that is not writable anyway.
  const inside = found.filter((path) => isWithin(root, path) && path !== root);
  return {
    protected: inside.slice(0, mostProtected),
    repositories: repositories.slice(0, mostProtected / 4),
  };
}

/** `.git` is judged by its parts: commits must be possible. */
function missingProtected(root: string): string[] {
  return [...protectedNames]
    .filter((name) => name !== '.git')
    .map((name) => join(root, name))
    .filter((path) => statOf(path, lstatSync) === undefined);
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function placeAt(path: string, access: SandboxPlace['access']): SandboxPlace[] {
  const stat = statOf(path, statSync);
  return stat === undefined ? [] : [{ path, access, isDirectory: stat.isDirectory() }];
}

function statOf(path: string, read: typeof lstatSync | typeof statSync): Stats | undefined {
  try {
    return read(path, { throwIfNoEntry: false }) as Stats | undefined;
  } catch {
    return undefined;
  }
}

function outerFirst(one: SandboxPlace, other: SandboxPlace): number {
  return depthOf(one.path) - depthOf(other.path) || (one.path < other.path ? -1 : 1);
}

function depthOf(path: string): number {
  return path.split(sep).length;
}
