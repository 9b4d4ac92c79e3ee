import {
  agentConversation,
  type InteractiveSession,
  type InteractiveSessionOptions,
} from '@robota-sdk/agent-sdk';
import { isNew } from './resumed-session.ts';

/** How to come back to a session that was kept. */
export async function wayBack(
  session: InteractiveSession,
  { store }: InteractiveSessionOptions,
): Promise<string> {
  if (store === 'none' || isNew(session)) return '';
  const { id } = session.getSession();
  if (await session.kept.store.has(id)) return `robota -r ${id} goes on\n`;
  const agent = agentConversation(session);
  if (agent) return `robota -r ${agent.parentId}, and there /agent open ${agent.agentId}, goes on\n`;
  const isFile = typeof store === 'object' && 'path' in store;
  return isFile ? `robota --session ${store.path} goes on\n` : '';
}
