import { closeSync, constants, openSync, statSync, utimesSync } from 'node:fs';
import {
  AgentError,
  diskAdvice,
  endSentence,
  errorMessage,
  lockHolder,
  ownCatalogue,
  ownSessions,
  requireSession,
  type SessionStorePort,
} from '@robota-sdk/agent-sdk/front-end';
import { optionsOf, readMixed } from '../arguments/read-options.ts';
import { directoryOf } from './session-arguments.ts';
import { sessionOutput } from './session-output.ts';

/** `robota sessions name`: gives a session a name to find it by, or takes it away. */
export async function nameCommand(words: readonly string[]): Promise<number> {
  const options = readMixed(words, optionsOf('sessions', 'name'));
  const [reference, ...rest] = options.words;
  if (reference === undefined || rest.length === 0)
    throw new AgentError('usage', 'Say which session and how to call it: robota sessions name ID "a name".');
  const catalogue = await ownCatalogue();
  const session = await requireSession(reference, catalogue, {
    cwd: directoryOf(options),
    all: options.has('all'),
  });
  const holder = lockHolder(session.path);
  if (holder !== undefined)
    throw new AgentError('session', `The session is in use by ${holder}. Name it there with /name.`);
  const name = await renameSession(session.path, rest.join(' '), await ownSessions());
  const { stdout } = sessionOutput();
  const text = name === '' ? `${session.id} has no name now.` : `${session.id} is "${name}" now.`;
  await stdout.write(
    options.has('json') ? `${JSON.stringify({ id: session.id, name })}\n` : stdout.clean(`${text}\n`),
  );
  return 0;
}

/** Names a session that is not open. The time of its last use stays, and so does the session that `-c` continues. */
export async function renameSession(path: string, wanted: string, store: SessionStorePort): Promise<string> {
  const { atime, mtime } = statSync(path);
  assertWritable(path);
  const handle = await store.open(path);
  let isSaved = false;
  try {
    isSaved = await handle.setName(wanted);
    await handle.flush();
  } finally {
    await handle.close();
  }
  if (!isSaved) throw new AgentError('session', `The name is not saved: ${path} cannot be written.`);
  try {
    utimesSync(path, atime, mtime);
  } catch {
    // Where times can't be set, the session was used now.
  }
  return handle.name ?? '';
}

/** A session that is open would go on in memory; a name that cannot be saved is an error at once. */
function assertWritable(path: string): void {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_APPEND));
  } catch (thrown) {
    const advice = diskAdvice(thrown, path);
    throw new AgentError('session', `The name is not saved: ${endSentence(errorMessage(thrown))} ${advice}`);
  }
}
