import type { StateKey } from '@robota-sdk/agent-core';
import type { Conversation } from '@robota-sdk/agent-sessions';
import { noticeOf } from './describe-tasks.ts';
import type { TaskRegistry } from './task-registry.ts';

/** Tasks whose end the user will be notified of. */
const announced: StateKey<Set<string>> = { name: 'announcedTasks', create: () => new Set() };

/** Notifies the user once when a task has ended, even if requested repeatedly. */
export function announceEnd(session: Conversation, registry: TaskRegistry, id: string): void {
  const ids = session.state.get(announced);
  if (ids.has(id)) return;
  ids.add(id);
  registry.whenEnded(id).then(
    (task) => ids.delete(id) && session.notify(noticeOf(task)),
    () => ids.delete(id),
  );
}

/** Cancels the notification, since the caller reports the end itself. Returns true if one was pending. */
export function dropAnnouncement(session: Conversation, id: string): boolean {
  return session.state.get(announced).delete(id);
}
