import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { HookGroup, SettingsLayer, TrustDraft, TrustGate } from '@robota-sdk/agent-config';
import { escapedLine } from '@robota-sdk/agent-config';
import {
  AgentError,
  errorMessage,
  type HookDefinition,
  isJsonObject,
  isProblem,
  type JsonObject,
  type JsonValue,
  makeDirectories,
  type Problem,
  type ProblemHint,
  sentence,
  warning,
} from '@robota-sdk/agent-core';
import type { LoadedPlugin } from '../source/loaded-plugin.ts';
import type { PluginScope } from '../source/plugin-scope.ts';
import { BundleLoader } from './bundle-loader.ts';
import type { IBundlePlugin } from './bundle-plugin.ts';
import { disabledPlugins } from './enabled-plugins.ts';
import { hasUnseenServers, type InstalledPlugin, loadOptions, readInstalled } from './installed-plugins.ts';
import type { FoundPlugins, LoadPluginsOptions } from './load-plugins.ts';
import { pluginData, pluginPaths } from './plugin-paths.ts';
import { hasLinks, isSealed, treeFiles } from './plugin-tree.ts';

/** Reads the plugins of some scopes, the strongest first. */
export async function readPlugins(
  scopes: readonly PluginScope[],
  options: LoadPluginsOptions,
): Promise<FoundPlugins> {
  const [off, offForUser] = await Promise.all([disabledPlugins(options), disabledPlugins(options, 'user')]);
  const read = await Promise.all(scopes.map((scope) => readScope(scope, { ...options, off, offForUser })));
  const named = await Promise.all((options.directories ?? []).map((path) => readDirectory(path, options)));
  const candidates = [...named, ...read.flat()];
  let { problems } = options;
  return {
    drafts: candidates.flatMap(({ draft }) => (draft ? [draft] : [])),
    settle: (gate) => {
      // A plugin of a repository takes the name of the user's only once it is approved.
      const allowed = candidates.filter(({ draft }) => !draft || gate.allows(draft));
      const loaded = withoutRepeats(allowed, problems);
      problems = [];
      return loaded.map((candidate) => loadedOf(candidate, gate, options));
    },
  };
}

/** A plugin that was read; with a draft if it needs approval first. */
interface Candidate {
  readonly installed: Pick<InstalledPlugin, 'id' | 'version'>;
  readonly scope: PluginScope;
  readonly bundle: IBundlePlugin;
  readonly draft?: TrustDraft;
}

/** A folder that the user names is approved by that; one without a plugin is an error. */
async function readDirectory(path: string, { cwd, problems }: LoadPluginsOptions): Promise<Candidate> {
  const root = resolve(cwd, path);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new AgentError('usage', `--plugin-dir ${path}: not a directory. Name the folder of a plugin.`);
  const bundle = await new BundleLoader().load(root).catch((thrown: unknown) => {
    throw new AgentError('usage', `--plugin-dir ${path}: ${errorMessage(thrown)}`, { cause: thrown });
  });
  const id = `${bundle.name}@${root}`;
  problems.push(...problemsIn(bundle, `${bundle.name} (${path})`));
  return { installed: { id, version: bundle.manifest.version ?? '' }, scope: 'user', bundle };
}

async function readScope(
  scope: PluginScope,
  options: LoadPluginsOptions & {
    readonly off: ReadonlySet<string>;
    readonly offForUser: ReadonlySet<string>;
  },
): Promise<Candidate[]> {
  const { problems, off, offForUser } = options;
  const plugins = await readInstalled(pluginPaths(scope, options), problems).catch((thrown: unknown) => {
    const message = sentence`No plugins of this ${{ scope }} are used: ${{ reason: errorMessage(thrown) }}`;
    problems.push(warning('plugin.unreadable', message, { isInactive: true }));
    return [];
  });
  const inForce = plugins.filter(({ id }) => !(scope === 'user' ? offForUser : off).has(id));
  const read = await Promise.all(
    inForce.map(async (installed) => {
      try {
        return await candidateOf(installed, scope);
      } catch (thrown) {
        return skipped(installed, errorMessage(thrown));
      }
    }),
  );
  return read.flatMap((one) => {
    if (isProblem(one)) {
      problems.push(one);
      return [];
    }
    if (off.has(one.installed.id)) return guardsOf(one, problems);
    problems.push(...problemsIn(one.bundle, one.installed.id));
    return [one];
  });
}

/** The hooks and restrictions of the user's plugin: a project can disable the rest of it. */
function guardsOf({ bundle, ...rest }: Candidate, problems: Problem[]): Candidate[] {
  const { ask = [], deny = [] } = bundle.permissions;
  if (bundle.hooks.length === 0 && ask.length === 0 && deny.length === 0) return [];
  const { id } = rest.installed;
  const message = sentence`A project cannot disable the hooks and rules of the plugin ${{ plugin: id }}; the rest of it is disabled.`;
  const hint = { text: 'Disable it everywhere with', run: ['plugin', 'disable', id] };
  problems.push(warning('plugin.guards-kept', message, { subject: id, hint }));
  const { systemPrompt, ...kept } = bundle;
  return [{ ...rest, bundle: { ...kept, folders: {}, mcpServers: {}, permissions: { ask, deny } } }];
}

/** The problems of a plugin that every session reports. */
function problemsIn({ problems }: IBundlePlugin, title: string): Problem[] {
  return problems
    .filter(({ severity }) => severity !== 'info')
    .map(({ message, template = message, values, ...rest }) => ({
      ...rest,
      message: `Plugin ${title}: ${message}`,
      template: `Plugin {plugin}: ${template}`,
      values: { ...values, plugin: title },
    }));
}

function skipped({ id }: Pick<InstalledPlugin, 'id'>, why: string, hint?: ProblemHint): Problem {
  const message = sentence`The plugin ${{ plugin: id }} is skipped: ${{ reason: why }}`;
  return warning('plugin.skipped', message, { subject: id, hint, isInactive: true });
}

async function candidateOf(installed: InstalledPlugin, scope: PluginScope): Promise<Candidate | Problem> {
  const { id, path, seal } = installed;
  if (scope === 'project' && hasLinks(path))
    throw new Error(`${path} has links in it, whose targets can change unnoticed.`);
  const bundle = await new BundleLoader().load(path, loadOptions(installed));
  if (scope === 'project') return { installed, scope, bundle, draft: await draftOf(id, bundle) };
  if (await isSealed(path, seal)) return { installed, scope, bundle: withAgreedServers(installed, bundle) };
  const hint = { text: 'Review it with', run: ['plugin', 'enable', id] };
  return skipped(installed, 'its files have changed since you approved it.', hint);
}

/** Older approvals do not cover MCP servers, which were not started then. */
function withAgreedServers(installed: InstalledPlugin, bundle: IBundlePlugin): IBundlePlugin {
  if (!hasUnseenServers(installed, bundle)) return bundle;
  const names = Object.keys(bundle.mcpServers).map(escapedLine).join(', ');
  const message = sentence`Its MCP servers (${{ servers: names }}) are not started: you approved it before they were used.`;
  const hint = { text: 'Review them with', run: ['plugin', 'enable', installed.id] };
  const details = { subject: installed.id, hint, isInactive: true };
  const problem = {
    ...warning('plugin.unapproved-servers', message, details),
    source: { file: bundle.manifestFile },
  };
  return { ...bundle, mcpServers: {}, problems: [...bundle.problems, problem] };
}

/** A plugin of a repository is agreed to as a whole: with all of its files, as they are. */
async function draftOf(id: string, bundle: IBundlePlugin): Promise<TrustDraft> {
  const { describeReport, reportPlugin } = await import('./plugin-report.ts');
  const content = describeReport(await reportPlugin(bundle));
  return { kind: 'plugin', name: id, content, source: bundle.manifestFile, files: treeFiles(bundle.root) };
}

/** Components are named after their plugin, so plugin names are unique. */
function withoutRepeats(candidates: readonly Candidate[], problems: Problem[]): Candidate[] {
  const known = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const first = known.get(candidate.bundle.name);
    if (!first) known.set(candidate.bundle.name, candidate);
    else
      problems.push(
        skipped(candidate.installed, `${first.installed.id} has the same name.`, 'Disable one of them.'),
      );
  }
  return [...known.values()];
}

function loadedOf(candidate: Candidate, gate: TrustGate, { host }: LoadPluginsOptions): LoadedPlugin {
  const { installed, scope, bundle, draft } = candidate;
  const { name, root, folders, systemPrompt } = bundle;
  const data = pluginData(installed.id, host);
  const runs = bundle.hooks.length > 0 || Object.keys(bundle.mcpServers).length > 0;
  // Running components expect the data folder to exist.
  if (runs) makeDirectories(data, 0o700);
  const variables = { CLAUDE_PLUGIN_ROOT: root, CLAUDE_PLUGIN_PATH: root, CLAUDE_PLUGIN_DATA: data };
  const fill = <T extends JsonValue>(value: T) => filled(value, variables) as T;
  return {
    id: installed.id,
    name,
    version: installed.version,
    scope,
    root,
    folders,
    hooks: bundle.hooks.map(
      (group): HookGroup => ({
        ...group,
        hooks: group.hooks.map((hook) => fill(hook as JsonObject) as HookDefinition),
        env: { ...group.env, ...variables },
        ...(draft ? { isUnchanged: () => gate.isUnchanged(draft) } : {}),
      }),
    ),
    mcpServers: fill({ ...bundle.mcpServers }),
    rules: rulesOf(bundle),
    ...(systemPrompt === undefined ? {} : { systemPrompt: fill(systemPrompt) }),
  };
}

/** The user has agreed to the rules with the plugin. */
function rulesOf({ manifestFile, manifestText, permissions }: IBundlePlugin): SettingsLayer {
  const { allow = [], ask = [], deny = [] } = permissions;
  return {
    source: manifestFile,
    dialect: 'claude',
    fromProject: false,
    text: manifestText,
    value: { permissions: { allow: [...allow], ask: [...ask], deny: [...deny] } },
  };
}

function filled(value: JsonValue, variables: Readonly<Record<string, string>>): JsonValue {
  if (typeof value === 'string')
    return value.replace(/\$\{(CLAUDE_PLUGIN_\w+)\}/g, (all, name: string) => variables[name] ?? all);
  if (Array.isArray(value)) return value.map((item) => filled(item, variables));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, variables)]));
}
