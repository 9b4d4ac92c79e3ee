import type { StateKey } from '@robota-sdk/agent-core';

/** How many characters of one result a session has room for; without a number, the usual limits hold. */
export const outputRoom: StateKey<{ characters: () => number | undefined }> = {
  name: 'outputRoom',
  create: () => ({ characters: () => undefined }),
};
