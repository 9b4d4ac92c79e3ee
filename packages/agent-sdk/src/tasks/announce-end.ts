import type { StateKey } from '@robota-sdk/agent-core';
import type { Session } from '@robota-sdk/agent-sessions';
import { noticeOf } from './describe-tasks.ts';
import type { TaskRegistry } from './task-registry.ts';

/** The tasks whose end a person will be told by itself. */
const announced: StateKey<Set<string>> = { name: 'announcedTasks', create: () => new Set() };

/** Tells the person once when a task has ended, however often that was asked for. */
export function announceEnd(session: Session, registry: TaskRegistry, id: string): void {
  const ids = session.state.get(announced);
  if (ids.has(id)) return;
  ids.add(id);
  registry.whenEnded(id).then(
    (task) => ids.delete(id) && session.notify(noticeOf(task)),
    () => ids.delete(id),
  );
}

/** Whoever ends a task or waits for it is told its end by the answer to that. True if it would have been announced. */
export function dropAnnouncement(session: Session, id: string): boolean {
  return session.state.get(announced).delete(id);
}
