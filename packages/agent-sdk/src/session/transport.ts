import type { InteractiveSession } from './interactive-session.ts';

/** Connects a session to the outside: a terminal, a pipe, a socket. */
export interface ITransportAdapter {
  readonly name: string;
  attach(session: InteractiveSession): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}
