import { join } from 'node:path';
import { AgentError } from '@robota-sdk/agent-core';
import { Review, type ReviewTarget, reviewNoteType, targetChanges } from '@robota-sdk/agent-review';
import { readOriginals, type SessionHandle } from '@robota-sdk/agent-sessions';

/** Lists the changes of a session that is not open here. It takes no lock and writes nothing. */
export async function storedReview(handle: SessionHandle, target: ReviewTarget): Promise<Review> {
  const { cwd, directory } = handle;
  const checkpoints =
    target === 'session' && directory !== undefined
      ? await readOriginals(join(directory, 'checkpoints'))
      : undefined;
  const notes = handle
    .notes()
    .flatMap((entry) =>
      entry.type === 'custom' && entry.customType === reviewNoteType ? (entry.data ?? []) : [],
    );
  return new Review(await targetChanges(target, { cwd, checkpoints }), {
    cwd,
    notes: () => notes,
    addNote: refuse,
    write: refuse,
  });
}

function refuse(): never {
  throw new AgentError('session', 'The session is not open here, so nothing can be changed in it.');
}
