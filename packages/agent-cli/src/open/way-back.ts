import {
  agentConversation,
  type InteractiveSession,
  type InteractiveSessionOptions,
} from '@robota-sdk/agent-sdk/front-end';
import { isNew } from './resumed-session.ts';

/** How to come back to a session that was kept. */
export async function wayBack(
  session: InteractiveSession,
  { store }: InteractiveSessionOptions,
): Promise<string> {
  if (store === 'none' || isNew(session)) return '';
  const { id } = session;
  if (await session.kept.store.has(id)) return `Resume this session: robota -r ${id}\n`;
  const agent = agentConversation(session);
  if (agent) return `Resume this session: robota -r ${agent.parentId}, then /agent open ${agent.agentId}\n`;
  const isFile = typeof store === 'object' && 'path' in store;
  return isFile ? `Resume this session: robota --session ${store.path}\n` : '';
}
