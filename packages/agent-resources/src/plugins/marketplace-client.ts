import { rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { removeFolder, updatePrivateFile, withoutStaging, withStaging } from '@robota-sdk/agent-config';
import {
  AgentError,
  checkArguments,
  errorMessage,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  makeDirectories,
  object,
  optional,
  orElse,
  type Problem,
  problemOf,
  sentence,
  text,
} from '@robota-sdk/agent-core';
import { copyTree } from '../plugin-source/copy-tree.ts';
import { fetchSource } from '../plugin-source/fetch-source.ts';
import { readSource, sourceJson } from '../plugin-source/parse-source.ts';
import { describeSource, type PluginSource, pluginSource } from '../plugin-source/plugin-source.ts';
import { type MarketplaceEntry, type MarketplaceManifest, readMarketplace } from './marketplace-manifest.ts';
import { manifestObject } from './parse-manifest.ts';
import { fetchContext, type PluginContext, pluginContext } from './plugin-context.ts';
import { isPluginName, noMarketplace } from './plugin-name.ts';
import { type PluginPaths, pluginPaths } from './plugin-paths.ts';
import { skippedLinks } from './plugin-problem.ts';
import { readManifestFile } from './read-manifest-file.ts';

/** The official marketplace; fetched only when named. */
export const defaultMarketplace: KnownMarketplace = {
  name: 'claude-plugins-official',
  source: { kind: 'git', url: 'https://github.com/anthropics/claude-plugins-official.git' },
};

/** A marketplace's name and source. */
export interface KnownMarketplace {
  readonly name: string;
  readonly source: PluginSource;
}

/** A marketplace that was fetched. */
export interface AddedMarketplace extends KnownMarketplace {
  readonly lastUpdated: string;
  /** The folder with its files. */
  readonly path: string;
  readonly commit?: string;
}

/** A marketplace and its plugins. */
export interface OpenMarketplace extends AddedMarketplace {
  readonly manifest: MarketplaceManifest;
}

/** A plugin and the marketplace that offers it. */
export interface FoundEntry {
  readonly marketplace: OpenMarketplace;
  readonly entry: MarketplaceEntry;
}

export interface MarketplaceSearch {
  readonly text?: string | undefined;
  readonly category?: string | undefined;
}

const searchShape = object({}, { text: optional(text), category: optional(text) });

const entryShape = object({ source: manifestObject, lastUpdated: text }, { commit: text });

/** Adds, updates, removes and searches the user's marketplaces. Fetches only on request. */
export class MarketplaceClient {
  readonly #context: PluginContext;
  readonly #paths: PluginPaths;

  constructor(context: PluginContext) {
    checkArguments('new MarketplaceClient', { context: [context, pluginContext] });
    this.#context = context;
    this.#paths = pluginPaths('user', context);
  }

  /** The marketplaces that were added. Invalid entries are skipped. */
  async list(): Promise<readonly AddedMarketplace[]> {
    const file = await readManifestFile(this.#paths.marketplacesFile);
    return Object.entries(file?.value ?? {}).flatMap(([name, value]) => {
      const entry = isPluginName(name) ? entryShape.parse(value) : undefined;
      if (!entry) return [];
      const { source, ...rest } = entry;
      const path = join(this.#paths.marketplaces, name);
      return orElse(() => [{ ...rest, name, source: readSource(source, { local: true }), path }], []);
    });
  }

  /** Fetches a marketplace and stores it under its own name. */
  async add(source: PluginSource): Promise<OpenMarketplace> {
    checkArguments('MarketplaceClient.add', { source: [source, pluginSource] });
    return withStaging(this.#paths.root, async (staging) => {
      const { path, manifest, commit } = await this.#fetch(source, staging);
      const known = await this.list();
      if (known.some(({ name }) => name === manifest.name)) {
        const advice = `robota plugin marketplace update ${manifest.name} fetches it again; remove it to take another one`;
        throw new AgentError('config', `The marketplace "${manifest.name}" already exists: ${advice}.`);
      }
      return this.#keep(path, { name: manifest.name, source, commit, manifest });
    });
  }

  /** Fetches a marketplace again; the old one stays in use if that fails. */
  async update(name: string): Promise<OpenMarketplace> {
    checkArguments('MarketplaceClient.update', { name: [name, text] });
    const { source } = await this.get(name);
    return withStaging(this.#paths.root, async (staging) => {
      const { path, manifest, commit } = await this.#fetch(source, staging);
      if (manifest.name !== name) {
        const advice = `Remove it, and add it again as "${manifest.name}"`;
        throw new AgentError(
          'config',
          `The marketplace "${name}" calls itself "${manifest.name}" now. ${advice}.`,
        );
      }
      return this.#keep(path, { name, source, commit, manifest, staging });
    });
  }

  /** Forgets a marketplace and deletes its files. Plugins that were installed from it are not touched here. */
  async remove(name: string): Promise<void> {
    checkArguments('MarketplaceClient.remove', { name: [name, text] });
    const { path } = await this.get(name);
    await this.#updateRegistry((known) => {
      const { [name]: gone, ...rest } = known;
      return rest;
    });
    await removeFolder(path, this.#paths.root);
  }

  async get(name: string): Promise<AddedMarketplace> {
    checkArguments('MarketplaceClient.get', { name: [name, text] });
    const known = await this.list();
    const found = known.find((one) => one.name === name);
    if (found) return found;
    const names = known.map((one) => one.name).join(', ') || 'none yet';
    throw new AgentError('config', `Unknown marketplace "${name}". Added: ${names}.`);
  }

  /** Reads a marketplace's offer. */
  async open(name: string): Promise<OpenMarketplace> {
    checkArguments('MarketplaceClient.open', { name: [name, text] });
    const added = await this.get(name);
    try {
      return { ...added, manifest: await readMarketplace(added.path, { local: isLocal(added.source) }) };
    } catch (thrown) {
      const message = sentence`Cannot read the marketplace "${{ marketplace: name }}": ${{ reason: errorMessage(thrown) }}`;
      const hint = { text: 'Fetch it again with', run: ['plugin', 'marketplace', 'update', name] };
      throw new AgentError('config', message, { subject: name, hint, cause: thrown });
    }
  }

  /** Opens every marketplace; a missing or broken one is reported and skipped. */
  async openAll(): Promise<{
    readonly open: readonly OpenMarketplace[];
    readonly problems: readonly Problem[];
  }> {
    const settled = await Promise.allSettled((await this.list()).map(({ name }) => this.open(name)));
    return {
      open: settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
      problems: settled.flatMap((one) => (one.status === 'rejected' ? [problemOf(one.reason)] : [])),
    };
  }

  /** Finds plugins by words in names, descriptions and keywords, and by category; the best matches first. */
  async search(search: MarketplaceSearch): Promise<{
    readonly found: readonly FoundEntry[];
    readonly problems: readonly Problem[];
  }> {
    checkArguments('MarketplaceClient.search', { search: [search, searchShape] });
    const { text: wanted = '', category } = search;
    const { open, problems } = await this.openAll();
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
    const ranked = open.flatMap((marketplace) =>
      marketplace.manifest.entries
        .filter((entry) => category === undefined || entry.category?.toLowerCase() === category.toLowerCase())
        .map((entry) => ({ marketplace, entry, rank: rankOf(entry, words) }))
        .filter(({ rank }) => rank > 0),
    );
    ranked.sort((a, b) => b.rank - a.rank || (a.entry.name < b.entry.name ? -1 : 1));
    return { found: ranked.map(({ marketplace, entry }) => ({ marketplace, entry })), problems };
  }

  async #fetch(source: PluginSource, staging: string) {
    const fetched = await fetchSource(source, join(staging, 'fetched'), fetchContext(this.#context));
    const { root, commit } = fetched;
    const read = await readMarketplace(root, { local: isLocal(source) }).catch((thrown: unknown) => {
      throw withoutStaging(thrown, root, describeSource(source));
    });
    const problems = read.problems.map((problem) => ({
      ...problem,
      source: { ...problem.source, file: relative(root, problem.source.file) },
    }));
    if (read.name === noMarketplace)
      throw new AgentError('config', `A marketplace cannot be called "${noMarketplace}".`);
    const path = join(staging, 'marketplace');
    const skipped = [...(fetched.skipped ?? []), ...(await copyTree(root, path))];
    return { path, manifest: { ...read, problems: [...problems, ...skippedLinks(skipped)] }, commit };
  }

  async #keep(path: string, { name, source, commit, manifest, staging }: Keeping): Promise<OpenMarketplace> {
    const target = join(this.#paths.marketplaces, name);
    makeDirectories(dirname(target), 0o700);
    if (staging === undefined) await rm(target, { recursive: true, force: true });
    else await rename(target, join(staging, 'before')).catch(() => {});
    await rename(path, target);
    const lastUpdated = new Date().toISOString();
    await this.#updateRegistry((known) => ({
      ...known,
      [name]: {
        source: sourceJson(source),
        installLocation: target,
        lastUpdated,
        ...(commit === undefined ? {} : { commit }),
      },
    }));
    return { name, source, lastUpdated, path: target, manifest, ...(commit === undefined ? {} : { commit }) };
  }

  async #updateRegistry(change: (known: JsonObject) => JsonObject): Promise<void> {
    const path = this.#paths.marketplacesFile;
    await updatePrivateFile(path, async () => {
      const known = (await readManifestFile(path))?.value ?? {};
      return `${JSON.stringify(change(known), null, 2)}\n`;
    });
  }
}

interface Keeping extends KnownMarketplace {
  readonly commit: string | undefined;
  readonly manifest: MarketplaceManifest;
  /** Holds the previous version until the update is complete. */
  readonly staging?: string;
}

/** A marketplace in a local folder may list local sources. */
function isLocal(source: PluginSource): boolean {
  return source.kind === 'local' || (source.kind === 'git' && source.url.startsWith('file:'));
}

/** A name counts most, then keywords, then the description; every word must match. */
function rankOf(
  { name, description, keywords, category = '' }: MarketplaceEntry,
  words: readonly string[],
): number {
  if (words.length === 0) return 1;
  const ranks = words.map((word) => {
    if (name.toLowerCase() === word) return 8;
    if (name.toLowerCase().includes(word)) return 4;
    if ([...keywords, category].some((keyword) => keyword.toLowerCase().includes(word))) return 2;
    return description.toLowerCase().includes(word) ? 1 : 0;
  });
  return ranks.includes(0) ? 0 : ranks.reduce<number>((sum, rank) => sum + rank, 0);
}

/** The marketplaces in settings, in addition to added ones; invalid ones are skipped. */
export function marketplacesIn(value: JsonValue | undefined): KnownMarketplace[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const source = object({ source: manifestObject }).parse(item)?.source ?? item;
    if (!isPluginName(name)) return [];
    return orElse(() => [{ name, source: readSource(source, { local: true }) }], []);
  });
}
