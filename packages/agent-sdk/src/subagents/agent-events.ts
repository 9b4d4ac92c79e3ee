import type { AgentEvent, StateKey } from '@robota-sdk/agent-core';

type Listener = (event: AgentEvent, agentId: string) => void;

/** Listeners to the events of a session's subagents. */
export const agentEvents: StateKey<Set<Listener>> = {
  name: 'agentEvents',
  create: () => new Set(),
};
