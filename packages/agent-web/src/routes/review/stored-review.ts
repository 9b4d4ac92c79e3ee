import { join } from 'node:path';
import { AgentError } from '@robota-sdk/agent-core';
import {
  hasCommits,
  Review,
  type ReviewedChanges,
  rangeChanges,
  reviewNoteType,
  sessionChanges,
  workingChanges,
  worktreeChanges,
} from '@robota-sdk/agent-review';
import type { ReviewTarget } from '@robota-sdk/agent-sdk/front-end';
import { readOriginals, type SessionHandle } from '@robota-sdk/agent-sessions';

/** Lists the changes of a session that is not open here. It takes no lock and writes nothing. */
export async function storedReview(handle: SessionHandle, target: ReviewTarget): Promise<Review> {
  const notes = handle
    .notes()
    .flatMap((entry) =>
      entry.type === 'custom' && entry.customType === reviewNoteType ? (entry.data ?? []) : [],
    );
  return new Review(await changesOf(handle, target), {
    cwd: handle.cwd,
    notes: () => notes,
    addNote: refuse,
    write: refuse,
  });
}

async function changesOf({ cwd, directory }: SessionHandle, target: ReviewTarget): Promise<ReviewedChanges> {
  if (typeof target === 'object' && 'range' in target) return rangeChanges(cwd, target.range);
  if (typeof target === 'object') return worktreeChanges(cwd, target.worktree);
  const own =
    directory === undefined
      ? undefined
      : await sessionChanges(await readOriginals(join(directory, 'checkpoints')), cwd);
  if (own && own.files.length + own.omitted.length > 0) return own;
  if (await hasCommits(cwd)) return workingChanges(cwd);
  return own ?? { title: 'this session', folder: cwd, files: [], omitted: [] };
}

function refuse(): never {
  throw new AgentError('session', 'The session is not open here, so nothing can be changed in it.');
}
