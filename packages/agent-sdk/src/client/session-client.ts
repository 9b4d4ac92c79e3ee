import type { AgentEvent } from './agent-event.ts';
import type { ClientOptions, QueryCallbacks } from './options.ts';
import type { Session } from './session.ts';

/** What a session needs of its client. */
export interface SessionClient {
  readonly options: ClientOptions;
  /** Told of every event. */
  publish(sessionId: string, event: AgentEvent): void;
  opened(session: Session): void;
  closed(session: Session): void;
}

/** What a session is for, beside its options. */
export interface SessionUse {
  /** It ends with its only prompt. */
  readonly isSingle: boolean;
  readonly callbacks?: QueryCallbacks;
  /** Checks the options at the first prompt, so that a mistake rejects it. */
  check?(): void;
}

/** What an opened session is. */
export interface SessionStart {
  readonly id: string;
  readonly cwd: string;
  /** `vendor/id`. */
  readonly model: string;
  /** What is wrong with settings and files, and what of an untrusted project was left out. */
  readonly problems: readonly string[];
}
