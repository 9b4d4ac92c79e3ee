import { join } from 'node:path';
import {
  AgentError,
  either,
  errorMessage,
  given,
  givenFields,
  instance,
  type JsonObject,
  type JsonValue,
  lazy,
  list,
  mapped,
  object,
  warning,
} from '@robota-sdk/agent-core';
import { optionalText, parseEntrySource } from '../plugin-source/parse-source.ts';
import type { PluginSource } from '../plugin-source/plugin-source.ts';
import type { ListedComponents } from './bundle-loader.ts';
import { authorText, componentFields, foreignFields, looseTexts, manifestObject } from './parse-manifest.ts';
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
  const { text } = file;
  const value = marketplaceShape.parse(file.value) ?? {};
  if (!isPluginName(file.value.name)) {
    const message = `Invalid "name" ${JSON.stringify(file.value.name ?? null)}; ${nameRule(file.value.name)}.`;
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
  if (!value.plugins) problems.push(problemAt({ file: path, text }, 'plugins', '"plugins" must be a list.'));
  for (const entry of value.plugins ?? []) {
    try {
      const read = entryOf(entry, { local, pluginRoot: value.metadata?.pluginRoot });
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
  return {
    name: file.value.name,
    description: value.description ?? value.metadata?.description ?? '',
    ...given('owner', value.owner),
    entries: [...entries.values()],
    problems,
  };
}

/** Invalid descriptive fields are dropped. */
const marketplaceShape = lazy(() =>
  object(
    {},
    {
      description: optionalText,
      owner: authorText,
      metadata: object({}, { description: optionalText, pluginRoot: optionalText }),
      plugins: list(either(manifestObject, notAnEntry)),
    },
  ),
);

/** An item that is not an object has no name, which is reported like a wrong one. */
const notAnEntry = mapped(
  instance('an object', (value): value is JsonValue => value !== undefined),
  (): JsonObject => ({}),
);

const entryShape = lazy(() =>
  object(
    {},
    {
      description: optionalText,
      title: optionalText,
      version: optionalText,
      author: authorText,
      category: optionalText,
      homepage: optionalText,
      keywords: looseTexts,
      tags: looseTexts,
    },
  ),
);

interface EntryOptions {
  readonly local: boolean;
  readonly pluginRoot: string | undefined;
}

function entryOf(value: JsonObject, { local, pluginRoot }: EntryOptions): MarketplaceEntry {
  const { name } = value;
  if (!isPluginName(name))
    throw new AgentError('config', `its name is ${JSON.stringify(name ?? null)}; ${nameRule(name)}.`);
  const { description, title, keywords = [], tags = [], ...fields } = entryShape.parse(value) ?? {};
  const components = [...componentFields, ...foreignFields].flatMap((key) => {
    const item = value[key];
    return item === undefined ? [] : [[key, item] as const];
  });
  return {
    name,
    description: description ?? title ?? '',
    keywords: [...new Set([...keywords, ...tags])],
    source: parseEntrySource(value.source, { local, pluginRoot }),
    listed: { value: Object.fromEntries(components), isWhole: value.strict === false },
    ...givenFields({
      version: fields.version,
      author: fields.author,
      category: fields.category,
      homepage: fields.homepage,
    }),
  };
}

function lineOf(text: string, name: string): number | undefined {
  const at = text.indexOf(JSON.stringify(name));
  return at < 0 ? undefined : text.slice(0, at).split('\n').length;
}
