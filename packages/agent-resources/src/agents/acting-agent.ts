import { AgentError, type PermissionMode, type ThinkingLevel } from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '../source/agent-definition.ts';
import { filterTools, skillsNote } from './filter-tools.ts';

/** The options of a session that an agent's definition decides. */
export interface ActingOptions {
  readonly model?: string | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly thinking?: ThinkingLevel | undefined;
  readonly systemPrompt?: string | undefined;
  readonly tools?:
    | {
        readonly only?: readonly string[] | undefined;
        readonly exclude?: readonly string[] | undefined;
      }
    | undefined;
}

/**
 * Options for a session that works as one of its agents: with its instructions, tools, model and mode. An explicit
 * model or mode overrides it. The first agent of a name wins.
 */
export function actingAgent<T extends ActingOptions & { readonly agent?: string | undefined }>(
  options: T,
  agents: readonly IAgentDefinition[],
): T {
  const { agent: name, tools = {} } = options;
  if (name === undefined) return options;
  const agent = agents.find((each) => each.name === name);
  if (!agent) {
    const known = agents.map((each) => each.name).join(', ');
    throw new AgentError('usage', `Unknown agent "${name}". Available: ${known}.`);
  }
  const { model = agent.model, permissionMode = agent.permissionMode, thinking = agent.effort } = options;
  const { skills: _, ...lists } = agent;
  const mayUseSkills = filterTools([{ name: 'Skill' }], lists);
  return {
    ...options,
    systemPrompt: [agent.systemPrompt, ...skillsNote(agent, mayUseSkills)].join('\n\n'),
    model: model === 'inherit' ? undefined : model,
    permissionMode,
    thinking,
    tools: {
      ...tools,
      only: tools.only ?? agent.tools,
      exclude: [...(tools.exclude ?? []), ...(agent.disallowedTools ?? [])],
    },
  };
}
