import {
  AgentError,
  lockHolder,
  readOptions,
  renameSession,
  requireSession,
} from '@robota-sdk/agent-sdk/front-end';
import { optionsOf } from '../arguments/row-options.ts';
import { commandDirectory } from './session-arguments.ts';
import { sessionOutput } from './session-output.ts';
import { sessionSource } from './session-source.ts';

/** `robota sessions name`: gives a session a name to find it by, or takes it away. */
export async function nameCommand(words: readonly string[]): Promise<number> {
  const options = readOptions(words, optionsOf('sessions', 'name'));
  const [reference, ...rest] = options.words;
  if (reference === undefined || rest.length === 0)
    throw new AgentError('usage', 'Missing session or name.', {
      hint: { text: 'For example', run: ['sessions', 'name', 'ID', 'a name'] },
    });
  const { catalogue, store } = await sessionSource(options);
  const session = await requireSession(reference, catalogue, {
    cwd: commandDirectory(options),
    all: options.has('all'),
  });
  const holder = lockHolder(session.path);
  if (holder !== undefined)
    throw new AgentError('session', `The session is in use by ${holder}. Name it there with /name.`);
  const name = await renameSession(session.path, rest.join(' '), store);
  const { stdout } = sessionOutput();
  const text = name === '' ? `Removed the name of ${session.id}.` : `Named ${session.id} "${name}".`;
  await stdout.write(
    options.has('json') ? `${JSON.stringify({ id: session.id, name })}\n` : stdout.clean(`${text}\n`),
  );
  return 0;
}
