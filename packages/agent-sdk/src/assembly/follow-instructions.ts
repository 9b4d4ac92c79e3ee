import { ignoredFilesOf } from '@robota-sdk/agent-config';
import type { HookRegistry, StateKey, Workspace } from '@robota-sdk/agent-core';
import { describeProblem } from '@robota-sdk/agent-core';
import { NestedInstructions } from '@robota-sdk/agent-resources';
import type { Conversation } from '@robota-sdk/agent-sessions';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import type { ModelKit } from './model-kit.ts';

interface InstructionTargets {
  readonly hooks: HookRegistry;
  readonly workspace: Workspace;
  readonly kit: ModelKit;
  readonly session: Conversation;
}

/** Adds the instructions of nested folders to conversations, if the session reads instruction files. */
export function followInstructions(
  { reloadContext, tap, config }: CreateSessionOptions,
  { hooks, workspace, kit, session }: InstructionTargets,
): (conversation: Conversation) => void {
  if (!reloadContext || tap?.sealed) return () => {};
  const nested = new NestedInstructions({
    workspace,
    ignored: ignoredFilesOf(config, workspace),
    context: () => kit.context,
    warn: (problem) => session.notify({ level: 'warning', text: describeProblem(problem) }),
  });
  hooks.add('tool-after', nested.hook, 'instructions');
  return (conversation) => {
    nested.follow(conversation);
    conversation.state.get(following).end = () => nested.forget(conversation.id);
  };
}

/** A conversation that is over is not followed any more. */
const following: StateKey<{ end?: () => void }> = {
  name: 'followedInstructions',
  create: () => ({}),
  dispose: ({ end }) => end?.(),
};
