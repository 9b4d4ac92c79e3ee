import type { CommandOutcome, UserInterface } from '@robota-sdk/agent-core';
import { pluralize } from '@robota-sdk/agent-core';
import {
  describeSession,
  type ListedSession,
  type SessionListing,
  shortIds,
} from '@robota-sdk/agent-sessions';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { findSession } from '../stored/find-session.ts';
import { pickSession } from '../stored/pick-session.ts';
import type { CommandActions } from './built-in-commands.ts';
import { entryNames, findEntry } from './find-entry.ts';

/** Commands that start, change and leave sessions. */
export const sessionCommands: CommandActions = {
  new: {
    run: async () => ({ kind: 'switch', to: 'new', notice: '' }),
  },
  resume: {
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
  },
  fork: {
    complete: async (prefix, { session }) =>
      entryNames(session.getSession().branches.tree()).filter((name) => name.startsWith(prefix)),
    run: async (args, { session }) => {
      const { branches } = session.getSession();
      const tree = branches.tree();
      const entry = args === '' ? tree.leafId : findEntry(tree, args);
      const edit = args === '' || entry === null ? undefined : tree.promptOf(entry);
      const to = edit === undefined || entry === null ? entry : (tree.view(entry)?.parentId ?? null);
      if ([...tree.ids()].length === 0)
        return {
          kind: 'error',
          text: 'Nothing to copy yet. /new starts another session.',
        };
      const extra = edit === undefined ? {} : { edit };
      return goOnIn(await branches.fork(session.kept.store, { to }), session, extra);
    },
  },
  clear: {
    run: async (_args, context) => {
      const session = context.session.getSession();
      const left = session.branches.leafId;
      await session.clear();
      const wayBack = left === null ? '' : ` /tree ${left} goes back to where it was.`;
      return { kind: 'notice', text: `The conversation is empty.${wayBack}` };
    },
  },
  name: {
    run: async (args, { session }) => {
      const { branches } = session.getSession();
      if (args === '') {
        const { name } = branches;
        const text = name === undefined ? 'The session has no name yet: /name NAME gives it one.' : name;
        return { kind: 'notice', text, data: { name: name ?? null } };
      }
      if (!(await branches.setName(args === '-' ? '' : args)))
        return { kind: 'error', text: 'The name is not saved: the file of the session cannot be written.' };
      const name = branches.name ?? null;
      const isListed = await session.kept.store.has(session.getSession().id);
      const found = isListed
        ? `: /resume ${name} and robota -r ${JSON.stringify(name)} find it.`
        : '. It is in a file of its own, so it is opened by its path: robota --session PATH.';
      const text =
        name === null ? 'The session no longer has a name.' : `The session is called "${name}"${found}`;
      return { kind: 'notice', text, data: { name } };
    },
  },
  export: {
    run: async (args, context) => {
      const { exportConversation } = await import('../export/export-conversation.ts');
      return exportConversation(args, context);
    },
  },
  exit: {
    run: async () => ({ kind: 'exit' }),
  },
};

const maxShown = 12;

async function choose(session: InteractiveSession, ui: UserInterface): Promise<CommandOutcome> {
  const listing = await session.kept.list();
  const others = listing.sessions.filter(({ id }) => id !== session.getSession().id);
  const shown = others.slice(0, maxShown);
  const rest = restText(listing, others.length - shown.length);
  if (shown.length === 0) {
    return {
      kind: 'notice',
      text: ['No other session in this directory.', ...rest].join(' '),
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

/** Counts the sessions that the list omits. */
function restText({ elsewhere, unreadable }: SessionListing, older: number): string[] {
  return [
    ...(older > 0 ? [`${pluralize(older, 'older one')} of this directory: /resume WORDS finds them.`] : []),
    ...(elsewhere > 0 ? [`${elsewhere} of other directories: robota sessions list --all shows them.`] : []),
    ...(unreadable.length > 0
      ? [`${unreadable.length} cannot be read: run robota sessions list for the reason.`]
      : []),
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
  const notice = isHere ? '' : `That session is one of ${cwd}; tools keep working in ${here}.`;
  return { kind: 'switch', to: { open: isOurs ? id : path }, notice };
}

function goOnIn(id: string, session: InteractiveSession, extra: { readonly edit?: string }): CommandOutcome {
  const notice = `Forked. The original session ${session.getSession().id} is unchanged. The copy is session ${id}.`;
  return { kind: 'switch', to: { open: id, isCopy: true }, notice, ...extra };
}
