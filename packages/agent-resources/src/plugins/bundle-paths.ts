import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { isWithin, readRegularFile } from '@robota-sdk/agent-core';
import type { Bundle } from './bundle-in-progress.ts';
import { problemAt } from './plugin-problem.ts';

/** A path of a plugin that exists. */
export interface BundlePath {
  readonly path: string;
  readonly isFolder: boolean;
}

const maxPrompt = 256 * 1024;

/** The paths in a field that exist inside the plugin; others are reported. */
export async function pathsOf(bundle: Bundle, key: string, items: readonly string[]): Promise<BundlePath[]> {
  if (items.length === 0) return [];
  const complain = (message: string): undefined => {
    bundle.problems.push(problemAt(bundle.source, key, message));
  };
  const root = await realpath(bundle.root);
  const found = await Promise.all(
    items.map(async (item): Promise<BundlePath | undefined> => {
      if (isAbsolute(item)) return complain(`"${key}": ${item} is not a path below the plugin.`);
      const path = join(bundle.root, item.replace(/^\$\{CLAUDE_PLUGIN_ROOT\}\//, ''));
      const real = await realpath(path).catch(() => undefined);
      if (!isWithin(bundle.root, path) || (real !== undefined && !isWithin(root, real)))
        return complain(`"${key}": ${item} leads out of the plugin.`);
      const info = real === undefined ? undefined : await stat(real);
      if (!info) return complain(`"${key}": ${item} is missing in the plugin.`);
      return { path: path.replace(/\/$/, ''), isFolder: info.isDirectory() };
    }),
  );
  return found.filter((path) => path !== undefined);
}

/** The files among the paths of a field. */
export async function filesOf(bundle: Bundle, key: string, written: readonly string[]): Promise<string[]> {
  const paths = await pathsOf(bundle, key, written);
  return paths.filter(({ isFolder }) => !isFolder).map(({ path }) => path);
}

/** The text of a file that a field names. */
export async function bundleText(bundle: Bundle, key: string, path: string): Promise<string | undefined> {
  const [file] = await filesOf(bundle, key, [path]);
  if (file === undefined) return undefined;
  if ((await stat(file)).size <= maxPrompt) return (await readRegularFile(file)).toString();
  bundle.problems.push(problemAt(bundle.source, key, `"${key}": ${path} has more than ${maxPrompt} bytes.`));
  return undefined;
}
