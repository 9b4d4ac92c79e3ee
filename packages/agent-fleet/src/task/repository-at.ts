import { join, resolve } from 'node:path';
import { homeDirectory, repositoryOf } from '@robota-sdk/agent-core';

/** The repository that a task names: a git URL as it is, a directory as the root of the work tree around it. */
export function repositoryAt(repo: string, { directory }: { readonly directory: string }): string {
  if (isGitUrl(repo)) return repo;
  const path = repo === '~' || repo.startsWith('~/') ? join(homeDirectory(), repo.slice(1)) : repo;
  const absolute = resolve(directory, path);
  return repositoryOf(absolute) ?? absolute;
}

/** True for `https://…`, `ssh://…`, `file://…` and `user@host:path`. */
export function isGitUrl(repo: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(repo) || /^[\w.-]+@[\w.-]+:/.test(repo);
}
