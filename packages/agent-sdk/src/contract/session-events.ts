import type { AgentError, AgentEvent, JsonValue, Notice, RunOutcome } from '@robota-sdk/agent-core';
import type { SkillActivation } from '@robota-sdk/agent-resources';
import type { ContextState } from '@robota-sdk/agent-sessions';
import type { ToolState } from '../state/tool-state.ts';
import type { JobGroupEvent, TaskEvent } from '../tasks/task-state.ts';

/** How a submitted prompt ended. */
export interface IExecutionResult extends RunOutcome {
  /** The answer. */
  readonly response: string;
  readonly contextState: ContextState;
  /** The parsed result, when one was asked for by a schema. */
  readonly structured?: JsonValue;
}

/** The events of a session, by name. */
export interface InteractiveSessionEvents {
  /** Every event of the loop; the others are derived from it. */
  event: AgentEvent;
  text_delta: string;
  tool_start: ToolState;
  tool_end: ToolState;
  thinking: boolean;
  user_message: string;
  complete: IExecutionResult;
  interrupted: IExecutionResult;
  error: AgentError;
  context_update: ContextState;
  notice: Notice;
  /** The user or the model uses a skill. */
  skill_activation: SkillActivation;
  background_task_event: TaskEvent;
  background_job_group_event: JobGroupEvent;
  /** The session is over; nothing comes after it. */
  shutdown: { readonly sessionId: string };
}
