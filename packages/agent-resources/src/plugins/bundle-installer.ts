import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { removeFolder, withoutStaging, withStaging } from '@robota-sdk/agent-config';
import {
  AgentError,
  callback,
  checkArguments,
  having,
  makeDirectories,
  objectInstance,
  optional,
  pathShape,
  text,
  words,
} from '@robota-sdk/agent-core';
import { copyTree } from '../plugin-source/copy-tree.ts';
import { fetchSource } from '../plugin-source/fetch-source.ts';
import { sourceJson } from '../plugin-source/parse-source.ts';
import { describeSource, type PluginSource, pluginSource } from '../plugin-source/plugin-source.ts';
import type { PluginScope } from '../source/plugin-scope.ts';
import { BundleLoader } from './bundle-loader.ts';
import type { IBundlePlugin } from './bundle-plugin.ts';
import { disabledPlugins, setEnabled } from './enabled-plugins.ts';
import {
  hasUnseenServers,
  type InstalledPlugin,
  loadOptions,
  readInstalled,
  updateInstalled,
} from './installed-plugins.ts';
import type { MarketplaceEntry } from './marketplace-manifest.ts';
import { fetchContext, type PluginContext, pluginContextFields } from './plugin-context.ts';
import { isPluginName, noMarketplace, parseReference, referenceText } from './plugin-name.ts';
import { type PluginPaths, pluginData, pluginPaths } from './plugin-paths.ts';
import { type PluginProblem, skippedLinks } from './plugin-problem.ts';
import { type PluginReport, reportPlugin } from './plugin-report.ts';
import { isSealed, sealTree, type TreeSeal } from './plugin-tree.ts';
import { textProblems } from './text-problems.ts';

export interface BundleInstallerOptions extends PluginContext {
  readonly scope: PluginScope;
}

const installerOptions = having({ ...pluginContextFields, scope: words('user', 'project') });

const installRequest = having({
  source: pluginSource,
  confirm: callback,
  offered: optional(having({ marketplace: text, entry: objectInstance, inside: pathShape })),
});

/** A plugin to be installed. */
export interface InstallRequest {
  readonly source: PluginSource;
  /** The marketplace that offers it, and its entry. */
  readonly offered?: {
    readonly marketplace: string;
    readonly entry: MarketplaceEntry;
    /** The folder with the marketplace's own files. */
    readonly inside: string;
    readonly commit?: string | undefined;
  };
  /** Shows what would be installed; nothing is installed without approval. */
  confirm(preview: InstallPreview): Promise<boolean>;
}

/** A plugin before its installation, for the approval question. */
export interface InstallPreview {
  readonly plugin: IBundlePlugin;
  readonly id: string;
  readonly version: string;
  readonly source: PluginSource;
  readonly report: PluginReport;
  /** The version that it would replace. */
  readonly previous?: InstalledPlugin;
}

/** A plugin and its current problems. */
export interface PluginStatus extends InstalledPlugin {
  readonly scope: PluginScope;
  readonly isEnabled: boolean;
  /** True if its files differ from the approved ones. */
  readonly isChanged: boolean;
  readonly description: string;
  readonly problem?: string;
}

/**
 * Installs plugins below `~/.robota/plugins` or `.robota/plugins`: completely or not at all, and only with approval.
 */
export class BundleInstaller {
  readonly #options: BundleInstallerOptions;
  readonly #paths: PluginPaths;
  readonly #loader = new BundleLoader();

  constructor(options: BundleInstallerOptions) {
    checkArguments('new BundleInstaller', { options: [options, installerOptions] });
    this.#options = options;
    this.#paths = pluginPaths(options.scope, options);
  }

  /** Fetches, checks, shows and installs a plugin; undefined if it was declined. */
  async install(request: InstallRequest): Promise<InstalledPlugin | undefined> {
    checkArguments('BundleInstaller.install', { request: [request, installRequest] });
    const { signal } = this.#options;
    return withStaging(this.#paths.root, async (staging) => {
      const preview = await this.#prepare(request, staging);
      signal?.throwIfAborted();
      if (!(await request.confirm(preview))) return undefined;
      signal?.throwIfAborted();
      return this.#place(preview, request);
    });
  }

  /** Removes a plugin and its data. */
  async uninstall(reference: string): Promise<InstalledPlugin> {
    checkArguments('BundleInstaller.uninstall', { reference: [reference, text] });
    const plugin = await this.find(reference);
    await updateInstalled(this.#paths, () => ({ remove: [plugin.id] }));
    await removeFolder(plugin.path, this.#paths.root);
    await rm(pluginData(plugin.id, this.#options.host), { recursive: true, force: true });
    await setEnabled(plugin.id, undefined, this.#options);
    return plugin;
  }

  /** Enables a plugin. One whose files changed needs a new approval by `confirm`. */
  async enable(reference: string, confirm: InstallRequest['confirm']): Promise<InstalledPlugin | undefined> {
    checkArguments('BundleInstaller.enable', { reference: [reference, text], confirm: [confirm, callback] });
    const plugin = await this.find(reference);
    const bundle = await this.#loader.load(plugin.path, loadOptions(plugin));
    if (!(await isSealed(plugin.path, plugin.seal)) || hasUnseenServers(plugin, bundle)) {
      const seal = await sealTree(plugin.path);
      const { id, version } = plugin;
      const source: PluginSource = { kind: 'local', path: plugin.path };
      const report = await reportPlugin(bundle);
      if (!(await confirm({ plugin: bundle, id, version, source, report, previous: plugin })))
        return undefined;
      await updateInstalled(this.#paths, () => ({ put: [{ ...plugin, seal, coversServers: true }] }));
    }
    await this.#switchOn(plugin.id);
    return plugin;
  }

  /** Switches a plugin off; its files stay. */
  async disable(reference: string): Promise<InstalledPlugin> {
    checkArguments('BundleInstaller.disable', { reference: [reference, text] });
    const plugin = await this.find(reference);
    await setEnabled(plugin.id, false, this.#options);
    return plugin;
  }

  /** The plugins of the scope and their problems. */
  async list(): Promise<readonly PluginStatus[]> {
    const [plugins, disabled] = await Promise.all([
      readInstalled(this.#paths),
      disabledPlugins(this.#options),
    ]);
    return Promise.all(plugins.map((plugin) => this.#statusOf(plugin, !disabled.has(plugin.id))));
  }

  /** An installed plugin by `name` or `name@marketplace`. */
  async find(reference: string): Promise<InstalledPlugin> {
    checkArguments('BundleInstaller.find', { reference: [reference, text] });
    const { name, marketplace } = parseReference(reference);
    const plugins = await readInstalled(this.#paths);
    const found = plugins.filter(
      (one) => one.name === name && (marketplace === undefined || one.marketplace === marketplace),
    );
    const [first, ...others] = found;
    if (first && others.length === 0) return first;
    const ids = (first ? found : plugins).map(({ id }) => id).join(', ') || 'none';
    const problem = first
      ? `"${reference}" may be any of ${ids}. Say which`
      : `"${reference}" is not installed here; installed: ${ids}`;
    throw new AgentError('config', `${problem}.`);
  }

  async #prepare({ source, offered }: InstallRequest, staging: string): Promise<Preparation> {
    const context = { ...fetchContext(this.#options), inside: offered?.inside };
    const { root, commit, skipped = [] } = await fetchSource(source, join(staging, 'fetched'), context);
    const path = join(staging, 'plugin');
    const missing = skippedLinks([...skipped, ...(await copyTree(root, path))]);
    context.onProgress('Checking its contents');
    const listed = offered?.entry.listed;
    const name = offered?.entry.name;
    const loaded = await this.#loader
      .load(path, {
        ...(name === undefined ? { usualName: nameOf(source) } : { name }),
        ...(listed === undefined ? {} : { listed }),
      })
      .catch((thrown: unknown) => {
        throw withoutStaging(thrown, path, describeSource(source));
      });
    const texts = await textProblems(loaded);
    const plugin = { ...loaded, problems: [...loaded.problems, ...inside(missing, path), ...texts] };
    const seal = await sealTree(path);
    const version = versionOf(plugin, { offered, commit, seal });
    const id = referenceText({ name: plugin.name, marketplace: offered?.marketplace ?? noMarketplace });
    const previous = (await readInstalled(this.#paths)).find((one) => one.id === id);
    const report = await reportPlugin(plugin);
    return { plugin, id, version, source, report, path, seal, ...(previous ? { previous } : {}) };
  }

  /** The registry is written last: until then the plugin is missing, or the previous one is still there. */
  async #place(preparation: Preparation, request: InstallRequest): Promise<InstalledPlugin> {
    let placed: InstalledPlugin | undefined;
    let previous: InstalledPlugin | undefined;
    try {
      await updateInstalled(this.#paths, async (known) => {
        previous = known.find(({ id }) => id === preparation.id);
        placed = await this.#move(preparation, request, known);
        return { put: [placed] };
      });
    } catch (thrown) {
      if (placed) await rm(placed.path, { recursive: true, force: true });
      throw thrown;
    }
    if (!placed) throw new AgentError('config', `${preparation.id} could not be installed.`);
    if (previous && previous.path !== placed.path) await removeFolder(previous.path, this.#paths.root);
    await this.#switchOn(placed.id);
    return placed;
  }

  async #move(
    { id, version, plugin, path, seal }: Preparation,
    { source, offered }: InstallRequest,
    known: readonly InstalledPlugin[],
  ): Promise<InstalledPlugin> {
    const marketplace = offered?.marketplace ?? noMarketplace;
    const base = join(this.#paths.cache, marketplace, plugin.name);
    const target = await freeFolder(base, known, [version, seal.hash.slice(0, 8)]);
    await rename(path, target);
    return {
      id,
      name: plugin.name,
      marketplace,
      version,
      path: target,
      installedAt: new Date().toISOString(),
      // Moving a folder keeps its files, but not all their metadata.
      seal: { ...seal, stamp: (await sealTree(target)).stamp },
      coversServers: true,
      source: sourceJson(source),
      ...(offered && Object.keys(offered.entry.listed.value).length > 0
        ? { listed: offered.entry.listed }
        : {}),
    };
  }

  async #switchOn(id: string): Promise<void> {
    if ((await disabledPlugins(this.#options)).has(id)) await setEnabled(id, true, this.#options);
  }

  async #statusOf(plugin: InstalledPlugin, isEnabled: boolean): Promise<PluginStatus> {
    const base = { ...plugin, scope: this.#options.scope, isEnabled };
    try {
      const bundle = await this.#loader.load(plugin.path, loadOptions(plugin));
      const isChanged = !(await isSealed(plugin.path, plugin.seal));
      const description = bundle.manifest.description ?? '';
      return { ...base, isChanged, description };
    } catch (thrown) {
      const problem = thrown instanceof Error ? thrown.message : String(thrown);
      return { ...base, isChanged: false, description: '', problem };
    }
  }
}

/** Problems of links inside a folder. */
function inside(problems: readonly PluginProblem[], folder: string): PluginProblem[] {
  return problems.map((problem) => ({
    ...problem,
    source: { ...problem.source, file: join(folder, problem.source.file) },
  }));
}

interface Preparation extends InstallPreview {
  readonly path: string;
  readonly seal: TreeSeal;
}

/** A folder named after the version, and after the content too if that name is taken. */
async function freeFolder(
  base: string,
  known: readonly InstalledPlugin[],
  [version, content]: readonly [string, string],
): Promise<string> {
  makeDirectories(base, 0o700);
  const plain = version.replaceAll('+', '-');
  const names = [plain, `${plain}-${content}`, `${plain}-${Date.now().toString(36)}`];
  const target = names
    .map((name) => join(base, name))
    .find((path) => !known.some((one) => one.path === path));
  if (target === undefined) throw new AgentError('config', `No free folder below ${base}.`);
  // A folder missing from the registry was left by a killed process.
  await rm(target, { recursive: true, force: true });
  return target;
}

interface Origin {
  readonly offered: InstallRequest['offered'] | undefined;
  readonly commit: string | undefined;
  readonly seal: TreeSeal;
}

/** The default name of a plugin: its folder, repository or archive. */
function nameOf(source: PluginSource): string {
  const place = source.kind === 'npm' ? source.package : 'path' in source ? source.path : source.url;
  return basename(place ?? '').replace(/(?:\.git|\.tar\.gz|\.tgz|\.zip)$/, '');
}

/** Its own version, otherwise the marketplace entry's, the commit, or a hash of its content. */
function versionOf({ manifest }: IBundlePlugin, { offered, commit, seal }: Origin): string {
  const listed = offered?.entry.version;
  const named = manifest.version ?? (isPluginName(listed?.replaceAll('+', '-')) ? listed : undefined);
  return named ?? (commit ?? offered?.commit)?.slice(0, 12) ?? seal.hash.slice(0, 12);
}
