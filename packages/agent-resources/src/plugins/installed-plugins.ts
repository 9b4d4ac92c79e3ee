import { join } from 'node:path';
import {
  checked,
  flag,
  given,
  type JsonObject,
  type JsonValue,
  lazy,
  object,
  type Problem,
  sentence,
  text,
  warning,
} from '@robota-sdk/agent-core';
import type { LoadBundleOptions } from './bundle-loader.ts';
import type { IBundlePlugin } from './bundle-plugin.ts';
import { manifestObject } from './parse-manifest.ts';
import { isPluginName, referenceText } from './plugin-name.ts';
import type { PluginPaths } from './plugin-paths.ts';
import type { TreeSeal } from './plugin-tree.ts';
import { readManifestFile } from './read-manifest-file.ts';

/** A plugin in the registry of installed ones. */
export interface InstalledPlugin {
  /** `name@marketplace`. */
  readonly id: string;
  readonly name: string;
  readonly marketplace: string;
  readonly version: string;
  /** Its folder. */
  readonly path: string;
  readonly installedAt: string;
  /** The approved content. */
  readonly seal: TreeSeal;
  /** The approval covered its MCP servers, if any. */
  readonly coversServers?: boolean;
  readonly source?: JsonObject;
  readonly listed?: LoadBundleOptions['listed'];
}

/** The plugins of a scope; a damaged entry is reported and skipped. */
export async function readInstalled(
  paths: PluginPaths,
  problems: Problem[] = [],
): Promise<readonly InstalledPlugin[]> {
  const file = await readManifestFile(paths.installed);
  return Object.entries(file?.value ?? {}).flatMap(([id, value]) => {
    const plugin = installedOf(id, value, paths);
    if (!plugin)
      problems.push(
        warning(
          'plugin.damaged-entry',
          sentence`The entry ${{ plugin: JSON.stringify(id) }} is damaged; it is skipped.`,
          {
            subject: id,
            source: { file: paths.installed },
            isInactive: true,
          },
        ),
      );
    return plugin ? [plugin] : [];
  });
}

/** True if a plugin has MCP servers that its approval does not cover, because it predates them. */
export function hasUnseenServers(
  { coversServers = false }: InstalledPlugin,
  { mcpServers }: Pick<IBundlePlugin, 'mcpServers'>,
): boolean {
  return !coversServers && Object.keys(mcpServers).length > 0;
}

/** How an installed plugin is read again. */
export function loadOptions({ name, listed }: InstalledPlugin): LoadBundleOptions {
  return { name, ...(listed === undefined ? {} : { listed }) };
}

/** A change to the registry. */
export interface RegistryChange {
  readonly put?: readonly InstalledPlugin[];
  readonly remove?: readonly string[];
}

/** Adds, replaces and removes plugins in the registry in one step, under a lock. */
export async function updateInstalled(
  paths: PluginPaths,
  change: (known: readonly InstalledPlugin[]) => RegistryChange | Promise<RegistryChange>,
): Promise<void> {
  const { updatePrivateFile } = await import('@robota-sdk/agent-config');
  await updatePrivateFile(paths.installed, async () => {
    const known = { ...(await readManifestFile(paths.installed))?.value } as Record<string, JsonValue>;
    const { put = [], remove = [] } = await change(await readInstalled(paths));
    for (const id of remove) delete known[id];
    for (const plugin of put) known[plugin.id] = jsonOf(plugin, paths);
    return `${JSON.stringify(known, null, 2)}\n`;
  });
}

const pluginName = checked(text, 'a name', isPluginName);
const entryShape = lazy(() =>
  object(
    {
      pluginName,
      marketplace: pluginName,
      version: text,
      installPath: text,
      installedAt: text,
      hash: text,
      stamp: text,
    },
    { servers: flag, source: manifestObject, listed: object({ value: manifestObject }, { isWhole: flag }) },
  ),
);

/** A folder is a name below the cache: a registry in a repository must not point elsewhere. */
function installedOf(id: string, value: JsonValue, paths: PluginPaths): InstalledPlugin | undefined {
  const entry = entryShape.parse(value);
  const folder = entry?.installPath.split(/[\\/]/).at(-1);
  if (!entry || !isPluginName(folder)) return undefined;
  const { pluginName: name, marketplace, version, installedAt, hash, stamp, source, listed } = entry;
  if (id !== referenceText({ name, marketplace })) return undefined;
  return {
    id,
    name,
    marketplace,
    version,
    path: join(paths.cache, marketplace, name, folder),
    installedAt,
    seal: { hash, stamp },
    ...(entry.servers ? { coversServers: true } : {}),
    ...given('source', source),
    ...given('listed', listed && { value: listed.value, isWhole: listed.isWhole === true }),
  };
}

function jsonOf(plugin: InstalledPlugin, { root }: PluginPaths): JsonObject {
  const { name, marketplace, version, path, installedAt, seal, coversServers, source, listed } = plugin;
  return {
    pluginName: name,
    marketplace,
    version,
    // Relative, so that a project can be moved.
    installPath: path.slice(root.length + 1),
    installedAt,
    ...seal,
    ...(coversServers ? { servers: true } : {}),
    ...(source === undefined ? {} : { source }),
    ...(listed === undefined ? {} : { listed: { ...listed } }),
  };
}
