import type { EntryDraft } from '../entry/entry.ts';

/** Whether something makes a session worth keeping: the choice of a model does not, nor what a model is told besides. */
export function isBeginning(draft: EntryDraft): boolean {
  if (draft.type === 'model_change' || draft.type === 'thinking_level_change') return false;
  return draft.type !== 'message' || draft.message.role !== 'user' || draft.message.origin !== 'reminder';
}
