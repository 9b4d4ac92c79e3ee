import { relative } from 'node:path';
import type { PluginFolders } from '@robota-sdk/agent-config';
import { isProblem } from '@robota-sdk/agent-core';
import { componentsIn, type FoundComponent } from './find-components.ts';
import { grantLines } from './grant-lines.ts';

/** The components of a plugin with the permissions of each, one line each, for the approval question. */
export async function bundledComponents({ root, folders }: PluginFolders): Promise<string[]> {
  const found = (folders.extensions ?? []).flatMap(({ path, only }) =>
    componentsIn({ path, only, scope: 'plugin' }),
  );
  return Promise.all(
    found
      .filter((each): each is FoundComponent => !isProblem(each))
      .map(async (component) => {
        const granted = await grantLines(component);
        const name = relative(root, component.path);
        return `WebAssembly ${name}${granted.length === 0 ? ', without files, network or variables' : `: ${granted.join(', ')}`}`;
      }),
  );
}
