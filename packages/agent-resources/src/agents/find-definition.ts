import { AgentError, nearest } from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '../source/agent-definition.ts';

/** The definition of a name, in whatever capitals; an error lists those there are. */
export function findDefinition(name: string, definitions: readonly IAgentDefinition[]): IAgentDefinition {
  const found =
    definitions.find((each) => each.name === name) ??
    definitions.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = definitions.map((each) => each.name);
  const [near] = nearest(name, names);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new AgentError('usage', `There is no agent "${name}"; there are ${names.join(', ')}.${hint}`);
}
