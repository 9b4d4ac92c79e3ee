import {
  type BackgroundTask,
  errorMessage,
  hasEnded,
  type InteractiveSession,
} from '@robota-sdk/agent-sdk/front-end';
import { ForegroundTask } from '../live/foreground-task.ts';
import type { OpenPanel, Stage } from '../stage/stage.ts';
import { RuledList } from './ruled-list.ts';
import { LastLines, TaskOutput } from './task-output.ts';
import { orderedTasks, renderTask, taskLabel, taskState, taskTime } from './task-rows.ts';

/** Milliseconds between two looks at what tasks have written. */
const updateMs = 500;

/** Lists the tasks of a session, shows their output as it comes, and stops them. */
export function openTasksScreen(stage: Stage, session: InteractiveSession): void {
  const lastLines = new LastLines(session);
  const update = () => void lastLines.update().then(() => stage.refresh());
  const timer = setInterval(update, updateMs).unref();
  const running = () => session.tasks.list().filter((task) => !hasEnded(task)).length;
  const list = new RuledList<BackgroundTask>({
    stage,
    title: 'Tasks',
    note: () => `${running()} running`,
    rows: () => orderedTasks(session),
    emptyText: `No tasks. ${stage.keys.keysOf('app.background')[0] ?? 'ctrl+b'} moves a running command here; agents of the model and of /agent are listed as well.`,
    keyOf: ({ id }) => id,
    render: (task, view) => renderTask(task, { ...view, look: stage.look, lastLine: lastLines.get(task.id) }),
    hints: (task) => [
      ...(task === undefined ? [] : [{ keys: 'enter', text: 'output' }, ...actionHints(task)]),
      { keys: 'esc', text: 'close' },
    ],
    onKey: ({ id: key }, task) => {
      if (key === 'x' && task && !hasEnded(task)) askToStop(task, { list, session });
      if (key === 'd' && task && hasEnded(task)) session.tasks.close(task.id);
      if (key === 'f' && task && !hasEnded(task)) {
        close();
        followTask(task, { session, stage });
      }
    },
    onSelect: ({ id }) => showTaskOutput(id, { list, session, stage }),
    onClose: () => close(),
  });
  const open: OpenPanel = stage.openScreen(list);
  const close = () => {
    clearInterval(timer);
    open.close();
  };
  update();
}

const stopHint = { keys: 'x', text: 'stop' };
const dismissHint = { keys: 'd', text: 'dismiss' };
const foregroundHint = { keys: 'f', text: 'foreground' };

function actionHints(task: BackgroundTask) {
  return hasEnded(task) ? [dismissHint] : [stopHint, foregroundHint];
}

/** Follows a task above the editor until it ends or is moved back. */
function followTask(
  task: BackgroundTask,
  { session, stage }: { readonly session: InteractiveSession; readonly stage: Stage },
): void {
  const output = new TaskOutput(session, task.id);
  const close = () => {
    clearInterval(timer);
    open.close();
  };
  const update = () => {
    const now = session.tasks.find(task.id);
    if (!now || hasEnded(now)) return close();
    void output.update().then(() => stage.refresh());
  };
  const timer = setInterval(update, updateMs).unref();
  const open = stage.openPanel(
    new ForegroundTask({
      look: stage.look,
      keys: stage.keys,
      title: `${task.id} ${taskLabel(task)}`,
      time: () => taskTime(session.tasks.find(task.id) ?? task),
      lines: (width) => output.lines(width),
      onClose: close,
    }),
  );
  update();
}

interface TaskList {
  readonly session: InteractiveSession;
  readonly list: Pick<RuledList<unknown>, 'lastLine' | 'read'>;
}

/** Shows the output of a task, and follows it while the task runs. */
export function showTaskOutput(
  id: string,
  { list, session, stage }: TaskList & { readonly stage: Stage },
): void {
  const output = new TaskOutput(session, id);
  const update = () => void output.update().then(() => stage.refresh());
  const timer = setInterval(update, updateMs).unref();
  const task = () => session.tasks.find(id);
  const first = task();
  list.read({
    title: first === undefined ? id : `${id} ${taskLabel(first)}`,
    note: () => {
      const now = task();
      return now === undefined ? '' : `${taskState(now)} ${taskTime(now)}`.trim();
    },
    lines: (width) => output.lines(width),
    isFollowed: true,
    hints: () => {
      const now = task();
      return now && !hasEnded(now) ? [stopHint] : [];
    },
    onKey: (key) => {
      const now = task();
      if (key === 'x' && now && !hasEnded(now)) askToStop(now, { list, session });
    },
    onClose: () => clearInterval(timer),
  });
  update();
}

function askToStop(task: BackgroundTask, { list, session }: TaskList): void {
  list.lastLine.ask({
    text: `Stop ${task.id}?`,
    verb: 'stop',
    onYes: () => {
      session.tasks.cancel(task.id, 'The user stopped it.').catch((thrown: unknown) => {
        list.lastLine.tell(errorMessage(thrown));
      });
    },
  });
}
