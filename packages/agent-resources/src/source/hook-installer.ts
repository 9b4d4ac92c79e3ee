import type { HookGroup } from '@robota-sdk/agent-config';
import type { StateKey } from '@robota-sdk/agent-core';

/** Puts hooks to work that come with something that is used in a session, such as a skill, until they are taken back. */
export const hookInstaller: StateKey<{
  install?(groups: readonly HookGroup[]): () => void;
  /** Puts other hooks into the place of those of the settings and of plugins. */
  replace?(groups: readonly HookGroup[]): Promise<void>;
}> = {
  name: 'hookInstaller',
  create: () => ({}),
};
