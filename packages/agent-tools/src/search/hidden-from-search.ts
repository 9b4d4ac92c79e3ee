import type { HiddenFiles, StateKey } from '@robota-sdk/agent-core';

/** What the rules of a session hide from searches; set by whoever knows the rules. */
export interface HiddenFromSearch {
  files?: HiddenFiles;
}

export const hiddenFromSearch: StateKey<HiddenFromSearch> = {
  name: 'hidden-from-search',
  create: () => ({}),
};
