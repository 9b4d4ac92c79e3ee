import {
  describing,
  either,
  exactly,
  flag,
  integer,
  list,
  number,
  object,
  text,
  words,
} from '@robota-sdk/agent-core';
import type { JobGroupEvent, TaskEvent } from '@robota-sdk/agent-sdk/front-end';
import { usage } from './message-shapes.ts';

const status = words(
  'queued',
  'running',
  'waiting_permission',
  'completed',
  'failed',
  'cancelled',
  'interrupted',
);
const error = object({ category: text, message: text, recoverable: flag });
const worktree = object({ path: text, branch: text, base: text }, { advice: text });
const kind = words('agent', 'process');

const task = object(
  {
    id: text,
    kind,
    label: text,
    status,
    mode: words('foreground', 'background'),
    parentSessionId: text,
    depth: integer,
    cwd: text,
    createdAt: text,
    updatedAt: text,
    unread: flag,
  },
  {
    agentType: text,
    startedAt: text,
    completedAt: text,
    promptPreview: text,
    commandPreview: text,
    currentAction: text,
    result: object({ taskId: text, kind, output: text }, { exitCode: integer }),
    error,
    logPath: text,
    transcriptPath: text,
    timeoutReason: words('idle', 'runtime', 'output', 'text_deltas', 'repetition'),
    model: text,
    isolation: exactly('worktree'),
    worktree,
    spent: object({ usage, cost: number, modelCalls: integer }),
  },
);

const call = { taskId: text, toolName: text };

const taskEvent = either(
  object({
    type: words(
      'background_task_created',
      'background_task_started',
      'background_task_updated',
      'background_task_completed',
      'background_task_failed',
      'background_task_cancelled',
    ),
    task,
  }),
  object({ type: exactly('background_task_text_delta'), taskId: text, delta: text }),
  object({ type: exactly('background_task_tool_start'), ...call }, { firstArg: text }),
  object(
    { type: exactly('background_task_tool_end'), ...call, success: flag },
    { firstArg: text, error: text },
  ),
  object({ type: exactly('background_task_permission_request'), ...call }, { firstArg: text }),
  object({ type: exactly('background_task_closed'), taskId: text }),
);

const groupResult = object(
  { taskId: text, label: text, status },
  { summary: text, outputRef: text, error, worktree },
);

const jobGroupEvent = object({
  type: words(
    'background_job_group_created',
    'background_job_group_updated',
    'background_job_group_completed',
  ),
  group: object(
    {
      id: text,
      parentSessionId: text,
      waitPolicy: words('detached', 'wait_all', 'wait_any', 'manual'),
      taskIds: list(text),
      status: words('running', 'completed'),
      createdAt: text,
      updatedAt: text,
      results: list(groupResult),
    },
    { label: text, completedAt: text },
  ),
});

/** Events of background tasks and their groups. */
export const taskShapes = describing<{ readonly task: TaskEvent; readonly group: JobGroupEvent }>()({
  task: taskEvent,
  group: jobGroupEvent,
});
