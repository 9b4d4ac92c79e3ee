import type { ModelChoice } from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '../source/agent-definition.ts';
import type { SubagentHost } from '../source/subagent-host.ts';
import { filterTools } from './filter-tools.ts';

/** The models of a subagent, and why they are not the ones its definition names. */
export interface AgentModels {
  readonly models: readonly [ModelChoice, ...ModelChoice[]];
  readonly notice?: string;
}

const families = ['sonnet', 'haiku', 'opus'];

/**
 * The model an agent requests: a name, or the newest of a family such as `haiku`. If it is unreachable, or the parent's
 * vendor has no such family, the parent's model is used.
 */
export function agentModels(
  host: Pick<SubagentHost, 'session' | 'connect'>,
  name: string | undefined,
): AgentModels {
  const own = host.session.models;
  if (name === undefined || name === 'inherit') return { models: own };
  const isFamily = families.includes(name.toLowerCase());
  // The families are Anthropic's; with another vendor the parent's model is used.
  if (isFamily && own[0].model.vendor !== 'anthropic') return { models: own };
  try {
    const { choice } = host.connect(name);
    // A profile may have this name.
    if (isFamily && choice.model.vendor !== own[0].model.vendor) return { models: own };
    return { models: [choice, ...own.slice(1)] };
  } catch {
    if (isFamily) return { models: own };
    return {
      models: own,
      notice: `The model ${name} cannot be reached; ${own[0].model.name} does the work.`,
    };
  }
}

/**
 * The models for an agent with certain tools. A vendor searches the web without asking us, so web search
 * needs that tool.
 */
export function modelsWithin(
  models: AgentModels['models'],
  tools: Pick<IAgentDefinition, 'tools' | 'disallowedTools'>,
): AgentModels['models'] {
  const maySearch = filterTools([{ name: 'WebSearch' }], tools).length > 0;
  if (maySearch || !models.some(({ webSearch }) => webSearch)) return models;
  const [first, ...others] = models;
  return [{ ...first, webSearch: false }, ...others.map((choice) => ({ ...choice, webSearch: false }))];
}
