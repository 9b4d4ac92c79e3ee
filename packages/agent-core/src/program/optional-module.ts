import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isWithin } from '@robota-sdk/agent-shell';
import { realPathOf } from '../file/walk-path.ts';
import { orElse } from '../problem/or-else.ts';
import { homeDirectory } from '../process/home-directory.ts';
import { robotaDirectories } from '../process/robota-directories.ts';
import { isSingleExecutable } from './single-executable.ts';

export interface OptionalModuleSearch {
  /** URL of a module of this program: packages installed next to it are found. */
  readonly beside: string;
  /** The folder for the user's optional packages. */
  readonly folder?: string;
}

/**
 * Finds a module of an optional package next to this program or in the user's folder. The working directory and
 * `NODE_PATH` are not searched: a project must not supply parts of the program.
 */
export function findOptionalModule(specifier: string, search: OptionalModuleSearch): string | undefined {
  const { beside, folder = optionalPackages() } = search;
  const places = [...placesBeside(beside), ...(folder === undefined ? [] : [folder])];
  for (const place of places) {
    const found = moduleIn(join(place, 'node_modules'), specifier);
    if (found !== undefined) return pathToFileURL(found).href;
  }
  return undefined;
}

/** `packages` in the user's Robota folder, which `npm install --prefix` fills without system rights. */
function optionalPackages(): string | undefined {
  return orElse(
    () => join(robotaDirectories({ env: process.env, home: homeDirectory() }).data, 'packages'),
    undefined,
  );
}

function moduleIn(modules: string, specifier: string): string | undefined {
  const [scope = '', name = ''] = specifier.split('/');
  const folder = join(modules, scope.startsWith('@') ? join(scope, name) : scope);
  if (!existsSync(join(folder, 'package.json'))) return undefined;
  try {
    const found = createRequire(join(dirname(modules), 'index.js')).resolve(specifier);
    return isWithin(realPathOf(folder), realPathOf(found)) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** The single executable is in `bin`, while npm's global packages are in `lib`. */
function placesBeside(module: string): string[] {
  if (!isSingleExecutable()) return foldersAbove(dirname(fileURLToPath(module)));
  const folder = dirname(process.execPath);
  return [join(dirname(folder), 'lib'), ...foldersAbove(folder)];
}

function foldersAbove(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}
