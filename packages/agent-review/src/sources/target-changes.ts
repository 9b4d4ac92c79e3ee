import type { Checkpoints } from '@robota-sdk/agent-sessions';
import { regularFileAt } from '../model/replace-file.ts';
import type { ListedFile, ReviewedChanges } from '../model/review.ts';
import { hasCommits, rangeChanges, workingChanges, worktreeChanges } from './git-changes.ts';

/** The changes to review; a range is one revision, `FROM..TO` or `FROM...TO`. */
export type ReviewTarget = 'session' | { readonly range: string } | { readonly worktree: string };

export interface ReviewedSession {
  readonly cwd: string;
  readonly checkpoints: Pick<Checkpoints, 'originals' | 'unknownChanges'> | undefined;
}

/** Lists the changes of a target; for a session without changes of its own, those that git shows. */
export async function targetChanges(
  target: ReviewTarget,
  { cwd, checkpoints }: ReviewedSession,
): Promise<ReviewedChanges> {
  if (typeof target === 'object' && 'range' in target) return rangeChanges(cwd, target.range);
  if (typeof target === 'object') return worktreeChanges(cwd, target.worktree);
  const own = checkpoints && (await sessionChanges(checkpoints, cwd));
  if (own && own.files.length + own.omitted.length > 0) return own;
  if (await hasCommits(cwd)) return workingChanges(cwd);
  return own ?? { title: 'this session', folder: cwd, files: [], omitted: [] };
}

/** The files that the calls of a session changed: from before the first call to what is on disk now. */
async function sessionChanges(
  checkpoints: Pick<Checkpoints, 'originals' | 'unknownChanges'>,
  folder: string,
): Promise<ReviewedChanges> {
  const files: ListedFile[] = [];
  const omitted: string[] = [];
  for (const { path, before, mode, problem } of await checkpoints.originals()) {
    const found = regularFileAt(path);
    if (problem !== undefined || found === undefined) omitted.push(path);
    else files.push({ path, before, mode, after: found.bytes, found });
  }
  return { title: 'this session', folder, files, omitted, unknown: await checkpoints.unknownChanges() };
}
