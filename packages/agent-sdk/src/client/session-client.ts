import type { Problem } from '@robota-sdk/agent-core';
import type { SessionEvent } from '../contract/session-event.ts';
import type { ClientOptions, QueryCallbacks } from './options.ts';
import type { Session } from './session.ts';

/** The part of a client that its sessions use. */
export interface SessionClient {
  readonly options: ClientOptions;
  /** Called for every event. */
  publish(sessionId: string, event: SessionEvent): void;
  opened(session: Session): void;
  closed(session: Session): void;
}

/** Purpose of a session, besides its options. */
export interface SessionUse {
  /** It ends with its only prompt. */
  readonly isSingle: boolean;
  readonly callbacks?: QueryCallbacks;
  /** Checks the options at the first prompt, so that a mistake rejects it. */
  check?(): void;
}

/** Facts about an opened session. */
export interface SessionStart {
  readonly id: string;
  readonly cwd: string;
  /** `vendor/id`. */
  readonly model: string;
  /** Problems with settings and files, and skipped parts of an untrusted project. */
  readonly problems: readonly Problem[];
}
