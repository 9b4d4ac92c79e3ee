import { localTime, type UserInterface } from '@robota-sdk/agent-core';
import { type ListedSession, sessionLabel, shortIds } from '@robota-sdk/agent-sessions';

/** The selection from a list: a session, typed words, or nothing. */
export type SessionPick =
  | { readonly kind: 'session'; readonly session: ListedSession }
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'dismissed' }
  | { readonly kind: 'unavailable' };

/** Lets the user choose one of several sessions. */
export async function pickSession(
  sessions: readonly ListedSession[],
  { title, detail = '' }: { readonly title: string; readonly detail?: string },
  ui: UserInterface,
): Promise<SessionPick> {
  const shorts = shortIds(sessions.map(({ id }) => id));
  const options = sessions.map((session) => ({
    label: sessionLabel(session),
    description: `${localTime(Date.parse(session.modified))}, ${shorts.get(session.id)}`,
  }));
  const words = 'words from one';
  const question = { kind: 'select', title, options, words, ...(detail === '' ? {} : { detail }) } as const;
  const answer = await ui.ask(question);
  if (answer.kind === 'unavailable') return answer;
  if (answer.kind !== 'selected') return { kind: 'dismissed' };
  if (answer.text !== undefined) return { kind: 'words', text: answer.text };
  const session = sessions[answer.indexes[0] ?? -1];
  return session ? { kind: 'session', session } : { kind: 'dismissed' };
}
