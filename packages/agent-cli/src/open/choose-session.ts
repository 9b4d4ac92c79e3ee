import {
  AgentError,
  errorMessage,
  findSession,
  type KeptSessions,
  pickSession,
  type UserInterface,
} from '@robota-sdk/agent-sdk/front-end';

const maxShown = 12;

export interface ChooseOptions {
  /** The sessions; those of its directory are offered. */
  readonly kept: KeptSessions;
  /** The file of a session that can't be had, so it is not offered. */
  readonly except?: string | undefined;
}

/**
 * Lets the user choose a session of a directory; returns what to open. A search without results is repeated.
 */
export async function chooseSession(
  { kept, except }: ChooseOptions,
  terminal: UserInterface,
): Promise<string> {
  const { sessions: all, elsewhere } = await kept.list();
  const sessions = all.filter(({ path }) => path !== except);
  const others = elsewhere > 0 ? `${elsewhere} of other directories: robota sessions list --all.` : '';
  const which =
    except === undefined ? 'No session in this directory yet' : 'No other session in this directory';
  if (sessions.length === 0) throw new AgentError('session', `${which}. ${others}`.trim());
  const older = sessions.length - maxShown;
  const more = older > 0 ? `${older} older ones: type words from one.` : '';
  const detail = [more, others].filter((line) => line !== '').join('\n');
  for (;;) {
    const pick = await pickSession(
      sessions.slice(0, maxShown),
      { title: 'Which session?', detail },
      terminal,
    );
    if (pick.kind === 'session') return pick.session.path;
    if (pick.kind !== 'words') throw new AgentError('session', 'No session was chosen.');
    try {
      return (await findSession(pick.text, kept, terminal)).path;
    } catch (thrown) {
      if (!AgentError.is(thrown)) throw thrown;
      terminal.notify({ level: 'error', text: errorMessage(thrown) });
    }
  }
}
