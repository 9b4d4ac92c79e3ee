import {
  agentConversation,
  type InteractiveSession,
  type InteractiveSessionOptions,
} from '@robota-sdk/agent-sdk/front-end';
import { programName } from '../arguments/program-name.ts';
import { isNew } from './resumed-session.ts';

/** How to come back to a session that was kept. */
export async function wayBack(
  session: InteractiveSession,
  { store, sessions }: InteractiveSessionOptions,
): Promise<string> {
  if (store === 'none' || isNew(session)) return '';
  const { id } = session;
  const program = programName();
  // The URL may hold a password, so it is not repeated.
  const database =
    sessions === undefined ? '' : ` --database ${process.env['ROBOTA_FLEET'] ? 'fleet' : 'URL'}`;
  if (await session.kept.store.has(id)) return `Resume this session: ${program} -r ${id}${database}\n`;
  const agent = agentConversation(session);
  if (agent)
    return `Resume this session: ${program} -r ${agent.parentId}, then /agent open ${agent.agentId}\n`;
  const isFile = typeof store === 'object' && 'path' in store;
  return isFile ? `Resume this session: ${program} --session ${store.path}\n` : '';
}
