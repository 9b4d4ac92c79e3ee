import type { AgentEvent as LoopEvent } from '@robota-sdk/agent-core';
import type { ContextState } from '@robota-sdk/agent-sessions';
import type { JobGroupEvent, TaskEvent } from '../tasks/task-state.ts';
import type { Answer, Question } from './question.ts';
import type { RunResult } from './run-result.ts';

/** Set on what happens inside a subagent. */
interface FromAgent {
  readonly agentId?: string;
}

/** Everything that happens in a session, in order; each value is serialisable as it stands. */
export type AgentEvent =
  | (Exclude<LoopEvent, { readonly type: 'run-end' }> & FromAgent)
  /** The session is open: its id, directory, model and what was wrong with its files. */
  | {
      readonly type: 'session-open';
      readonly sessionId: string;
      readonly cwd: string;
      readonly model: string;
      readonly problems: readonly string[];
    }
  | { readonly type: 'session-close'; readonly sessionId: string }
  /** A question waits for `session.answer(id, answer)`. */
  | { readonly type: 'question-start'; readonly question: Question }
  | { readonly type: 'question-end'; readonly questionId: string; readonly answer: Answer }
  | { readonly type: 'context-change'; readonly context: ContextState }
  /** A skill is used, by the user or by the model. */
  | { readonly type: 'skill-start'; readonly skill: string; readonly by: 'user' | 'model' }
  /** Something happened to a background task, or to a group of them. */
  | { readonly type: 'task-change'; readonly change: TaskEvent }
  | { readonly type: 'job-change'; readonly change: JobGroupEvent }
  | { readonly type: 'run-end'; readonly result: RunResult<unknown> };

/** An event with the session it belongs to, as a client tells it. */
export interface ClientEvent {
  readonly sessionId: string;
  /** Counts the events of the client, from 1. */
  readonly seq: number;
  /** Unix milliseconds. */
  readonly time: number;
  readonly event: AgentEvent;
}

/** Is told of every event until the returned function is called; what it throws disturbs nothing. */
export type EventListener<E> = (event: E) => unknown;
