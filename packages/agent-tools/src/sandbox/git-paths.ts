import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { orElse, readRegularFileSync, realPathOf } from '@robota-sdk/agent-core';

/** The parts of repositories that commands need, and those that decide what git runs. */
export interface GitPaths {
  /** Git directories: commits, branches and the index are written here. */
  readonly writable: readonly string[];
  /** Existing hooks, configuration and pointers between repositories. */
  readonly readOnly: readonly string[];
  /** Paths that would redirect git if they were created. */
  readonly absent: readonly string[];
  /** The index of the working tree, and the tree's root. */
  readonly index?: { readonly file: string; readonly root: string };
}

const nothing: GitPaths = { writable: [], readOnly: [], absent: [] };

/**
 * Finds the repository of a directory, also in a parent, a linked worktree or a submodule whose git directory is
 * elsewhere. A pointer to a git directory counts only if that points back: a repository must not claim any directory as
 * its own.
 */
export function findGitPaths(directory: string): GitPaths {
  const dotGit = findDotGit(directory);
  if (dotGit === undefined) return nothing;
  const root = dirname(dotGit);
  if (isDirectory(dotGit))
    return isGitDirectory(dotGit)
      ? { ...placesOf(realPathOf(dotGit)), index: { file: join(dotGit, 'index'), root } }
      : nothing;
  const gitDirectory = followPointer(dotGit);
  if (gitDirectory === undefined) return { ...nothing, readOnly: [dotGit] };
  const places = placesOf(commonDirectory(gitDirectory));
  const own = guardedParts(gitDirectory);
  return {
    // A separate mount each, so that it cannot be renamed and replaced.
    writable: [...new Set([...places.writable, gitDirectory])],
    readOnly: [...new Set([dotGit, ...places.readOnly, ...own.existing])],
    absent: [...new Set([...places.absent, ...own.missing])],
    index: { file: join(gitDirectory, 'index'), root },
  };
}

function findDotGit(directory: string): string | undefined {
  for (let current = directory; ; current = dirname(current)) {
    const candidate = join(current, '.git');
    if (existsSync(candidate)) return candidate;
    if (dirname(current) === current) return undefined;
  }
}

function placesOf(gitDirectory: string): GitPaths {
  const modules = submodules(join(gitDirectory, 'modules'), 0);
  const worktrees = childDirectories(join(gitDirectory, 'worktrees')).slice(0, mostWorktrees);
  const repositories = [gitDirectory, ...modules, ...worktrees];
  const parts = repositories.map(guardedParts);
  const parents = [
    ...(modules.length > 0 ? [join(gitDirectory, 'modules')] : []),
    ...(worktrees.length > 0 ? [join(gitDirectory, 'worktrees')] : []),
  ];
  return {
    writable: [gitDirectory, ...parents, ...modules, ...worktrees],
    readOnly: parts.flatMap(({ existing }) => existing),
    absent: parts.flatMap(({ missing }) => missing),
  };
}

const mostWorktrees = 10;

// `commondir` makes git use configuration and hooks of another directory.
const guardedNames = ['hooks', 'config', 'config.worktree', 'commondir', 'gitdir', 'info/attributes'];

function guardedParts(gitDirectory: string): { existing: readonly string[]; missing: readonly string[] } {
  const paths = guardedNames.map((name) => join(gitDirectory, name));
  const existing = paths.filter((path) => existsSync(path));
  return { existing, missing: paths.filter((path) => !existing.includes(path)) };
}

function submodules(directory: string, depth: number): string[] {
  if (depth > 4) return [];
  return childDirectories(directory).flatMap((child) => {
    if (!isGitDirectory(child)) return submodules(child, depth + 1);
    return [child, ...submodules(join(child, 'modules'), depth + 1)];
  });
}

function childDirectories(directory: string): string[] {
  return orElse(
    () =>
      readdirSync(directory, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => join(directory, entry.name)),
    [],
  );
}

/** The git directory that a `.git` file names, if it points back to this file. */
function followPointer(dotGit: string): string | undefined {
  const target = /^gitdir: (.+)$/m.exec(readText(dotGit))?.[1];
  if (target === undefined) return undefined;
  const gitDirectory = realPathOf(resolve(dirname(dotGit), target.trim()));
  if (!isGitDirectory(gitDirectory) && !existsSync(join(gitDirectory, 'commondir'))) return undefined;
  return pointsBack(gitDirectory, dotGit) ? gitDirectory : undefined;
}

function pointsBack(gitDirectory: string, dotGit: string): boolean {
  const fromWorktree = readText(join(gitDirectory, 'gitdir')).trim();
  if (fromWorktree !== '') {
    return (
      realPathOf(resolve(gitDirectory, fromWorktree)) === realPathOf(dotGit) &&
      isGitDirectory(commonDirectory(gitDirectory))
    );
  }
  const worktree = /^[ \t]*worktree[ \t]*=[ \t]*(\S.*)$/m
    .exec(readText(join(gitDirectory, 'config')))?.[1]
    ?.trimEnd();
  if (worktree === undefined) return false;
  return (
    realPathOf(resolve(gitDirectory, worktree.replace(/^"(.*)"$/, '$1'))) === realPathOf(dirname(dotGit))
  );
}

function commonDirectory(gitDirectory: string): string {
  const common = readText(join(gitDirectory, 'commondir')).trim();
  return common === '' ? gitDirectory : realPathOf(resolve(gitDirectory, common));
}

function isGitDirectory(path: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(path, name)));
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

const largestPointer = 1024 * 1024;

function readText(path: string): string {
  return orElse(() => readRegularFileSync(path, { largest: largestPointer }).toString(), '');
}
