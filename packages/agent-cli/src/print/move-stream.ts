import {
  type InteractiveSession,
  type InteractiveSessionOptions,
  sessionConfig,
  silentInterface,
} from '@robota-sdk/agent-sdk/front-end';
import type { MovedSession, WantedDirectory } from '@robota-sdk/agent-transport-headless';
import type { SessionUi } from '../open/open-session.ts';

/**
 * Continues a program's session in another directory. If the directory brings something that the user has not decided about,
 * the program has to ask first.
 */
export async function moveStream(
  session: InteractiveSession,
  { path, trusted }: WantedDirectory,
  services: Pick<SessionUi, 'options' | 'say'>,
): Promise<MovedSession> {
  const { changeDirectory, moveSession } = await import('../open/move-session.ts');
  const outcome = await changeDirectory(session, path);
  const from = session.place.cwd;
  if (outcome.kind === 'notice')
    return { answer: { status: 'ok', cwd: from, changed: false, transcript_relocated: true } };
  if (outcome.kind !== 'switch' || outcome.to === 'new' || outcome.to.cwd === undefined) {
    const message = outcome.kind === 'error' ? outcome.text : `Stayed in ${from}.`;
    const reason = session.tasks.list({ status: 'running' }).length > 0 ? 'busy' : 'not_found';
    return { answer: { status: 'rejected', reason, message } };
  }
  const directory = outcome.to.cwd;
  const isTrusted = services.options.trustProject || trusted === directory;
  const { trust } = await sessionConfig({
    ...services.options,
    cwd: directory,
    trustProject: isTrusted,
    terminal: undefined,
    trust: undefined,
  });
  if (trust && trust.withheld.length > 0) return { answer: { status: 'needs_trust', directory } };
  const options: InteractiveSessionOptions = {
    ...services.options,
    sessionId: session.id,
    trustProject: isTrusted,
  };
  const ui: SessionUi = {
    ...services,
    options,
    terminal: silentInterface,
    giveBack: () => {},
    follow: async () => {},
  };
  const moved = await moveSession(session, directory, ui);
  if (moved.place.cwd !== directory)
    return {
      session: moved,
      answer: { status: 'rejected', reason: 'not_found', message: `Stayed in ${from}.` },
    };
  services.options = { ...ui.options, trustProject: services.options.trustProject ?? false };
  return {
    session: moved,
    answer: { status: 'ok', cwd: directory, changed: true, transcript_relocated: true },
  };
}
