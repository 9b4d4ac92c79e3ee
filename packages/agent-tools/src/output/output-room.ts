import type { StateKey } from '@robota-sdk/agent-core';

/** Maximum characters of one result in a session; without a number, the default limits apply. */
export const outputRoom: StateKey<{ characters: () => number | undefined }> = {
  name: 'outputRoom',
  create: () => ({ characters: () => undefined }),
};
