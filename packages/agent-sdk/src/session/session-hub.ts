import type { AgentEvent, RunOutcome } from '@robota-sdk/agent-core';
import type { InteractiveSessionEvents } from '../contract/session-events.ts';
import type { InteractiveSession } from './interactive-session.ts';
import { TypedEmitter } from './typed-emitter.ts';

/** The events of a hub, each with its session. */
export interface SessionHubEvents {
  session_start: { readonly session: InteractiveSession };
  /** Every event of the loop. */
  event: { readonly session: InteractiveSession; readonly event: AgentEvent };
  /** A run ended: completed, interrupted, failed or at a limit. */
  run_end: { readonly session: InteractiveSession; readonly outcome: RunOutcome };
  background_task_event: {
    readonly session: InteractiveSession;
    readonly event: InteractiveSessionEvents['background_task_event'];
  };
  session_end: { readonly session: InteractiveSession };
}

/** Publishes the events of many sessions to subscribers, for servers. Listeners cannot disturb a session. */
export class SessionHub {
  readonly #emitter = new TypedEmitter<SessionHubEvents>();
  readonly #sessions = new Map<string, InteractiveSession>();

  /** The sessions that are open now. */
  get sessions(): readonly InteractiveSession[] {
    return [...this.#sessions.values()];
  }

  /** Subscribes, until the returned function is called. */
  on<K extends keyof SessionHubEvents>(
    name: K,
    listener: (value: SessionHubEvents[K]) => unknown,
  ): () => void {
    return this.#emitter.on(name, (value) => quietly(() => listener(value)));
  }

  /** Publishes a session until it is over; sessions that are made with the hub are followed already. */
  follow(session: InteractiveSession): void {
    const { id } = session.getSession();
    if (this.#sessions.has(id)) return;
    this.#sessions.set(id, session);
    const stops = [
      session.on('event', (event) => {
        this.#tell('event', { session, event });
        if (event.type === 'run-end') this.#tell('run_end', { session, outcome: event.outcome });
      }),
      session.on('background_task_event', (event) => this.#tell('background_task_event', { session, event })),
      session.on('shutdown', () => {
        for (const stop of stops) stop();
        this.#sessions.delete(id);
        this.#tell('session_end', { session });
      }),
    ];
    this.#tell('session_start', { session });
  }

  #tell<K extends keyof SessionHubEvents>(name: K, value: SessionHubEvents[K]): void {
    void this.#emitter.emit(name, value);
  }
}

/** A listener that throws, at once or later, is its own affair. */
function quietly(work: () => unknown): void {
  try {
    const answer = work();
    if (answer instanceof Promise) answer.catch(() => {});
  } catch {
    return;
  }
}
