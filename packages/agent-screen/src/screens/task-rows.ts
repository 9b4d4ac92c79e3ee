import { type BackgroundTask, hasEnded, type InteractiveSession } from '@robota-sdk/agent-sdk/front-end';
import { bold, oneLine, textWidth, truncateText } from '@robota-sdk/agent-tui';
import { describeSeconds } from '../items/describe-time.ts';
import type { AppStyle } from '../theme/app-tokens.ts';

/** The tasks of a session: those that run first, then the ended ones, the latest first. */
export function orderedTasks(session: InteractiveSession): readonly BackgroundTask[] {
  const tasks = session.tasks.list();
  const ended = tasks.filter(hasEnded).toSorted((one, other) => endOf(other) - endOf(one));
  return [...tasks.filter((task) => !hasEnded(task)), ...ended];
}

function endOf({ completedAt, updatedAt }: BackgroundTask): number {
  return Date.parse(completedAt ?? updatedAt);
}

export interface TaskRowView {
  readonly width: number;
  readonly isSelected: boolean;
  readonly look: AppStyle;
  /** The last line that a running command printed. */
  readonly lastLine: string | undefined;
}

const idWidth = 8;
const timeWidth = 6;

/** A task in one row: state, id, what it is, how long it takes or took, and what it does or came to. */
export function renderTask(task: BackgroundTask, { width, isSelected, look, lastLine }: TaskRowView): string {
  const { paint, glyphs } = look;
  const labelWidth = Math.max(12, Math.min(34, Math.floor(width * 0.36)));
  const fit = (text: string, room: number) => {
    const shown = truncateText(oneLine(text), room, glyphs.ellipsis);
    return shown + ' '.repeat(Math.max(0, room - textWidth(shown)));
  };
  const label = fit(taskLabel(task), labelWidth);
  const note = oneLine(noteOf(task, lastLine));
  const left = `${signOf(task, look)} ${fit(task.id, idWidth)}  ${isSelected ? paint('accent', bold(label)) : label}`;
  const line = `${left}${taskTime(task).padStart(timeWidth)}    ${isSelected ? note : paint('dim', note)}`;
  return truncateText(line, width, glyphs.ellipsis);
}

/** `Explore: look at the cart`, or the command. */
export function taskLabel({ agentType, label }: BackgroundTask): string {
  return agentType === undefined ? label : `${agentType}: ${label}`;
}

function signOf(task: BackgroundTask, { paint, glyphs }: AppStyle): string {
  switch (task.status) {
    case 'completed':
      return paint('success', glyphs.success);
    case 'failed':
      return paint('error', glyphs.failure);
    case 'cancelled':
    case 'interrupted':
      return paint('warning', glyphs.denied);
    case 'queued':
      return paint('dim', glyphs.waiting);
    default:
      return paint('warning', glyphs.running);
  }
}

const states: Readonly<Record<BackgroundTask['status'], string>> = {
  queued: 'queued',
  running: 'running',
  waiting_permission: 'waiting for your answer',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
};

/** The state of a task as a word. */
export function taskState({ status }: BackgroundTask): string {
  return states[status];
}

function noteOf(task: BackgroundTask, lastLine: string | undefined): string {
  const { status, currentAction, error, result } = task;
  if (status === 'running') return lastLine ?? currentAction ?? states.running;
  if (!hasEnded(task)) return states[status];
  const said = error?.message ?? result?.output.trimEnd().split('\n').at(-1) ?? '';
  return said === '' || status === 'cancelled' ? states[status] : `${states[status]}: ${said}`;
}

/** How long a task runs or ran. */
export function taskTime({ startedAt, completedAt }: BackgroundTask): string {
  if (startedAt === undefined) return '';
  const end = completedAt === undefined ? Date.now() : Date.parse(completedAt);
  return describeSeconds(Math.max(0, Math.floor((end - Date.parse(startedAt)) / 1000)));
}
