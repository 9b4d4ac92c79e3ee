import { statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { type HookGroup, lineOfKey, parseHooks } from '@robota-sdk/agent-config';
import {
  AgentError,
  checkArguments,
  describeProblem,
  isJsonObject,
  isMissing,
  type JsonObject,
  type JsonValue,
  object,
  objectInstance,
  optional,
  type Problem,
  pathShape,
  record,
  text,
} from '@robota-sdk/agent-core';
import { foldersOf } from './bundle-folders.ts';
import { type Bundle, isOff } from './bundle-in-progress.ts';
import { bundleText, filesOf } from './bundle-paths.ts';
import type { IBundlePlugin } from './bundle-plugin.ts';
import {
  componentFields,
  foreignFields,
  type ManifestSource,
  manifestObject,
  parseManifest,
} from './parse-manifest.ts';
import { isForeign, type PluginProblem, problemFrom } from './plugin-problem.ts';
import { readManifestFile } from './read-manifest-file.ts';

/** The path of the manifest inside a plugin's folder. */
export const manifestPlace = join('.claude-plugin', 'plugin.json');

export interface LoadBundleOptions {
  /** The name in its marketplace; overrides the one in the manifest. */
  readonly name?: string;
  /** The name if the manifest has none. Default: the folder's name. */
  readonly usualName?: string;
  /** The marketplace's entry about its components. */
  readonly listed?: ListedComponents;
}

/** The components that a marketplace names for a plugin. */
export interface ListedComponents {
  readonly value: JsonObject;
  /** True if the marketplace alone defines the plugin's contents. */
  readonly isWhole: boolean;
}

const loadOptions = object(
  {},
  { name: optional(text), usualName: optional(text), listed: optional(objectInstance) },
);

/** Reads plugins from their folders: the manifest, the files it names and those in default folders. Runs nothing. */
export class BundleLoader {
  /** Reads one plugin. Throws with file and line if it is invalid; minor problems are listed. */
  async load(root: string, options: LoadBundleOptions = {}): Promise<IBundlePlugin> {
    checkArguments('BundleLoader.load', { root: [root, pathShape], options: [options, loadOptions] });
    if (isMissing(root) || !statSync(root).isDirectory())
      throw new AgentError('config', 'Missing folder.', { source: { file: root } });
    const source = await manifestOf(root, options);
    const { name } = options;
    const named = name === undefined ? source : { ...source, value: { ...source.value, name } };
    const read = parseManifest(named, { name: options.usualName ?? basename(root) });
    const { manifest, fields } = read;
    const problems = [...read.problems];
    const bundle: Bundle = {
      root,
      source,
      fields,
      problems,
      usesUsualPlaces: !(options.listed?.isWhole && namesComponents(options.listed.value)),
    };
    const [folders, hooks, mcpServers, systemPrompt] = await Promise.all([
      foldersOf(bundle),
      hooksOf(bundle),
      serversOf(bundle),
      promptOf(bundle),
    ]);
    return {
      name: manifest.name,
      manifest,
      root,
      manifestFile: source.file,
      manifestText: source.text,
      folders,
      hooks,
      mcpServers,
      permissions: fields.permissions ?? {},
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
      problems,
    };
  }
}

async function manifestOf(root: string, { listed }: LoadBundleOptions): Promise<ManifestSource> {
  const file = join(root, manifestPlace);
  const own = await readManifestFile(file);
  const value = own?.value ?? {};
  if (!own && !hasUsualPlaces(root) && !(listed && namesComponents(listed.value)))
    throw notAPlugin({ file, root, listed });
  if (!listed) return { file, text: own?.text ?? '', value };
  const components = [...componentFields, ...foreignFields].flatMap((key) => {
    const item = listed.value[key];
    return item === undefined ? [] : [[key, joined(value[key], item)] as const];
  });
  return { file, text: own?.text ?? '', value: { ...value, ...Object.fromEntries(components) } };
}

interface FolderToLoad {
  readonly file: string;
  readonly root: string;
  readonly listed: ListedComponents | undefined;
}

function notAPlugin({ file, root, listed }: FolderToLoad): AgentError {
  const foreign = foreignFields.filter((key) => listed?.value[key] !== undefined);
  if (foreign.includes('lspServers'))
    return new AgentError('config', 'It contains only a language server, which Robota does not use.');
  if (foreign.length > 0)
    return new AgentError('config', `It contains only ${foreign.join(', ')}, which Robota does not use.`);
  return new AgentError('config', `Not a plugin: ${root} has no manifest.`, { source: { file } });
}

/** Paths of both are used; for objects, the marketplace's wins. */
function joined(own: JsonValue | undefined, listed: JsonValue): JsonValue {
  const isList = (value: JsonValue | undefined) => typeof value === 'string' || Array.isArray(value);
  return isList(own) && isList(listed) ? [own ?? [], listed].flat() : listed;
}

function namesComponents(value: JsonObject): boolean {
  return componentFields.some((key) => value[key] !== undefined);
}

function hasUsualPlaces(root: string): boolean {
  const folders = ['skills', 'commands', 'agents', 'extensions', 'themes'];
  const places = [...folders, join('hooks', 'hooks.json'), '.mcp.json', 'SKILL.md'];
  return places.some((place) => !isMissing(join(root, place)));
}

async function hooksOf(bundle: Bundle): Promise<HookGroup[]> {
  if (isOff(bundle, 'hooks')) return [];
  const parts = await objectsOf(bundle, { key: 'hooks', usual: join('hooks', 'hooks.json') });
  return parts.flatMap(({ file, text, value }) => {
    const problems: Problem[] = [];
    const written = isJsonObject(value.hooks) ? value.hooks : withoutText(value);
    const groups = parseHooks(written, { source: file, problems });
    bundle.problems.push(...problems.map((problem) => hookProblem({ file, text }, problem)));
    return groups;
  });
}

/** Other programs have other events, and hooks for them are harmless. */
function hookProblem(
  { file, text }: { readonly file: string; readonly text: string },
  problem: Problem,
): PluginProblem {
  const source = { file, line: lineOfKey(text, problem.subject ?? 'hooks') };
  const isUnknownEvent = isForeign(problem) || problem.code === 'hook.misspelt-event';
  return { ...problem, source, severity: isUnknownEvent ? 'info' : 'warning' };
}

/** Besides events, a hooks file may have a description. */
function withoutText(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => typeof item !== 'string'));
}

async function serversOf(bundle: Bundle): Promise<Record<string, JsonObject>> {
  if (isOff(bundle, 'mcp')) return {};
  const parts = await objectsOf(bundle, { key: 'mcpServers', usual: '.mcp.json' });
  const entries = parts.flatMap(({ value }) =>
    Object.entries(isJsonObject(value.mcpServers) ? value.mcpServers : value),
  );
  return record(manifestObject).parse(Object.fromEntries(entries)) ?? {};
}

interface PartLocation {
  readonly key: 'hooks' | 'mcpServers';
  readonly usual: string;
}

interface Part {
  readonly file: string;
  readonly text: string;
  readonly value: JsonObject;
}

/**
 * Reads a manifest field: an object, or paths of files that hold one; and the usual file. A broken file is
 * skipped.
 */
async function objectsOf(bundle: Bundle, { key, usual }: PartLocation): Promise<Part[]> {
  const { source, root, problems, fields } = bundle;
  const { file, text } = source;
  const items = fields[key] ?? [];
  const inline = items.flatMap((value) => (typeof value === 'string' ? [] : [{ file, text, value }]));
  const written = items.filter((item) => typeof item === 'string');
  const named = await filesOf(bundle, key, written);
  const files = new Set([...(bundle.usesUsualPlaces ? [join(root, usual)] : []), ...named]);
  const read = await Promise.all(
    [...files].map(async (file) => {
      try {
        const content = await readManifestFile(file);
        return content ? [{ file, text: content.text, value: content.value }] : [];
      } catch (thrown) {
        problems.push(problemFrom(file, thrown));
        return [];
      }
    }),
  );
  return [...read.flat(), ...inline];
}

/** A text for the system prompt, or its file. */
async function promptOf(bundle: Bundle): Promise<string | undefined> {
  const { systemPrompt } = bundle.fields;
  if (systemPrompt === undefined || !/^\.\/\S+\.(?:md|txt)$/.test(systemPrompt)) return systemPrompt;
  return bundleText(bundle, 'systemPrompt', systemPrompt);
}

/** One line per problem of a plugin. Paths are relative to the plugin, since its folder may be temporary. */
export function problemLines({ problems, root }: Pick<IBundlePlugin, 'problems' | 'root'>): string[] {
  return problems.map(({ source, ...problem }) =>
    describeProblem({ ...problem, source: { ...source, file: relative(root, source.file) } }),
  );
}
