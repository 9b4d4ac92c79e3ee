import { foldNotes, reviewNoteType } from '@robota-sdk/agent-review';
import type { InteractiveSession } from '../session/interactive-session.ts';

/** How many comments wait to be sent. */
export function draftCount(session: InteractiveSession): number {
  const notes = session.context.notes(reviewNoteType);
  return notes.length === 0 ? 0 : foldNotes(notes).drafts.length;
}
