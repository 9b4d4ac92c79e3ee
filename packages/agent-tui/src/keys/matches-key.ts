import type { KeyEvent } from './key-event.ts';
import { normalizeKeyId } from './key-id.ts';

/** Whether an event is the stroke of a key id such as `ctrl+shift+p`; letting a key go is none. */
export function matchesKey(event: KeyEvent, id: string): boolean {
  if (event.action === 'release') return false;
  const wanted = normalizeKeyId(id);
  return wanted !== undefined && (event.id === wanted || event.otherIds.includes(wanted));
}
