import { type AgentRun, given, HookRegistry, MessageQueue } from '@robota-sdk/agent-core';
import { subagentHost } from '@robota-sdk/agent-resources';
import type { Conversation } from '@robota-sdk/agent-sessions';
import { toolContextOf } from './tool-context.ts';

/** A run outside the conversation: with its models and tools, but an empty history, no hooks and no permissions. */
export function standaloneRun(own: Conversation, signal: AbortSignal): AgentRun {
  const { limitOutput, hideSecrets } = own.state.get(subagentHost).options;
  const { tools = [], systemMessage = '' } = own.surroundings;
  const { workspace, env, outputDir, ui, state } = toolContextOf(own, { signal });
  return {
    history: [],
    system: systemMessage,
    models: own.models,
    thinking: 'off',
    tools,
    toolEnvironment: { workspace, env, outputDir, ui, state },
    hooks: new HookRegistry(),
    queue: new MessageQueue(),
    sessionId: own.id,
    signal,
    authorize: async () => ({ allowed: false, reason: 'no tool may be used here' }),
    ...given('hideSecrets', hideSecrets),
    ...(limitOutput ? { limitOutput: (output, call) => limitOutput(output, call, outputDir) } : {}),
  };
}
