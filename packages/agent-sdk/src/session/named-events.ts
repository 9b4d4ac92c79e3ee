import {
  AgentError,
  type AgentEvent,
  errorMessage,
  type Notice,
  notifyAll,
  textOf,
} from '@robota-sdk/agent-core';
import type { SkillActivation } from '@robota-sdk/agent-resources';
import { type ContextState, spokenContent } from '@robota-sdk/agent-sessions';
import type { IExecutionResult } from '../contract/run-result.ts';
import { isLoopEvent, type SessionEvent } from '../contract/session-event.ts';
import { type ToolState, toolStateOf } from '../state/tool-state.ts';
import type { JobGroupEvent, TaskEvent } from '../tasks/task-state.ts';

/** The event names of `InteractiveSession.on`. */
export interface InteractiveSessionEvents {
  /** Every event of the loop. */
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
  skill_activation: SkillActivation;
  background_task_event: TaskEvent;
  background_job_group_event: JobGroupEvent;
  /** The session has ended; no event follows. */
  shutdown: { readonly sessionId: string };
}

type Name = keyof InteractiveSessionEvents;
type Named = { [K in Name]: readonly [name: K, value: InteractiveSessionEvents[K]] }[Name];

const names: {
  readonly [K in SessionEvent['type']]?: (event: Extract<SessionEvent, { type: K }>) => Named | undefined;
} = {
  'text-delta': ({ text }) => ['text_delta', text],
  'turn-start': () => ['thinking', true],
  'run-end': () => ['thinking', false],
  'tool-start': ({ call }) => ['tool_start', { ...toolStateOf(call), isRunning: true }],
  'tool-end': ({ call, status }) => ['tool_end', { ...toolStateOf(call), isRunning: false, result: status }],
  'message-append': ({ message }) =>
    message.role === 'user' && message.origin !== 'reminder'
      ? ['user_message', textOf(spokenContent(message.content))]
      : undefined,
  'notice-show': ({ level, text }) => ['notice', { level, text }],
  'context-change': ({ context }) => ['context_update', context],
  'skill-start': ({ type: _, ...activation }) => ['skill_activation', activation],
  'task-change': ({ change }) => ['background_task_event', change],
  'job-change': ({ change }) => ['background_job_group_event', change],
  'session-close': ({ sessionId }) => ['shutdown', { sessionId }],
};

/** Events that a run, a task or the end of the session waits for. */
const awaited: ReadonlySet<Name> = new Set<Name>([
  'text_delta',
  'background_task_event',
  'background_job_group_event',
  'shutdown',
]);

/** The listeners of `InteractiveSession.on`, called for the session's events. */
export class NamedListeners {
  readonly #listeners = new Map<Name, Set<(value: never) => unknown>>();

  on<K extends Name>(name: K, listener: (value: InteractiveSessionEvents[K]) => unknown): () => void {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set);
    set.add(listener);
    return () => this.off(name, listener);
  }

  off<K extends Name>(name: K, listener: (value: InteractiveSessionEvents[K]) => unknown): void {
    this.#listeners.get(name)?.delete(listener);
  }

  count(name: Name): number {
    return this.#listeners.get(name)?.size ?? 0;
  }

  /** Returns a promise only if a listener did. */
  take(event: SessionEvent): void | Promise<void> {
    if (this.#listeners.size === 0) return;
    const name = names[event.type] as ((event: SessionEvent) => Named | undefined) | undefined;
    const named = name?.(event);
    const first = named && this.#tellNamed(named);
    const second = isLoopEvent(event) ? this.#tell('event', loopEvent(event)) : undefined;
    if (first instanceof Promise || second instanceof Promise)
      return Promise.all([first, second]).then(() => {});
  }

  /** Reports how a prompt ended. */
  finish(result: IExecutionResult): void | Promise<void> {
    if (result.status === 'aborted') return this.#tell('interrupted', result);
    if (result.error) return this.#tell('error', new AgentError(result.error.code, result.error.message));
    return this.#tell('complete', result);
  }

  /** Reports that a listener threw outside a run. */
  fail(name: string, thrown: unknown): void {
    const error = new AgentError('internal', `A listener of "${name}" failed: ${errorMessage(thrown)}`);
    void Promise.resolve()
      .then(() => this.#tell('error', error))
      .catch(() => {});
  }

  #tellNamed([name, value]: Named): void | Promise<void> {
    if (awaited.has(name)) return this.#tell(name, value as never);
    try {
      const returned = this.#tell(name, value as never);
      if (returned instanceof Promise) returned.catch((thrown: unknown) => this.fail(name, thrown));
    } catch (thrown) {
      this.fail(name, thrown);
    }
  }

  #tell<K extends Name>(name: K, value: InteractiveSessionEvents[K]): void | Promise<void> {
    const listeners = this.#listeners.get(name) as
      | Set<(value: InteractiveSessionEvents[K]) => unknown>
      | undefined;
    if (listeners) return notifyAll(listeners, value);
  }
}

/** An event as agent-core describes it: the result of a run is the session's. */
function loopEvent(event: AgentEvent): AgentEvent {
  return event.type === 'run-end' ? { type: 'run-end', outcome: event.outcome } : event;
}
