import {
  AgentError,
  type AgentRun,
  Authorizer,
  defaultModelOf,
  type UserInterface,
  type Workspace,
} from '@robota-sdk/agent-core';
import type { ConversationOptions, ProviderConversationOptions } from '../compaction/session-options.ts';
import { userInterfaceOf } from '../log/terminal-output.ts';

/** Adds the model of a provider that was passed alone. */
export function withModels(options: ProviderConversationOptions): ConversationOptions {
  const { provider, model, models: _, terminal, ...rest } = options;
  if (typeof provider?.stream !== 'function')
    throw new AgentError('usage', 'new Session: give "models", or a "provider" with a function "stream".');
  return {
    ...rest,
    ...(terminal === undefined ? {} : { terminal: userInterfaceOf(terminal) }),
    models: [{ model: model ?? defaultModelOf(provider.vendor), provider }],
  };
}

/** Judges calls by default: without rules, in the default mode, by asking the user. */
export function defaultAuthorize(ui: UserInterface, workspace: Workspace): AgentRun['authorize'] {
  const policy = { mode: 'default', rules: { allow: [], ask: [], deny: [] }, workspace } as const;
  const authorizer = new Authorizer({ policy: () => policy, ui });
  return (request, signal) => authorizer.authorize(request, signal);
}
