import type { Command, CommandOutcome } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { entryNames, findEntry } from './find-entry.ts';

export const forkCommand: Command<InteractiveSession> = {
  name: 'fork',
  needsConversation: true,
  description: 'Go on in a copy of this session, from here or from before a prompt',
  argumentHint: '[PLACE]',
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
        text: 'There is nothing to copy yet: nothing was said. /new starts another session.',
      };
    const extra = edit === undefined ? {} : { edit };
    return goOnIn(await branches.fork(session.kept.store, { to }), session, extra);
  },
};

function goOnIn(id: string, session: InteractiveSession, extra: { readonly edit?: string }): CommandOutcome {
  const notice = `Forked. The original session ${session.getSession().id} is unchanged. The copy is session ${id}.`;
  return { kind: 'switch', to: { open: id }, notice, ...extra };
}
