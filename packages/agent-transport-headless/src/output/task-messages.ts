import {
  type BackgroundTask,
  hasEnded,
  type InteractiveSession,
  type JsonObject,
  type TaskEvent,
} from '@robota-sdk/agent-sdk/front-end';
import { eventLine } from './message-events.ts';
import type { Output } from './output.ts';

export interface TaskMessageOptions {
  /** Also say what an agent is doing. */
  readonly withSummaries?: boolean | undefined;
}

/** Prints the beginning, the calls and the end of background tasks in the words of Claude Code. */
export function taskMessages(
  session: InteractiveSession,
  stdout: Output,
  { withSummaries = false }: TaskMessageOptions = {},
): () => void {
  const calls = new Map<string, number>();
  return session.subscribe((event) => {
    if (event.type !== 'task-change') return;
    const line = messageOf(event.change, { session, calls, withSummaries });
    const write = (each: JsonObject) => stdout.write(eventLine(session, { type: 'system', ...each }));
    if (!line) return;
    const isSame = line.subtype === 'task_progress';
    return isSame ? write(line) : Promise.all([write(line), write(liveTasks(session))]);
  });
}

/** All background tasks that have not ended; a program replaces its list by it. */
export function liveTasks(session: InteractiveSession): JsonObject {
  const live = session.tasks.list().filter((task) => task.mode === 'background' && !hasEnded(task));
  return { type: 'system', subtype: 'background_tasks_changed', tasks: live.map(aboutTask) };
}

interface Told {
  readonly session: InteractiveSession;
  /** How many calls a task has made. */
  readonly calls: Map<string, number>;
  readonly withSummaries: boolean;
}

function messageOf(change: TaskEvent, { session, calls, withSummaries }: Told): JsonObject | undefined {
  switch (change.type) {
    case 'background_task_started':
      return { subtype: 'task_started', ...aboutTask(change.task), ...startOf(change.task) };
    case 'background_task_tool_start': {
      const { taskId, toolName, firstArg = '' } = change;
      const task = session.tasks.find(taskId);
      if (!task) return undefined;
      calls.set(taskId, (calls.get(taskId) ?? 0) + 1);
      return {
        subtype: 'task_progress',
        ...aboutTask(task),
        usage: usageOf(task, calls),
        last_tool_name: toolName,
        ...(withSummaries ? { summary: firstArg === '' ? toolName : `${toolName}: ${firstArg}` } : {}),
      };
    }
    case 'background_task_completed':
    case 'background_task_failed':
    case 'background_task_cancelled':
      return endOf(change.task, calls);
    default:
      return undefined;
  }
}

/** Fields of a task that has just started. */
function startOf({ kind, mode, depth, promptPreview }: BackgroundTask): JsonObject {
  return {
    is_backgrounded: mode === 'background',
    ...(kind === 'agent' ? { spawn_depth: depth } : {}),
    ...(promptPreview === undefined ? {} : { prompt: promptPreview }),
  };
}

const ends: Readonly<Record<string, string>> = { completed: 'completed', cancelled: 'stopped' };
const longestSummary = 500;

function endOf(task: BackgroundTask, calls: Told['calls']): JsonObject {
  const { status, result, error, transcriptPath, logPath } = task;
  const said = error?.message ?? result?.output ?? '';
  return {
    subtype: 'task_notification',
    ...aboutTask(task),
    status: ends[status] ?? 'failed',
    output_file: transcriptPath ?? logPath ?? '',
    summary: [...said].slice(0, longestSummary).join(''),
    usage: usageOf(task, calls),
  };
}

function aboutTask({ id, label, kind, agentType }: BackgroundTask): JsonObject {
  const task_type = kind === 'agent' ? 'local_agent' : 'local_bash';
  const agent = agentType === undefined ? {} : { subagent_type: agentType };
  return { task_id: id, description: label, task_type, ...agent };
}

function usageOf({ id, spent, startedAt }: BackgroundTask, calls: Told['calls']): JsonObject {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = spent?.usage ?? {};
  return {
    total_tokens: input + output + cacheRead + cacheWrite,
    tool_uses: calls.get(id) ?? 0,
    duration_ms: startedAt === undefined ? 0 : Math.max(0, Date.now() - Date.parse(startedAt)),
  };
}
