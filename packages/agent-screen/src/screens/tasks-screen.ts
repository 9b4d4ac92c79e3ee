import {
  type BackgroundTask,
  errorMessage,
  hasEnded,
  type InteractiveSession,
} from '@robota-sdk/agent-sdk/front-end';
import type { OpenPanel, Stage } from '../stage/stage.ts';
import { RuledList } from './ruled-list.ts';
import { LastLines, TaskOutput } from './task-output.ts';
import { labelOf, orderedTasks, renderTask, stateOf, timeOf } from './task-rows.ts';

/** Milliseconds between two looks at what tasks have written. */
const updateMs = 500;

/** Lists the tasks of a session, shows their output as it comes, and stops them; false if there are none. */
export function openTasksScreen(stage: Stage, session: InteractiveSession): boolean {
  if (session.tasks.list().length === 0) return false;
  const lastLines = new LastLines(session);
  const update = () => void lastLines.update().then(() => stage.refresh());
  const timer = setInterval(update, updateMs).unref();
  const running = () => session.tasks.list().filter((task) => !hasEnded(task)).length;
  const list = new RuledList<BackgroundTask>({
    stage,
    title: 'Tasks',
    note: () => `${running()} running`,
    rows: () => orderedTasks(session),
    keyOf: ({ id }) => id,
    render: (task, view) => renderTask(task, { ...view, look: stage.look, lastLine: lastLines.get(task.id) }),
    hints: (task) => [
      { keys: 'enter', text: 'output' },
      ...(task === undefined ? [] : [hasEnded(task) ? dismissHint : stopHint]),
      { keys: 'esc', text: 'close' },
    ],
    onKey: ({ id: key }, task) => {
      if (key === 'x' && task && !hasEnded(task)) askToStop(task, { list, session });
      if (key === 'd' && task && hasEnded(task)) session.tasks.close(task.id);
      if (session.tasks.list().length === 0) close();
    },
    onSelect: ({ id }) => readTask(id, { list, session, stage }),
    onClose: () => close(),
  });
  const open: OpenPanel = stage.openScreen(list);
  const close = () => {
    clearInterval(timer);
    open.close();
  };
  update();
  return true;
}

const stopHint = { keys: 'x', text: 'stop' };
const dismissHint = { keys: 'd', text: 'dismiss' };

interface TaskList {
  readonly session: InteractiveSession;
  readonly list: Pick<RuledList<unknown>, 'ask' | 'read' | 'tell'>;
}

/** Shows the output of a task, and follows it while the task runs. */
export function readTask(id: string, { list, session, stage }: TaskList & { readonly stage: Stage }): void {
  const output = new TaskOutput(session, id);
  const update = () => void output.update().then(() => stage.refresh());
  const timer = setInterval(update, updateMs).unref();
  const task = () => session.tasks.find(id);
  const first = task();
  list.read({
    title: first === undefined ? id : `${id} ${labelOf(first)}`,
    note: () => {
      const now = task();
      return now === undefined ? '' : `${stateOf(now)} ${timeOf(now)}`.trim();
    },
    lines: (width) => output.lines(width),
    isFollowed: true,
    hints: [stopHint],
    onKey: (key) => {
      const now = task();
      if (key === 'x' && now && !hasEnded(now)) askToStop(now, { list, session });
    },
    onClose: () => clearInterval(timer),
  });
  update();
}

function askToStop(task: BackgroundTask, { list, session }: TaskList): void {
  list.ask({
    text: `Stop ${task.id}?`,
    verb: 'stop',
    onYes: () => {
      session.tasks.cancel(task.id, 'The user stopped it.').catch((thrown: unknown) => {
        list.tell(errorMessage(thrown));
      });
    },
  });
}
