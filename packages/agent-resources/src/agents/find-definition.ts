import { AgentError, didYouMean } from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '../source/agent-definition.ts';

/** Finds a definition by name, ignoring case; the error lists available ones. */
export function findDefinition(name: string, definitions: readonly IAgentDefinition[]): IAgentDefinition {
  const found =
    definitions.find((each) => each.name === name) ??
    definitions.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = definitions.map((each) => each.name);
  const hint = didYouMean(name, names);
  throw new AgentError('usage', `Unknown agent "${name}". Available: ${names.join(', ')}.`, { hint });
}
