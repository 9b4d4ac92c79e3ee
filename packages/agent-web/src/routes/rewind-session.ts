import { AgentError, type JsonObject } from '@robota-sdk/agent-core';
import { type InteractiveSession, rewindTurns } from '@robota-sdk/agent-sdk/front-end';
import { bodyText } from './read-body.ts';

const scopes = ['both', 'conversation', 'files'];

/** Goes back to before a prompt: as `/rewind` does on the branch that is shown, as `/tree` does on others. */
export async function rewindSession(session: InteractiveSession, body: JsonObject): Promise<JsonObject> {
  const entry = bodyText(body, 'entry');
  const scope = bodyText(body, 'scope');
  if (!scopes.includes(scope))
    throw new AgentError('usage', `Expected one of ${scopes.join(', ')} as "scope".`);
  if (session.isRunning)
    throw new AgentError('session', 'A run is active.', { hint: 'Stop it before you go back.' });
  const turn = (await rewindTurns(session))?.find(({ entryId }) => entryId === entry);
  if (!turn) return moveBefore(session, entry);
  const result = await session.executeCommand('rewind', `${turn.number} ${scope}`);
  if (!result?.success) throw new AgentError('session', result?.message ?? 'Nothing was rewound.');
  return { message: result.message, ...(result.edit === undefined ? {} : { edit: result.edit }) };
}

async function moveBefore(session: InteractiveSession, entry: string): Promise<JsonObject> {
  const tree = session.branches.tree();
  const edit = tree.promptOf(entry);
  if (edit === undefined) throw new AgentError('usage', 'That prompt is not part of this session.');
  const { problem } = await session.moveTo(tree.view(entry)?.parentId ?? null, { summarize: false });
  if (problem !== undefined) throw new AgentError('session', problem);
  return { message: 'The conversation continues from before that prompt.', edit };
}
