import type { RobotaDirectories, Workspace } from '@robota-sdk/agent-core';
import {
  Checkpoints,
  type Conversation,
  type ConversationOptions,
  type SessionHandle,
} from '@robota-sdk/agent-sessions';
import type { CallRecovery } from '../contract/create-session-options.ts';

/** Checkpoints on their way into a session that is being assembled. */
export interface CheckpointWiring {
  readonly options: Pick<ConversationOptions, 'beforeExecute'>;
  /** For `/rewind`; absent if the session has no directory. */
  readonly checkpoints?: Checkpoints;
  /** Reports problems to the session, and ends with it. */
  attach(session: Conversation): void;
}

/** Saves the agent's changes in the session's directory, if it has one. */
export function wireCheckpoints(
  handle: SessionHandle | undefined,
  { workspace, folders }: { readonly workspace: Workspace; readonly folders: RobotaDirectories },
): CheckpointWiring {
  if (handle?.directory === undefined) return { options: {}, attach: () => {} };
  let tell = (_message: string): void => {};
  const checkpoints = new Checkpoints({
    directory: handle.directory,
    workspace,
    own: [...ownFolders(folders), ...(handle.file === undefined ? [] : [handle.file, `${handle.file}.lock`])],
    tree: handle,
    onProblem: (message) => tell(message),
  });
  return {
    checkpoints,
    options: { beforeExecute: (call) => checkpoints.beforeExecute(call) },
    attach: (session) => {
      session.state.get({ name: 'checkpoints', create: () => checkpoints, dispose: (each) => each.close() });
      tell = (text) => session.notify({ level: 'warning', text });
    },
  };
}

/** Lets a program record each call before it runs, after its checkpoint. */
export function withRecovery(
  { beforeExecute }: CheckpointWiring['options'],
  recovery: CallRecovery | undefined,
): Pick<ConversationOptions, 'beforeExecute' | 'resolvePending'> {
  if (!recovery) return beforeExecute ? { beforeExecute } : {};
  return {
    resolvePending: recovery.resolvePending,
    beforeExecute: async (call, scope) => {
      const ends = [await beforeExecute?.(call, scope), await recovery.beforeExecute(call, scope)];
      return async () => {
        for (const end of ends) await end?.();
      };
    },
  };
}

function ownFolders({ config, data, state, cache }: RobotaDirectories): readonly string[] {
  return [...new Set([config, data, state, cache])];
}
