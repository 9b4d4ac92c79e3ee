import type { CommandContext, CommandOutcome } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { dropAnnouncement } from '../tasks/announce-end.ts';
import { adviceLines, describeTasks } from '../tasks/describe-tasks.ts';
import type { BackgroundTask } from '../tasks/task-state.ts';

/** `/tasks` and `/background`. */
export async function runTasksCommand(
  args: string,
  { session }: Pick<CommandContext<InteractiveSession>, 'session'>,
): Promise<CommandOutcome> {
  const [, action = 'list', id = '', more = ''] = /^(\S*)\s*(\S*)\s*([\s\S]*)$/.exec(args.trim()) ?? [];
  if (action === '' || action === 'list') return listTasks(session.listBackgroundTasks());
  if (id === '') return { kind: 'error', text: 'Write /tasks [list | read ID | cancel ID | close ID].' };
  if (action === 'read') return readTask(session, id, Number(more) || 0);
  if (action === 'cancel' || action === 'stop') return cancelTask(session, id, more);
  if (action === 'close') return closeTask(session, id);
  return { kind: 'error', text: `There is no /tasks ${action}; there are list, read, cancel and close.` };
}

function listTasks(tasks: readonly BackgroundTask[]): CommandOutcome {
  return { kind: 'notice', text: describeTasks(tasks), data: tasks };
}

/** What a task has written from a place on, and where it stands. */
export async function readTask(
  session: InteractiveSession,
  id: string,
  offset: number,
): Promise<CommandOutcome> {
  const part = await session.readBackgroundTaskLog(session.tasks.require(id).id, { offset });
  const task = session.tasks.require(id);
  const said = part.text.trimEnd() === '' ? '(nothing yet)' : part.text.trimEnd();
  const more = part.isEnd ? '' : `\n/tasks read ${task.id} ${part.nextOffset} goes on.`;
  const why = task.error ? [task.error.message] : [];
  const state = [describeTasks([task]), ...why, ...adviceLines(task.worktree)].join('\n');
  return {
    kind: 'notice',
    text: `${said}\n\n${state}${more}`,
    data: { task, ...part },
  };
}

export async function cancelTask(
  session: InteractiveSession,
  id: string,
  reason: string | undefined,
): Promise<CommandOutcome> {
  const before = session.tasks.require(id);
  dropAnnouncement(session.getSession(), before.id);
  const task = await session.cancelBackgroundTask(before.id, reason === '' ? undefined : reason);
  session.tasks.markRead(task.id);
  const why = task.error ? [task.error.message] : [];
  const ended = session.tasks.require(task.id);
  return {
    kind: 'notice',
    text: [describeTasks([ended]), ...why, ...adviceLines(task.worktree)].join('\n'),
    data: ended,
  };
}

export function closeTask(session: InteractiveSession, id: string): CommandOutcome {
  const task = session.tasks.require(id);
  session.closeBackgroundTask(task.id);
  const kept = task.transcriptPath ?? task.logPath;
  const where = kept === undefined ? '' : ` What it wrote stays in ${kept}.`;
  return { kind: 'notice', text: `${task.id} is off the list.${where}`, data: { taskId: task.id } };
}
