import { relative } from 'node:path';
import type { ResourceFolder } from '@robota-sdk/agent-config';

/** The label of a resource folder: its plugin, or its path from the project or from home. */
export function folderTitle(
  { path, plugin, scope }: Pick<ResourceFolder, 'path' | 'plugin' | 'scope'>,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): string {
  if (plugin !== undefined) return `plugin ${plugin}`;
  if (scope === 'project') return relative(cwd, path);
  const below = relative(home, path);
  return below.startsWith('..') ? path : `~/${below}`;
}
