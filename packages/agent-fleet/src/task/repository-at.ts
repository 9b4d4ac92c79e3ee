import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { homeDirectory } from '@robota-sdk/agent-core';

/** The repository that a task names: a git URL as it is, a directory as the root of the work tree around it. */
export function repositoryAt(repo: string, { directory }: { readonly directory: string }): string {
  if (isGitUrl(repo)) return repo;
  const path = repo === '~' || repo.startsWith('~/') ? join(homeDirectory(), repo.slice(1)) : repo;
  const absolute = resolve(directory, path);
  return workTreeAround(absolute) ?? absolute;
}

/** True for `https://…`, `ssh://…`, `file://…` and `user@host:path`. */
export function isGitUrl(repo: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(repo) || /^[\w.-]+@[\w.-]+:/.test(repo);
}

function workTreeAround(directory: string): string | undefined {
  if (existsSync(join(directory, '.git'))) return directory;
  const parent = dirname(directory);
  return parent === directory ? undefined : workTreeAround(parent);
}
