import { checkArguments, having, instance } from '@robota-sdk/agent-core';
import { subagentHost } from '@robota-sdk/agent-resources';
import { Conversation } from '@robota-sdk/agent-sessions';
import { createConversation } from '../assembly/assemble-session.ts';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import {
  createSubagentSession as createFromHost,
  type SubagentOptions,
} from '../subagents/create-subagent-session.ts';
import { definitionShape, hostOfSubagents } from '../subagents/run-subagent.ts';

type Details = Omit<SubagentOptions, 'host'>;

/**
 * Definition of a subagent, and its parent session. Instead of a parent it accepts configuration and context that the
 * caller has loaded; nothing is read from disk.
 */
export type SubagentSessionOptions =
  | SubagentOptions
  | (Details & { readonly parent: Conversation })
  | (Details & Omit<CreateSessionOptions, keyof Details>);

/** Makes the session of a subagent: isolated from its parent's conversation, paid by it, and never allowed more. */
export function createSubagentSession(options: SubagentSessionOptions): Conversation {
  checkArguments('createSubagentSession', { options: [options, having({ definition: definitionShape })] });
  if ('host' in options) {
    checkArguments('createSubagentSession', { host: [options.host, hostOfSubagents] });
    return createFromHost(options);
  }
  if ('parent' in options) {
    checkArguments('createSubagentSession', {
      parent: [
        options.parent,
        instance('a session', (value): value is Conversation => value instanceof Conversation),
      ],
    });
    return createFromHost({ ...options, host: options.parent.state.get(subagentHost) });
  }
  const { definition, isForkWorker, note, handle, logger, asking, narrow, model, ...resolved } = options;
  return createFromHost({ ...options, host: createConversation(resolved).state.get(subagentHost) });
}
