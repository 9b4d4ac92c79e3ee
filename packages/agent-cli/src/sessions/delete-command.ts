import {
  AgentError,
  describeSession,
  errorMessage,
  type ListedSession,
  pluralize,
  type ReadOptions,
  readOptions,
  resolutionProblem,
  resolveSession,
  type SessionFinder,
  type SessionResolution,
  sessionLabel,
} from '@robota-sdk/agent-sdk/front-end';
import { filterEscapes } from '@robota-sdk/agent-tui';
import { optionsOf } from '../arguments/row-options.ts';
import { askLine } from '../terminal/ask-line.ts';
import { commandDirectory } from './session-arguments.ts';
import { sessionOutput } from './session-output.ts';
import { sessionSource } from './session-source.ts';

/** `robota sessions delete`: removes sessions with all that belongs to them. What can't be removed does not stop the rest. */
export async function deleteCommand(words: readonly string[]): Promise<number> {
  const options = readOptions(words, optionsOf('sessions', 'delete'));
  if (options.words.length === 0)
    throw new AgentError('usage', 'Missing session.', {
      hint: { text: 'List them with', run: ['sessions', 'list'] },
    });
  const asks = !options.has('yes');
  const canAsk = process.stdin.isTTY && process.stderr.isTTY;
  const { stdout, note } = sessionOutput();
  const { catalogue, store } = await sessionSource(options);
  const deleted: string[] = [];
  let failed = false;
  for (const reference of options.words) {
    try {
      const session = await find(reference, catalogue, options);
      if (asks && !canAsk)
        throw new AgentError(
          'usage',
          `No terminal to confirm deleting ${session.id}. Add --yes to delete it.`,
        );
      if (asks && !(await confirm(session))) {
        await note(`Not deleted: ${session.id}, ${sessionLabel(session)}`);
        continue;
      }
      await store.delete(session.path);
      // Also removes it from the cached lists.
      await catalogue.list({ cwd: session.cwd });
      deleted.push(session.id);
      if (!options.has('json')) await stdout.say(`Deleted ${session.id}: ${sessionLabel(session)}`);
    } catch (thrown) {
      if (!AgentError.is(thrown)) throw thrown;
      failed = true;
      await note(`robota: ${errorMessage(thrown)}`);
    }
  }
  if (options.has('json')) await stdout.write(`${JSON.stringify({ deleted })}\n`);
  return failed ? 2 : 0;
}

/** Words that merely occur in a session must not select one to delete. */
async function find(
  reference: string,
  catalogue: SessionFinder,
  options: ReadOptions,
): Promise<ListedSession> {
  const scope = { cwd: commandDirectory(options), all: options.has('all') };
  const resolution = await resolveSession(reference, catalogue, scope);
  if (resolution.kind !== 'found') throw resolutionProblem(reference, resolution);
  const { session, by } = resolution;
  if (by === 'text')
    throw new AgentError(
      'session',
      `No id or name starts with "${reference}". The words are in session ${session.id}; to delete that, give its id.`,
    );
  if (by === 'title')
    throw new AgentError(
      'session',
      `"${reference}" is the first prompt of session ${session.id}, not its name. To delete it, give its id.`,
    );
  if (isUnmistakable(reference.trim(), resolution)) return session;
  throw new AgentError(
    'session',
    `"${reference}" is too little to delete by: session ${session.id} (${sessionLabel(session)}) fits. Give its whole name, or 4 characters or more of its id.`,
  );
}

/** A deletion must be meant: a letter or two, or the prefix of a name, match by chance. */
function isUnmistakable(
  reference: string,
  { by, session }: Extract<SessionResolution, { kind: 'found' }>,
): boolean {
  if (by === 'name') return session.name?.toLowerCase() === reference.toLowerCase();
  return by === 'path' || (by === 'id' && reference.length >= 4);
}

async function confirm(session: ListedSession): Promise<boolean> {
  const what = filterEscapes(describeSession(session), { sequences: 'show' });
  const count = pluralize(session.messages, 'message');
  return /^y/i.test(await askLine(`Delete ${session.id}, ${count}?\n  ${what}\nyes or no? `));
}
