import { AgentError, didYouMean } from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '@robota-sdk/agent-resources';
import { subagentHost } from '@robota-sdk/agent-resources';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { findMentions } from './find-mentions.ts';

/** The name that deselects an agent. */
export const noAgent = 'none';

/** The pin with the prompt of the selected agent. */
const marker = /^@agent:(\S+)\n/;

/** The agents that can be selected; of one name the project's, then the user's, then the built-in. */
export function selectableAgents(session: InteractiveSession): readonly IAgentDefinition[] {
  return session.getSession().state.get(subagentHost).definitions;
}

/** The selected agent. */
export function selectedAgent(session: InteractiveSession): string | undefined {
  const pin = session.getSession().context.pins.findLast(({ text }) => marker.test(text));
  return pin && marker.exec(pin.text)?.[1];
}

/** The agent that the last `@agent:` of a text names. */
export function agentIn(text: string): string | undefined {
  if (!text.includes('@agent:')) return undefined;
  return findMentions(text).findLast(({ kind }) => kind === 'agent')?.name;
}

/**
 * Selects an agent, or none. Its prompt is pinned in the conversation, so that it survives compaction and resuming and
 * the cached beginning stays valid. Returns a sentence about the change.
 */
export async function selectAgent(session: InteractiveSession, name: string): Promise<string> {
  const before = selectedAgent(session);
  if (name === noAgent) {
    if (before === undefined) return 'No agent was selected.';
    await unpinAgents(session);
    await session.getSession().context.tell(`The user no longer wants you to work as the agent ${before}.`);
    return `The agent ${before} is no longer selected.`;
  }
  const agent = selectableAgents(session).find((each) => each.name === name);
  if (!agent) throw unknownAgent(session, name);
  if (before === agent.name) return `The agent ${agent.name} is selected.`;
  await unpinAgents(session);
  const opening = `@agent:${agent.name}\nFrom now on, work in this conversation as the agent "${agent.name}":`;
  await session.getSession().context.pinText(`${opening}\n\n${agent.systemPrompt}`);
  return `The agent ${agent.name} is selected; @agent:${noAgent} deselects it.`;
}

async function unpinAgents(session: InteractiveSession): Promise<void> {
  const { context } = session.getSession();
  // From the end, so that the places before stay the same.
  for (const [index, { text }] of [...context.pins.entries()].reverse())
    if (marker.test(text)) await context.unpin(index + 1);
}

function unknownAgent(session: InteractiveSession, name: string): AgentError {
  const names = selectableAgents(session).map((agent) => agent.name);
  const hint = didYouMean(name, [...names, noAgent]) ?? `Available: ${names.join(', ')}.`;
  return new AgentError('usage', `Unknown agent ${name}. ${hint}`);
}
