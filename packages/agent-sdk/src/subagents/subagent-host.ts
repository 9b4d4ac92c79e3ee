import type { Authorizer, StateKey } from '@robota-sdk/agent-core';
import type { Session, SessionOptions } from '@robota-sdk/agent-sessions';
import type { ProjectContext } from '../context/load-context.ts';
import type { ConnectedModel } from '../interactive-session.ts';
import type { IAgentDefinition } from './agent-definition.ts';
import type { SubagentLogs } from './create-subagent-logger.ts';

/** What subagents take over from the session that starts them; nothing of it is loaded again. */
export interface SubagentHost {
  readonly session: Session;
  /** What the session was made of. */
  readonly options: SessionOptions;
  readonly context: ProjectContext;
  readonly language?: string;
  /** Judges the calls of subagents by the parent's policy, as narrow as the view makes it. */
  readonly authorize: Authorizer['authorize'];
  /** Gives a new session what the tools of its parent may reach. */
  adopt(session: Session): void;
  /** Our home directory. */
  readonly home: string;
  readonly definitions: readonly IAgentDefinition[];
  /** Where logs of subagents go; there are none without it. */
  readonly logs?: SubagentLogs;
  /** Finds a model by name; throws where it can't be reached. */
  connect(name: string): ConnectedModel;
}

/** Every session has its own host, which its tools find in its state. */
export const subagentHost: StateKey<{ current?: SubagentHost }> = {
  name: 'subagentHost',
  create: () => ({}),
};
