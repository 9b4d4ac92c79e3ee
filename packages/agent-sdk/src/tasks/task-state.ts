import { shortLine } from '@robota-sdk/agent-core';
import type { SessionTotals } from '@robota-sdk/agent-sessions';
import type { KeptWorktree } from '../subagents/kept-worktree.ts';

/** The kind of background work: an agent, or a background command of Bash. */
export type TaskKind = 'agent' | 'process';

/** `interrupted`: the program ended before the task, and nothing of it is running. */
export type TaskStatus =
  | 'queued'
  | 'running'
  | 'waiting_permission'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'interrupted';

/** Which watchdog stopped a task. */
export type TimeoutReason = 'idle' | 'runtime' | 'output' | 'text_deltas' | 'repetition';

interface TaskResult {
  readonly taskId: string;
  readonly kind: TaskKind;
  /** An agent's last message, or all its text if it did not finish; the end of a command's output. */
  readonly output: string;
  readonly exitCode?: number;
}

interface TaskError {
  readonly category: string;
  readonly message: string;
  /** True if it can be continued. */
  readonly recoverable: boolean;
}

/** A task's current state; an immutable value. */
export interface BackgroundTask {
  readonly id: string;
  readonly kind: TaskKind;
  readonly label: string;
  readonly agentType?: string;
  readonly status: TaskStatus;
  readonly mode: 'foreground' | 'background';
  readonly parentSessionId: string;
  readonly depth: number;
  readonly cwd: string;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly updatedAt: string;
  readonly completedAt?: string;
  readonly promptPreview?: string;
  readonly commandPreview?: string;
  readonly currentAction?: string;
  /** True if it ended, and its result was not viewed yet. */
  readonly unread: boolean;
  readonly result?: TaskResult;
  readonly error?: TaskError;
  /** Everything a command printed. */
  readonly logPath?: string;
  /** The conversation of an agent, a session file. */
  readonly transcriptPath?: string;
  readonly timeoutReason?: TimeoutReason;
  readonly model?: string;
  readonly isolation?: 'worktree';
  readonly worktree?: KeptWorktree;
  /** The usage of an agent, as counted so far. */
  readonly spent?: SessionTotals;
}

type TaskChange = 'created' | 'started' | 'updated' | 'completed' | 'failed' | 'cancelled';

/** An event of a task. */
export type TaskEvent =
  | { readonly type: `background_task_${TaskChange}`; readonly task: BackgroundTask }
  | { readonly type: 'background_task_text_delta'; readonly taskId: string; readonly delta: string }
  | {
      readonly type: 'background_task_tool_start';
      readonly taskId: string;
      readonly toolName: string;
      readonly firstArg?: string;
    }
  | {
      readonly type: 'background_task_tool_end';
      readonly taskId: string;
      readonly toolName: string;
      readonly firstArg?: string;
      readonly success: boolean;
      readonly error?: string;
    }
  | {
      readonly type: 'background_task_permission_request';
      readonly taskId: string;
      readonly toolName: string;
      readonly firstArg?: string;
    }
  | { readonly type: 'background_task_closed'; readonly taskId: string };

/** How long something that starts several tasks waits for them. */
export type WaitPolicy = 'detached' | 'wait_all' | 'wait_any' | 'manual';

export interface JobGroupResult {
  readonly taskId: string;
  readonly label: string;
  readonly status: TaskStatus;
  /** The result in a line. */
  readonly summary?: string;
  /** The file with the full output. */
  readonly outputRef?: string;
  readonly error?: TaskError;
  readonly worktree?: KeptWorktree;
}

/** A group of tasks and their results so far. */
export interface JobGroup {
  readonly id: string;
  readonly parentSessionId: string;
  readonly waitPolicy: WaitPolicy;
  readonly taskIds: readonly string[];
  readonly status: 'running' | 'completed';
  readonly label?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly completedAt?: string;
  readonly results: readonly JobGroupResult[];
}

export interface JobGroupEvent {
  readonly type: `background_job_group_${'created' | 'updated' | 'completed'}`;
  readonly group: JobGroup;
}

/** True if a task has ended, successfully or not. */
export function hasEnded({ status }: Pick<BackgroundTask, 'status'>): boolean {
  return status !== 'queued' && status !== 'running' && status !== 'waiting_permission';
}

/** A text in one short line, for lists. */
export function preview(text: string, length = 100): string {
  return shortLine(text, length);
}

/** The final text of an agent, without the note about its worktree. */
export function wordsOf({ result, worktree }: Pick<BackgroundTask, 'result' | 'worktree'>): string {
  const said = result?.output.trim() ?? '';
  const advice = worktree?.advice;
  return advice !== undefined && said.endsWith(advice) ? said.slice(0, -advice.length).trimEnd() : said;
}
