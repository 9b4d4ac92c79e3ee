import { AgentError, isJsonObject, type JsonObject, rewindTurns } from '@robota-sdk/agent-sdk/front-end';
import { type ControlHandler, requiredText } from './control-subject.ts';

/** Puts files back to what they were before a prompt, which the program names by the id it gave it. */
export const rewindFiles: ControlHandler = async (
  { session, prompts },
  { user_message_id: id, dry_run: isTrial },
) => {
  const prompt = requiredText('rewind_files', 'user_message_id', id);
  const parent = prompts.get(prompt);
  if (parent === undefined) return failed(`No prompt of this process has the id ${prompt}.`);
  const turns = await rewindTurns(session);
  const turn = turns?.find(({ parentId }) => parentId === parent);
  if (!turns || !turn)
    return failed('Nothing is saved to go back to. Start the session so that it is saved.');
  const since = turns.slice(turns.indexOf(turn));
  const files = [...new Set(since.flatMap((each) => each.files.map(({ path }) => path)))];
  if (isTrial === true) return { canRewind: true, filesChanged: files };
  const result = await session.executeCommand('rewind', `${turn.number} files`);
  if (!result?.success) throw new AgentError('session', result?.message ?? '/rewind is not available here.');
  const { restored } = isJsonObject(result.data as JsonObject) ? (result.data as JsonObject) : {};
  return { canRewind: true, filesChanged: Array.isArray(restored) ? restored : [] };
};

function failed(error: string): JsonObject {
  return { canRewind: false, error };
}
