import type { Command, CommandOutcome, UserInterface } from '@robota-sdk/agent-core';
import {
  describeSession,
  type ListedSession,
  type SessionListing,
  shortIds,
} from '@robota-sdk/agent-sessions';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { findSession } from '../stored/find-session.ts';
import { pickSession } from '../stored/pick-session.ts';

const maxShown = 12;

export const resumeCommand: Command<InteractiveSession> = {
  name: 'resume',
  description: 'Go on with another session: choose one, or find it by id, name or what was said',
  argumentHint: '[ID | NAME | text]',
  complete: async (prefix, { session }) => {
    const { sessions } = await session.kept.list();
    const shorts = shortIds(sessions.map(({ id }) => id));
    const words = sessions.flatMap(({ id, name }) => [
      ...(name === undefined ? [] : [name]),
      shorts.get(id) ?? id,
    ]);
    return words.filter((word) => word.toLowerCase().startsWith(prefix.toLowerCase()));
  },
  run: async (args, { session, ui }) => {
    if (args !== '') return switchTo(await findSession(args, session.kept, ui), session);
    return choose(session, ui);
  },
};

async function choose(session: InteractiveSession, ui: UserInterface): Promise<CommandOutcome> {
  const listing = await session.kept.list();
  const others = listing.sessions.filter(({ id }) => id !== session.getSession().id);
  const shown = others.slice(0, maxShown);
  const rest = restText(listing, others.length - shown.length);
  if (shown.length === 0) {
    return {
      kind: 'notice',
      text: ['There is no other session of this directory.', ...rest].join(' '),
      data: [],
    };
  }
  const pick = await pickSession(shown, { title: 'Which session?', detail: rest.join(' ') }, ui);
  if (pick.kind === 'session') return switchTo(pick.session, session);
  if (pick.kind === 'words') return switchTo(await findSession(pick.text, session.kept, ui), session);
  if (pick.kind === 'dismissed') return { kind: 'notice', text: 'The session stays the same.' };
  return { kind: 'notice', text: [...linesOf(shown), ...rest].join('\n'), data: shown };
}

function linesOf(sessions: readonly ListedSession[]): string[] {
  const shorts = shortIds(sessions.map(({ id }) => id));
  return sessions.map((session) => `${shorts.get(session.id)}  ${describeSession(session)}`);
}

/** What the list does not show; nothing is hidden without a word. */
function restText({ elsewhere, unreadable }: SessionListing, older: number): string[] {
  return [
    ...(older > 0
      ? [`${older} older ${older === 1 ? 'one' : 'ones'} of this directory: /resume WORDS finds them.`]
      : []),
    ...(elsewhere > 0 ? [`${elsewhere} of other directories: robota sessions list --all shows them.`] : []),
    ...(unreadable.length > 0 ? [`${unreadable.length} can't be read: robota sessions list tells why.`] : []),
  ];
}

async function switchTo(
  { id, path, cwd }: ListedSession,
  session: InteractiveSession,
): Promise<CommandOutcome> {
  if (id === session.getSession().id) return { kind: 'notice', text: 'This is the session you are in.' };
  const here = session.kept.cwd;
  const isOurs = await session.kept.store.has(id);
  const isHere = cwd === '' || cwd === here;
  const notice = isHere ? '' : `That session is one of ${cwd}; tools go on working in ${here}.`;
  return { kind: 'switch', to: { open: isOurs ? id : path }, notice };
}
