import type { Extension } from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '@robota-sdk/agent-resources';
import { agentTool } from './agent-tool.ts';

/** The tool that starts agents, as the extension it is. */
export function agentExtension(definitions: readonly IAgentDefinition[]): Extension {
  return { name: 'agents', setup: (host) => host.tool(agentTool(definitions)) };
}
