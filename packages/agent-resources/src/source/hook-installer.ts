import type { HookGroup } from '@robota-sdk/agent-config';
import { AgentError, type HookRegistry, type StateKey } from '@robota-sdk/agent-core';

interface HookInstaller {
  /** Activates hooks, of a skill for example, in the session or only for an agent; the returned function removes them. */
  install(groups: readonly HookGroup[], into?: HookRegistry): () => void;
  /** Replaces the hooks of the settings and of plugins. */
  replace(groups: readonly HookGroup[]): Promise<void>;
}

/** Changes the hooks of a session; set unless its hooks are off. */
export const hookInstaller: StateKey<HookInstaller> = {
  name: 'hookInstaller',
  create: () => {
    throw new AgentError('session', 'The hooks of this session are off.');
  },
};
