import type { AgentEvent, Problem } from '@robota-sdk/agent-core';
import type { ContextState } from '@robota-sdk/agent-sessions';
import type { JobGroupEvent, TaskEvent } from '../tasks/task-state.ts';
import type { Answer, Question } from './question.ts';
import type { RunResult } from './run-result.ts';

/** Set on events of a subagent. */
interface FromAgent {
  readonly agentId?: string;
}

type RunEnd = Extract<AgentEvent, { readonly type: 'run-end' }>;

/** Everything that happens in a session, in order; each value is serialisable as it stands. */
export type SessionEvent =
  | (Exclude<AgentEvent, RunEnd> & FromAgent)
  | (RunEnd & { readonly result: RunResult<unknown> })
  | SessionChange;

/** Events in addition to the loop's. */
type SessionChange =
  /** The session is open: its id, directory, model, and problems of its files. */
  | {
      readonly type: 'session-open';
      readonly sessionId: string;
      readonly cwd: string;
      readonly model: string;
      readonly problems: readonly Problem[];
    }
  /** The last event of a session. */
  | { readonly type: 'session-close'; readonly sessionId: string }
  /** A question waits for `session.answer(id, answer)`. */
  | { readonly type: 'question-start'; readonly question: Question }
  | { readonly type: 'question-end'; readonly questionId: string; readonly answer: Answer }
  | { readonly type: 'context-change'; readonly context: ContextState }
  /** Settings with these keys changed and are in force. */
  | { readonly type: 'settings-change'; readonly keys: readonly string[] }
  /** A skill is used, by the user or by the model. */
  | {
      readonly type: 'skill-start';
      readonly skill: string;
      readonly path?: string;
      readonly by: 'user' | 'model';
    }
  /** A background task, or a group of them, changed. */
  | { readonly type: 'task-change'; readonly change: TaskEvent }
  | { readonly type: 'job-change'; readonly change: JobGroupEvent };

const changes: ReadonlySet<string> = new Set<SessionChange['type']>([
  'session-open',
  'session-close',
  'question-start',
  'question-end',
  'context-change',
  'settings-change',
  'skill-start',
  'task-change',
  'job-change',
]);

/** True for an event of the loop, from which messages and items are built. */
export function isLoopEvent(event: SessionEvent): event is Exclude<SessionEvent, SessionChange> {
  return !changes.has(event.type);
}

/** A run waits for the promise of a listener; one that throws ends the run. */
export type SessionListener = (event: SessionEvent) => unknown;

/** An event of a client, with the session it belongs to. */
export interface ClientEvent {
  readonly sessionId: string;
  /** Sequence number of the client's events, from 1. */
  readonly seq: number;
  /** Unix milliseconds. */
  readonly time: number;
  readonly event: SessionEvent;
}
