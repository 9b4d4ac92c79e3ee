import { Review, type ReviewTarget, reviewNoteType, targetChanges } from '@robota-sdk/agent-review';
import { fileLedger } from '@robota-sdk/agent-tools';
import { remindOnce } from '../rewind/remind-once.ts';
import { pathShortener } from '../rewind/rewind-text.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';

/** Lists changes to review. Reverts are visible to `/rewind` and to the model. */
export async function openReview(session: InteractiveSession, target: ReviewTarget): Promise<Review> {
  const { cwd } = session.place;
  const { context, checkpoints } = session;
  const afterWrite = restoredReminder(session);
  return new Review(await targetChanges(target, { cwd, checkpoints }), {
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

/** Makes the model read files again whose hunks were taken back, with one reminder for all of them. */
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
