import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { orElse } from '@robota-sdk/agent-core';

/** A worktree made for a session, and the repository that it belongs to. */
interface OwnWorktree {
  readonly name: string;
  readonly path: string;
  readonly repository: string;
  /** The directory of the repository that corresponds to the given one. */
  readonly original: string;
}

/** The worktree below Robota's data folder that contains a directory. */
export function ownWorktree(directory: string, home: string): OwnWorktree | undefined {
  const [project = '', name = ''] = relative(join(home, 'worktrees'), directory).split(/[\\/]/);
  if (project === '' || project === '..' || name === '') return undefined;
  const path = join(home, 'worktrees', project, name);
  if (!existsSync(join(path, '.git')) || dirname(path) === path) return undefined;
  // Its `.git` is a file with the path REPOSITORY/.git/worktrees/NAME.
  const pointer = orElse(() => readFileSync(join(path, '.git'), 'utf8'), '');
  const common = dirname(dirname(pointer.trim().replace('gitdir: ', '')));
  if (basename(common) !== '.git') return undefined;
  const repository = dirname(common);
  const original = join(repository, relative(path, directory));
  return { name, path, repository, original: existsSync(original) ? original : repository };
}
