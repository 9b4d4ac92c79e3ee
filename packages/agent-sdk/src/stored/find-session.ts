import { AgentError, silentInterface, type UserInterface } from '@robota-sdk/agent-core';
import { type ListedSession, resolutionProblem } from '@robota-sdk/agent-sessions';
import type { KeptSessions } from './kept-sessions.ts';
import { pickSession } from './pick-session.ts';

/** How many of several sessions are shown to choose from. */
const maxChoices = 9;

/** Finds a session by id, name, path or words; if several match, the user chooses. */
export async function findSession(
  reference: string,
  kept: KeptSessions,
  ui: UserInterface = silentInterface,
): Promise<ListedSession> {
  const found = await kept.find(reference);
  if (found.kind === 'none' || found.by === 'text') await assertNoAgent(reference, kept);
  if (found.kind === 'found') return found.session;
  if (found.kind === 'none') throw resolutionProblem(reference, found);
  const shown = found.sessions.slice(0, maxChoices);
  const rest = found.sessions.length - shown.length;
  const detail = rest === 0 ? '' : `${rest} more match; add words to narrow the list.`;
  const pick = await pickSession(shown, { title: `Which session is "${reference}"?`, detail }, ui);
  if (pick.kind === 'session') return pick.session;
  if (pick.kind === 'words') return findSession(pick.text, kept, ui);
  if (pick.kind === 'dismissed') throw new AgentError('session', 'No session was chosen.');
  throw resolutionProblem(reference, found);
}

/** The id of an agent leads to its session, which knows where the agent worked. */
async function assertNoAgent(reference: string, { home }: KeptSessions): Promise<void> {
  const { findAgentConversation } = await import('../subagents/agent-conversation.ts');
  const agent = await findAgentConversation(reference, home);
  if (agent === undefined) return;
  const { agentId, parentId } = agent;
  throw new AgentError(
    'session',
    `${reference} is an agent of the session ${parentId}. robota -r ${parentId} opens that, and /agent open ${agentId} there the conversation of the agent.`,
  );
}
