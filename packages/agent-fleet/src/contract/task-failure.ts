import { AgentError, errorMessage, type ProblemHint } from '@robota-sdk/agent-core';
import type { TaskReason } from './task.ts';

/** A failure that ends a task, or parks it, with its reason. */
export class TaskFailure extends AgentError {
  readonly reason: TaskReason;

  constructor(code: TaskReason['code'], message: string, hint?: ProblemHint) {
    super('config', message, hint === undefined ? {} : { hint });
    this.name = 'TaskFailure';
    this.reason = { code, message: this.message };
  }
}

/** The reason of a task's end, from what a step threw. */
export function failureReason(error: unknown): TaskReason {
  return error instanceof TaskFailure ? error.reason : { code: 'internal', message: errorMessage(error) };
}
