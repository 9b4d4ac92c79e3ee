import type { Command } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';

export const nameCommand: Command<InteractiveSession> = {
  name: 'name',
  needsConversation: true,
  description: 'Show the name of the session, or give it one (- takes it away)',
  argumentHint: '[NAME]',
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
      name === null ? 'The session has no name any more.' : `The session is called "${name}"${found}`;
    return { kind: 'notice', text, data: { name } };
  },
};
