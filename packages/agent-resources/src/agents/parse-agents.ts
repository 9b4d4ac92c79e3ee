import { AgentError, isJsonObject, isPermissionMode, type JsonValue } from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '../source/agent-definition.ts';

/** Agents as `--agents` and programs give them, by their names; a field that can't be honoured is an error. */
export function parseAgents(agents: JsonValue | undefined): IAgentDefinition[] {
  if (!isJsonObject(agents))
    throw wrong('Invalid agents: expected an object like {"name": {"prompt": "…"}}.');
  return Object.entries(agents).map(([name, agent]) => {
    if (!isJsonObject(agent)) throw wrong(`Invalid agent "${name}": expected an object.`);
    const { description, prompt, tools, disallowedTools, model, maxTurns, permissionMode, ...rest } = agent;
    const unknown = Object.keys(rest).filter((field) => !isEmpty(rest[field]));
    if (unknown.length > 0) throw wrong(`Unsupported field of the agent "${name}": ${unknown.join(', ')}.`);
    if (typeof description !== 'string' || typeof prompt !== 'string')
      throw wrong(`The agent "${name}" needs a "description" and a "prompt".`);
    if (permissionMode != null && !isPermissionMode(permissionMode))
      throw wrong(`Unsupported permissionMode of the agent "${name}": ${JSON.stringify(permissionMode)}.`);
    return {
      name,
      description,
      systemPrompt: prompt,
      ...(tools == null ? {} : { tools: textsOf(`tools of the agent "${name}"`, tools) }),
      ...(disallowedTools == null
        ? {}
        : { disallowedTools: textsOf(`disallowedTools of the agent "${name}"`, disallowedTools) }),
      ...(typeof model === 'string' ? { model } : {}),
      ...(typeof maxTurns === 'number' ? { maxTurns } : {}),
      ...(isPermissionMode(permissionMode) ? { permissionMode } : {}),
      source: 'the program',
    };
  });
}

function textsOf(what: string, value: JsonValue): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw wrong(`Invalid ${what}: expected a list of texts.`);
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '' || value === false;
}

function wrong(message: string): AgentError {
  return new AgentError('usage', message);
}
