import { join } from 'node:path';
import { childPath, repositoryOf } from '@robota-sdk/agent-core';
import { projectRoot } from '../file/read-project-file.ts';
import {
  type Dialect,
  dialects,
  type HostEnvironment,
  type ResourceKind,
  readsFilesOf,
  userFolder,
} from './dialects.ts';

/** A folder that may hold resources of a kind. */
export interface ResourceFolder {
  readonly path: string;
  readonly dialect: Dialect['name'];
  /** Supplied by the repository, the user's own, or part of an installed plugin, which was agreed to as a whole. */
  readonly scope: 'project' | 'user' | 'plugin';
  /** The name of the plugin it belongs to. */
  readonly plugin?: string;
  /** That plugin's own folder, which its texts call `${CLAUDE_PLUGIN_ROOT}`. */
  readonly pluginRoot?: string;
  /** The folder that everything in it must lie in, after resolving links, if a repository supplies it. */
  readonly root?: string;
  /** The names of the entries that count, if not all do. */
  readonly only?: readonly string[];
}

/** The resource folders of an installed plugin, by kind. */
export interface PluginFolders {
  readonly name: string;
  readonly root: string;
  readonly folders: Readonly<Partial<Record<ResourceKind, readonly PluginFolder[]>>>;
}

/** A folder of a plugin, or some entries of it. */
export type PluginFolder = Pick<ResourceFolder, 'path' | 'only'>;

/** The search paths of resources. */
export interface ResourceSearchPaths {
  readonly cwd: string;
  readonly host: HostEnvironment;
  /** The plugins in force, as `Config.plugins` has them. */
  readonly plugins?: readonly PluginFolders[] | undefined;
}

/** All folders of a kind. Those of plugins come last, after the project's and the user's. */
export function allResourceFolders(kind: ResourceKind, places: ResourceSearchPaths): ResourceFolder[] {
  const { cwd, host, plugins = [] } = places;
  const ofPlugins = plugins.flatMap(({ name, root, folders }) =>
    (folders[kind] ?? []).map(
      (folder) =>
        ({ ...folder, dialect: 'claude', scope: 'plugin', plugin: name, pluginRoot: root }) as const,
    ),
  );
  return [...resourceFolders(kind, cwd, host), ...ofPlugins];
}

/**
 * The folders of a kind in the order in which the first of a name wins: those of the project, from the working
 * directory up to the root of its repository, then the user's; in each place in the order of the dialects.
 */
export function resourceFolders(kind: ResourceKind, cwd: string, host: HostEnvironment): ResourceFolder[] {
  const root = projectRoot(cwd);
  const project = upToRepository(cwd)
    .flatMap((directory) => inDialects(kind, 'project', (dialect) => join(directory, dialect.projectFolder)))
    .map((folder) => ({ ...folder, root }));
  const user = inDialects(kind, 'user', (dialect) => userFolder(dialect, host));
  const known = new Set<string>();
  // In the home directory itself, the project's folders are the user's own.
  const own = new Set(user.map(({ path }) => path));
  const all = [...project.filter(({ path }) => !own.has(path)), ...user];
  return all.filter(({ path, scope }) => {
    if (scope !== 'plugin' && !readsFilesOf(host, scope)) return false;
    const isNew = !known.has(path);
    known.add(path);
    return isNew;
  });
}

/** The user's own folders of a kind, the strongest first; they may not exist. */
export function userResourceFolders(kind: ResourceKind, host: HostEnvironment): readonly string[] {
  return inDialects(kind, 'user', (dialect) => userFolder(dialect, host)).map(({ path }) => path);
}

function inDialects(
  kind: ResourceKind,
  scope: ResourceFolder['scope'],
  folderOf: (dialect: Dialect) => string,
): ResourceFolder[] {
  return dialects.flatMap((dialect) => {
    const names = dialect.resources[kind];
    const folder = names.length === 0 ? '' : folderOf(dialect);
    return names.map((name) => ({ path: childPath(folder, name), dialect: dialect.name, scope }));
  });
}

/** The working directory and those above it, as far as they belong to the same repository. */
function upToRepository(cwd: string): string[] {
  const root = repositoryOf(cwd);
  const directories = [cwd];
  for (
    let directory = cwd;
    root !== undefined && directory !== root && directory !== join(directory, '..');
  ) {
    directory = join(directory, '..');
    directories.push(directory);
  }
  return directories;
}
