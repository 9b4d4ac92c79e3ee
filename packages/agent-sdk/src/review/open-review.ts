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
import { fileLedger } from '@robota-sdk/agent-tools';
import { remindOnce } from '../rewind/remind-once.ts';
import { pathShortener } from '../rewind/rewind-text.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import type { ReviewTarget } from './review-target.ts';

/** Lists changes to review. Reverts are visible to `/rewind` and to the model. */
export async function openReview(session: InteractiveSession, target: ReviewTarget): Promise<Review> {
  const { cwd } = session.place;
  const { context, checkpoints } = session;
  const afterWrite = restoredReminder(session);
  return new Review(await changesOf(session, target), {
    cwd,
    notes: () => context.notes(reviewNoteType),
    addNote: (note) => context.addNote(reviewNoteType, note),
    isHidden: (path) => session.permissions.hidden?.isHidden(path) === true,
    write: async (path, work) => {
      await (checkpoints ? checkpoints.record(path, '/review', work) : work());
      afterWrite(path);
    },
  });
}

async function changesOf(session: InteractiveSession, target: ReviewTarget): Promise<ReviewedChanges> {
  const { cwd } = session.place;
  if (typeof target === 'object' && 'range' in target) return rangeChanges(cwd, target.range);
  if (typeof target === 'object') return worktreeChanges(cwd, target.worktree);
  const { checkpoints } = session;
  const own = checkpoints && (await sessionChanges(checkpoints, cwd));
  if (own && own.files.length + own.omitted.length > 0) return own;
  if (await hasCommits(cwd)) return workingChanges(cwd);
  return own ?? { title: 'this session', folder: cwd, files: [], omitted: [] };
}

/** Makes the model read reverted files again, with one reminder for all of them. */
function restoredReminder(session: InteractiveSession): (path: string) => void {
  const restored = new Set<string>();
  const conversation = session.getSession();
  const shorten = pathShortener(session.place.cwd);
  return (path) => {
    conversation.state.get(fileLedger).outdate([path]);
    const isFirst = restored.size === 0;
    restored.add(shorten(path));
    if (!isFirst) return;
    remindOnce(conversation, () => {
      const paths = [...restored].join(', ');
      restored.clear();
      return `The user took back changes in these files; read them again before you change them: ${paths}`;
    });
  };
}
