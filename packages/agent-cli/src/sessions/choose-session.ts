import { AgentError, ownCatalogue, pickSession, type UserInterface } from '@robota-sdk/agent-sdk';

const maxShown = 12;

/** Has a person choose a session of a directory; gives back what to open. */
export async function chooseSession(cwd: string, terminal: UserInterface): Promise<string> {
  const { sessions, elsewhere } = await (await ownCatalogue()).list({ cwd });
  const others = elsewhere > 0 ? `${elsewhere} of other directories: robota sessions list --all.` : '';
  if (sessions.length === 0)
    throw new AgentError('session', `There is no session of this directory yet. ${others}`.trim());
  const older = sessions.length - maxShown;
  const more = older > 0 ? `${older} older ones: type words that were said in one.` : '';
  const detail = [more, others].filter((line) => line !== '').join('\n');
  const pick = await pickSession(sessions.slice(0, maxShown), { title: 'Which session?', detail }, terminal);
  if (pick.kind === 'session') return pick.session.path;
  if (pick.kind === 'words') return pick.text;
  throw new AgentError('session', 'No session was chosen.');
}
