import { lstatSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { isWithin, orElse, protectedNames, realPathOf, type Workspace } from '@robota-sdk/agent-core';
import { gitConfigurationIn } from './git-configuration.ts';
import { findGitPaths } from './git-paths.ts';
import { hiddenPlaces, isHideable, plainFilesIn, shownInHome } from './home-places.ts';
import { type KnownRepositories, knownRepositories } from './planted-repositories.ts';
import type { SandboxPolicy } from './sandbox-policy.ts';
import { entriesOf, inspectTree } from './workspace-tree.ts';

/** The access of a command to a path and everything below it, unless a nearer entry overrides it. */
export interface SandboxEntry {
  readonly path: string;
  readonly access: 'write' | 'read' | 'none';
  readonly isDirectory: boolean;
  /** The text to show instead of the file. */
  readonly shownAs?: string;
  /** Set for a hidden directory that looks empty instead of closed, because programs always search it. */
  readonly isEmptied?: boolean;
  /** Hidden by an ignore file, which no grant overrides. */
  readonly isIgnored?: boolean;
}

/** Everything a sandbox must enforce for one command, with existing real paths. */
export interface SandboxPlan {
  readonly cwd: string;
  readonly network: SandboxPolicy['network'];
  /** Outer entries first: the last one that contains a path decides. All other paths are read-only. */
  readonly places: readonly SandboxEntry[];
  /** Protected names of the workspace that do not exist yet and must not appear. */
  readonly absent: readonly string[];
  /** The same inside git directories, where users never create them. */
  readonly absentFromGit: readonly string[];
  /** The repositories before the command, which may not add any. */
  readonly repositories: KnownRepositories;
}

export interface PlanOptions {
  readonly workspace: Workspace;
  readonly policy: SandboxPolicy;
  /** More directories the command may read although they are in a temporary directory. */
  readonly visible?: readonly string[];
  /** Files and directories that ignore files hide. */
  readonly ignored?: readonly string[];
  /** The command's `PATH`: programs below the home directory stay visible. */
  readonly path?: string | undefined;
}

/** Derives from the workspace and the policy what exists, what is protected and what is hidden. */
export function planSandbox(options: PlanOptions): SandboxPlan {
  const { workspace, policy, visible = [], ignored = [], path = '' } = options;
  const locate = (name: string) => realPathOf(resolve(workspace.cwd, expandHome(name, workspace.home)));
  const grants = policy.writable.map(locate);
  const shown = policy.readable.map(locate);
  const own = [workspace.cwd, ...workspace.additional];
  const roots = own.flatMap((root) => writableParts(root, workspace.home));
  const trees = roots.map(inspectTree);
  const repositories = trees.flatMap((tree) => tree.dotGits).slice(0, mostRepositories);
  const git = [...own, ...repositories.map(dirname)].map(findGitPaths);
  const hiddenHomes = [...new Set([workspace.home, ...(policy.homes ?? [])].map(realPathOf))].filter(
    isHideable,
  );
  const secrets = [...hiddenPlaces(realPathOf(workspace.home)), ...policy.hidden.map(locate)]
    .map(realPathOf)
    .filter((secret) => ![...grants, ...shown, ...own].includes(secret));
  const chosen = new Map<string, Omit<SandboxEntry, 'path' | 'isDirectory'>>();
  const choose = (paths: readonly string[], access: SandboxEntry['access']) => {
    for (const each of paths) chosen.set(each, { access });
  };
  for (const home of hiddenHomes) chosen.set(home, { access: 'none', isEmptied: true });
  choose(
    hiddenHomes.flatMap((home) => shownInHome(home, path)),
    'read',
  );
  for (const { path: file, ...shownAs } of hiddenHomes.flatMap(gitConfigurationIn))
    chosen.set(file, { access: 'read', ...shownAs });
  choose(
    [...visible, ...shown, ...own, ...(own.includes(workspace.home) ? plainFilesIn(workspace.home) : [])],
    'read',
  );
  choose([...roots, ...git.flatMap((places) => places.writable)], 'write');
  choose([...trees.flatMap((tree) => tree.protected), ...git.flatMap((places) => places.readOnly)], 'read');
  choose(policy.network === 'on' ? [] : trees.flatMap((tree) => tree.sockets).slice(0, mostSockets), 'none');
  choose(secrets, 'none');
  choose(grants, 'write');
  for (const each of ignored) chosen.set(each, { access: 'none', isIgnored: true });
  const isUngranted = (name: string) => !grants.some((grant) => isWithin(name, grant));
  const places = [...chosen].flatMap(([name, facts]) => placeAt(name, facts)).sort(outerFirst);
  return {
    cwd: workspace.cwd,
    network: policy.network,
    places: places.filter((place, index) => !isRedundant(place, places.slice(0, index))),
    absent: roots.flatMap(missingProtected).filter(isUngranted),
    absentFromGit: git.flatMap((each) => each.absent).filter(isUngranted),
    repositories: knownRepositories(
      { roots, grants, indexes: git.flatMap(({ index }) => index ?? []) },
      trees,
    ),
  };
}

/** An entry with the access of its parent is redundant: it would cost a mount and reveal its name. */
function isRedundant({ path, access, shownAs }: SandboxEntry, outer: readonly SandboxEntry[]): boolean {
  const around = outer.findLast((place) => isWithin(place.path, path))?.access;
  return access !== 'write' && access === around && shownAs === undefined;
}

const mostRepositories = 20;
const mostSockets = 40;

/** The access of a command to a path, from the nearest entry. */
export function accessTo(path: string, { places }: Pick<SandboxPlan, 'places'>): SandboxEntry['access'] {
  return places.findLast((place) => isWithin(place.path, path))?.access ?? 'read';
}

/** Expands `~` in a path. */
export function expandHome(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}

/**
 * At the top of the home directory, everything decides what programs do: only directories without a leading dot are
 * writable. A directory that contains the home directory stays read-only.
 */
function writableParts(root: string, home: string): string[] {
  if (!isWithin(root, home)) return [root];
  if (root !== home) return [];
  return entriesOf(root)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => join(root, entry.name));
}

/** `.git` is handled separately: commits must be possible. */
function missingProtected(root: string): string[] {
  return [...protectedNames]
    .filter((name) => name !== '.git')
    .map((name) => join(root, name))
    .filter((path) => statOf(path, lstatSync) === undefined);
}

function placeAt(path: string, facts: Omit<SandboxEntry, 'path' | 'isDirectory'>): SandboxEntry[] {
  const stat = statOf(path, statSync);
  return stat === undefined ? [] : [{ path, ...facts, isDirectory: stat.isDirectory() }];
}

function statOf(path: string, read: typeof lstatSync | typeof statSync): Stats | undefined {
  return orElse(() => read(path, { throwIfNoEntry: false }) as Stats | undefined, undefined);
}

function outerFirst(one: SandboxEntry, other: SandboxEntry): number {
  return depthOf(one.path) - depthOf(other.path) || (one.path < other.path ? -1 : 1);
}

function depthOf(path: string): number {
  return path.split(sep).length;
}
