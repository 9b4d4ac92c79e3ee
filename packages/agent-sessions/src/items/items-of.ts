import type { Entry } from '../entry/entry.ts';
import type { Session } from '../session/session.ts';
import type { Item } from './item.ts';
import { ItemReducer } from './item-reducer.ts';

/**
 * What a user sees of a session's active branch, also what compactions have taken out of the model's sight. Events that
 * come later can be applied to it.
 */
export function readSession(session: Session): ItemReducer {
  const reducer = new ItemReducer();
  for (const entry of session.branches.exported?.path() ?? []) reducer.apply({ entry });
  return reducer;
}

/** What a user sees of the last messages of a session's active branch; only their entries are read. */
export function lastItems(
  session: Session,
  messages: number,
): { readonly items: readonly Item[]; readonly isCut: boolean } {
  const entries: Entry[] = [];
  let left = messages;
  let isCut = false;
  for (const entry of session.branches.exported?.backwards() ?? []) {
    isCut = left === 0;
    if (isCut) break;
    entries.push(entry);
    if (entry.type === 'message' || entry.type === 'shell') left--;
  }
  const reducer = new ItemReducer();
  for (const entry of entries.reverse()) reducer.apply({ entry });
  return { items: reducer.items, isCut };
}
