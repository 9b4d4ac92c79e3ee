import type { Notice } from '@robota-sdk/agent-core';
import { type BackgroundTask, hasEnded, type JobGroup, preview, wordsOf } from './task-state.ts';

/** One line per task: id, state, agent, label. */
export function describeTasks(tasks: readonly BackgroundTask[]): string {
  if (tasks.length === 0) return 'No background tasks.';
  return tasks.map(describeTask).join('\n');
}

function describeTask(task: BackgroundTask): string {
  const { id, status, timeoutReason, agentType, kind, label, currentAction, unread } = task;
  const state = timeoutReason === undefined ? status : `${status} (${timeoutReason})`;
  const doing = hasEnded(task) || currentAction === undefined ? '' : ` · ${preview(currentAction, 60)}`;
  const time = timeOf(task);
  const told = unread ? ' · not read yet' : '';
  return `${id}  ${state}${time}  ${agentType ?? kind}: ${preview(label, 80)}${doing}${told}`;
}

/** The notice that a task has ended. Required actions are included in full. */
export function noticeOf(task: BackgroundTask): Notice {
  const { id, agentType, status, error, worktree } = task;
  const what = preview(error?.message ?? wordsOf(task), 200);
  const level = status === 'completed' ? 'info' : 'warning';
  const told = `${agentType} ${id} ${wordOf(status)}: ${what} (/agent read ${id})`;
  return { level, text: [told, ...adviceLines(worktree)].join('\n') };
}

/** The notice that a background command has ended. */
export function noticeOfCommand(task: BackgroundTask): Notice {
  const { id, status, result, label } = task;
  const isFailed = status === 'failed';
  const how = isFailed && result?.exitCode !== undefined ? ` with exit code ${result.exitCode}` : '';
  return {
    level: isFailed ? 'warning' : 'info',
    text: `${id} ${wordOf(status)}${how} after${timeOf(task)}: ${label}`,
  };
}

/** The end of a background command for the model, with the last of its output. */
export function describeEndedCommand({ id, status, label, result, error, logPath }: BackgroundTask): string {
  const printed = result?.output.trim() ?? '';
  const rest = logPath === undefined ? [] : [`[all output: ${logPath}]`];
  const why = error === undefined ? [] : [`[${error.message}]`];
  const lines = [`<background-task id="${id}" status="${status}">`, `$ ${label}`, printed, ...why, ...rest];
  return [...lines.filter((line) => line !== ''), '</background-task>'].join('\n');
}

/** Describes the worktree of an agent, one line per possible action. */
export function adviceLines(worktree: BackgroundTask['worktree']): readonly string[] {
  return worktree?.advice?.split('\n').map((line) => `  ${line}`) ?? [];
}

/** Describes the end of a task, with its full result. */
export function describeTaskEnd(task: BackgroundTask): string {
  const { result, error } = task;
  const said = result?.output.trim() ?? '';
  const why = error ? `[${task.status}: ${error.message}]` : '';
  return [said, why].filter((part) => part !== '').join('\n\n');
}

/** Describes the results of a group: a count, and a line for each. */
export function describeGroup({ id, results }: JobGroup): string {
  const count = (status: string) => results.filter((each) => each.status === status).length;
  const [completed, failed, cancelled] = ['completed', 'failed', 'cancelled'].map(count);
  const lost = count('interrupted');
  const pending = results.filter((each) => !hasEnded(each)).length;
  const counts = [
    `${results.length} total`,
    `${completed} completed`,
    `${failed} failed`,
    `${cancelled} cancelled`,
    ...(lost > 0 ? [`${lost} interrupted`] : []),
    `${pending} pending`,
  ];
  const lines = results.flatMap(({ taskId, label, status, summary, error, worktree }) => {
    const told = status === 'completed' ? summary : (error?.message ?? summary);
    const line = `- ${label} (${taskId}) ${status}${told === undefined || told === '' ? '' : `: ${told}`}`;
    return [line, ...adviceLines(worktree)];
  });
  return [`${id}: ${counts.join(', ')}`, ...lines].join('\n');
}

function wordOf(status: BackgroundTask['status']): string {
  return status === 'completed' ? 'done' : status;
}

function timeOf({ startedAt, completedAt }: BackgroundTask): string {
  if (startedAt === undefined) return '';
  const end = completedAt === undefined ? Date.now() : Date.parse(completedAt);
  const seconds = Math.max(0, Math.round((end - Date.parse(startedAt)) / 1000));
  return seconds < 120 ? ` ${seconds}s` : ` ${Math.round(seconds / 60)}m`;
}
