import { relative } from 'node:path';
import type { PluginEnvironment } from '../plugins/plugin-paths.ts';

/** The label of a file: its path from the project or from home. */
export function componentTitle(path: string, { cwd, host }: PluginEnvironment): string {
  const fromHere = relative(cwd, path);
  if (!fromHere.startsWith('..')) return fromHere;
  const below = relative(host.home, path);
  return below.startsWith('..') ? path : `~/${below}`;
}
