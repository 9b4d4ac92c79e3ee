import type { InteractiveSession } from '../session/interactive-session.ts';
import type { Session } from './session.ts';

/** How the sessions of clients are opened, for front ends that drive one. */
export const openers = new WeakMap<Session, () => Promise<InteractiveSession>>();

/** The session for front ends: a client's session is opened, any other is returned. */
export async function interactiveSessionOf(
  session: InteractiveSession | Session,
): Promise<InteractiveSession> {
  const open = openers.get(session as Session);
  return open ? open() : (session as InteractiveSession);
}
