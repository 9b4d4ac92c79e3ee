import type { Extension } from '@robota-sdk/agent-core';
import { builtinTools } from '@robota-sdk/agent-tools';

/** The tools that come with the product, as the extension they are. */
export const builtInTools: Extension = {
  name: 'built-in',
  setup: (host) => {
    for (const tool of builtinTools()) host.tool(tool);
  },
};
