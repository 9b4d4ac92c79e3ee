import { join } from 'node:path';
import { AgentError, errorMessage, isJsonObject, type JsonObject, warning } from '@robota-sdk/agent-core';
import { parseEntrySource } from '../plugin-source/parse-source.ts';
import type { PluginSource } from '../plugin-source/plugin-source.ts';
import type { ListedComponents } from './bundle-loader.ts';
import { componentFields, foreignFields, personOf, wordsOf } from './parse-manifest.ts';
import { isPluginName, nameRule } from './plugin-name.ts';
import { type PluginProblem, problemAt } from './plugin-problem.ts';
import { readManifestFile } from './read-manifest-file.ts';

/** A plugin that a marketplace offers. */
export interface MarketplaceEntry {
  readonly name: string;
  readonly description: string;
  readonly version?: string;
  readonly author?: string;
  readonly category?: string;
  readonly keywords: readonly string[];
  readonly homepage?: string;
  readonly source: PluginSource;
  readonly listed: ListedComponents;
}

/** A marketplace as its manifest describes it. */
export interface MarketplaceManifest {
  readonly name: string;
  readonly description: string;
  readonly owner?: string;
  readonly entries: readonly MarketplaceEntry[];
  /** Entries that cannot be used, and why. */
  readonly problems: readonly PluginProblem[];
}

const place = join('.claude-plugin', 'marketplace.json');

/** Reads the manifest of a marketplace. An entry that can't be used costs itself alone. */
export async function readMarketplace(
  root: string,
  { local }: { readonly local: boolean },
): Promise<MarketplaceManifest> {
  const path = join(root, place);
  const file = await readManifestFile(path);
  if (!file)
    throw new AgentError('config', 'Not a marketplace: the file is missing.', { source: { file: path } });
  const { value, text } = file;
  const metadata = isJsonObject(value.metadata) ? value.metadata : {};
  if (!isPluginName(value.name)) {
    const message = `Invalid "name" ${JSON.stringify(value.name ?? null)}; ${nameRule(value.name)}.`;
    throw new AgentError('config', message, problemAt({ file: path, text }, 'name', message));
  }
  const problems: PluginProblem[] = [];
  const entries = new Map<string, MarketplaceEntry>();
  const complain = (name: unknown, message: string) => {
    const subject = typeof name === 'string' ? name : undefined;
    const line = subject === undefined ? undefined : lineOf(text, subject);
    const source = { file: path, line };
    problems.push({ ...warning('marketplace.entry', message, { subject, isInactive: true }), source });
  };
  const listed = Array.isArray(value.plugins) ? value.plugins : [];
  if (!Array.isArray(value.plugins))
    problems.push(problemAt({ file: path, text }, 'plugins', '"plugins" must be a list.'));
  for (const item of listed) {
    const entry = isJsonObject(item) ? item : {};
    try {
      const read = entryOf(entry, { local, pluginRoot: textOf(metadata.pluginRoot) });
      if (entries.has(read.name))
        complain(read.name, `The plugin "${read.name}" is listed twice; the first one counts.`);
      else entries.set(read.name, read);
    } catch (thrown) {
      complain(
        entry.name,
        `The plugin ${JSON.stringify(entry.name ?? null)} cannot be used: ${errorMessage(thrown)}`,
      );
    }
  }
  const owner = isJsonObject(value.owner) ? personOf(value.owner) : undefined;
  return {
    name: value.name,
    description: textOf(value.description) ?? textOf(metadata.description) ?? '',
    ...(owner === undefined ? {} : { owner }),
    entries: [...entries.values()],
    problems,
  };
}

interface EntryOptions {
  readonly local: boolean;
  readonly pluginRoot: string | undefined;
}

function entryOf(value: JsonObject, { local, pluginRoot }: EntryOptions): MarketplaceEntry {
  const { name } = value;
  if (!isPluginName(name))
    throw new AgentError('config', `its name is ${JSON.stringify(name ?? null)}; ${nameRule(name)}.`);
  const author = isJsonObject(value.author) ? personOf(value.author) : textOf(value.author);
  const [version, category, homepage] = [
    textOf(value.version),
    textOf(value.category),
    textOf(value.homepage),
  ];
  const components = [...componentFields, ...foreignFields].flatMap((key) => {
    const item = value[key];
    return item === undefined ? [] : [[key, item] as const];
  });
  return {
    name,
    description: textOf(value.description) ?? textOf(value.title) ?? '',
    keywords: [...new Set([...wordsOf(value.keywords), ...wordsOf(value.tags)])],
    source: parseEntrySource(value.source, { local, pluginRoot }),
    listed: { value: Object.fromEntries(components), isWhole: value.strict === false },
    ...(version === undefined ? {} : { version }),
    ...(author === undefined ? {} : { author }),
    ...(category === undefined ? {} : { category }),
    ...(homepage === undefined ? {} : { homepage }),
  };
}

function lineOf(text: string, name: string): number | undefined {
  const at = text.indexOf(JSON.stringify(name));
  return at < 0 ? undefined : text.slice(0, at).split('\n').length;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
