import type { InteractiveSession } from '../session/interactive-session.ts';
import type { Session } from './session.ts';

/** Connects a session to the outside: a terminal, a pipe, a socket. */
export interface ITransportAdapter {
  readonly name: string;
  /** A session of a client is opened when it is first used. */
  attach(session: InteractiveSession | Session): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}
