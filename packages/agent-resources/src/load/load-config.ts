import { resolve } from 'node:path';
import type { HostEnvironment } from '@robota-sdk/agent-config';
import {
  areHooksOff,
  hooksOfLayers,
  joinBudgets,
  joinRules,
  type KeptKeys,
  lineOfPath,
  loadKeys,
  processHost,
  readJsonFile,
  resolveSettings,
  type Settings,
  type SettingsLayer,
  type StoredKeys,
  strayKeys,
  substituteEnvironment,
  userFiles,
  userPaths,
  withoutMissing,
  writtenProfiles,
} from '@robota-sdk/agent-config';
import {
  AgentError,
  activeProfile,
  applyUserModels,
  type Catalogue,
  errorMessage,
  given,
  isJsonObject,
  loadCatalogue,
  mergeProfiles,
  type Profile,
  type ProfileSet,
  parseProfiles,
  parseUserModels,
  pathText,
  problemText,
  Report,
} from '@robota-sdk/agent-core';
import { packagesIn } from '../extensions/extension-packages.ts';
import { type GivenServers, loadServers } from '../mcp-definitions/load-servers.ts';
import { loadPlugins } from '../plugins/load-plugins.ts';
import type { LoadedConfig } from '../source/loaded-config.ts';
import { type LayerOptions, loadLayers, mergeLayers } from './load-layers.ts';

export interface LoadConfigOptions extends Omit<LayerOptions, 'warnings' | 'cwd' | 'host'> {
  readonly host?: HostEnvironment;
  /** MCP servers beside those of files. */
  readonly mcpServers?: readonly GivenServers[] | undefined;
  /** Use no other MCP servers than those. */
  readonly strictMcpConfig?: boolean | undefined;
  /** Folders of plugins that are used without being installed. */
  readonly pluginDirectories?: readonly string[] | undefined;
}

/** Reads the settings files of a project and its user in the documented order and merges them. */
export async function loadConfig(directory: string, options: LoadConfigOptions = {}): Promise<LoadedConfig> {
  const host = options.host ?? (await processHost());
  const cwd = resolve(directory);
  const warnings: string[] = [];
  const { mcpServers, strictMcpConfig: strict } = options;
  const [found, servers] = await Promise.all([
    loadPlugins({ cwd, host, warnings, directories: options.pluginDirectories }),
    loadServers({ cwd, host, given: mcpServers, strict, warnings }),
  ]);
  const drafts = [...found.drafts, ...servers.drafts];
  const trustCollectors = [...(options.trustCollectors ?? []), () => drafts];
  const { settings, profiles, trust } = await loadLayers({
    ...options,
    trustCollectors,
    cwd,
    host,
    warnings,
  });
  const plugins = found.settle(trust);
  const checked = settings.map((steps) => steps.checked);
  if (checked.some(({ value }) => value.enabledPlugins !== undefined)) {
    const { mentionedPlugins } = await import('../plugins/mentioned-plugins.ts');
    warnings.push(...(await mentionedPlugins(checked, { cwd, host })));
  }
  const layers = settings.map(({ used }) => used);
  const merged = settingsOf(layers, { ...options, host, plugins, warnings });
  const models = await loadModels([...layers, ...profiles.map(({ used }) => used)], host, warnings);
  return {
    cwd,
    settings: withoutMissing(merged, {
      cwd,
      home: host.home,
      layers,
      warnings,
    }),
    host,
    sources: [...settings, ...profiles].map(({ used }) => used.source),
    ...models,
    // Plugin hooks come before the user's, so that the user's decide last.
    hooks: [
      ...(areHooksOff(layers) ? [] : plugins.flatMap(({ hooks }) => hooks)),
      ...hooksOfLayers(layers, { gate: trust, warnings }),
    ],
    areHooksOff: areHooksOff(layers),
    extensionPackages: packagesIn(layers),
    plugins,
    mcpServers: await servers.settle({ gate: trust, plugins, layers }),
    trust,
    warnings,
  };
}

interface Merging extends Pick<LoadConfigOptions, 'refuseBroken'> {
  readonly host: HostEnvironment;
  readonly plugins: LoadedConfig['plugins'];
  readonly warnings: string[];
}

/** The settings of all files together, the strongest first. */
function settingsOf(
  layers: readonly SettingsLayer[],
  { host, plugins = [], warnings, refuseBroken }: Merging,
): Settings {
  // A no counts wherever it stands.
  const forbidding = layers.find(
    ({ value: { permissions } }) =>
      isJsonObject(permissions) && permissions.disableBypassPermissionsMode === 'disable',
  );
  const rules = [...layers, ...plugins.map((plugin) => plugin.rules)];
  const joined = {
    permissions: joinRules(rules, { env: host.env, warnings, refuseBroken: refuseBroken === true }),
    budget: joinBudgets(layers),
    ...given('bypassForbiddenBy', forbidding?.source),
  };
  const value = substituteEnvironment(mergeLayers(layers), host.env);
  const report = new Report();
  const merged = resolveSettings(isJsonObject(value) ? value : {}, joined, report);
  warnings.push(...variableProblems(report));
  if (forbidding !== undefined && merged.permissionMode === 'bypassPermissions')
    warnings.push(
      `The mode bypassPermissions is forbidden by permissions.disableBypassPermissionsMode in ${forbidding.source}; the mode is default.`,
    );
  return merged;
}

/** Files were checked already, so only the value of a variable can be wrong. One that decides about permissions is an error. */
function variableProblems({ problems }: Report): string[] {
  return problems
    .filter(({ kind }) => kind !== 'unknown')
    .map((problem) => {
      const text = `${pathText(problem.path)}: ${problemText(problem)}`;
      if (
        /^(?:permissions\.defaultMode|defaultTrustLevel|thinking|defaultThinkingLevel)$/.test(
          pathText(problem.path),
        )
      )
        throw new AgentError('config', `${text}. Correct the environment variable.`);
      return `${text}. It is ignored.`;
    });
}

/** Keys, catalogue and profiles; what is wrong in one entry is reported and costs only that entry. */
async function loadModels(layers: readonly SettingsLayer[], host: HostEnvironment, warnings: string[]) {
  const [keys, catalogue] = await Promise.all([loadKeys(host, warnings), loadUserModels(host, warnings)]);
  const strongestFirst = [...layers].sort((a, b) => Number(b.fromProject) - Number(a.fromProject));
  const sets = strongestFirst.reverse().map((layer) => profilesOf(layer, host));
  const set = mergeProfiles(...sets);
  warnings.push(...set.problems);
  const active = chosenProfile(set, strongestFirst, { sets, warnings });
  const vendors = [
    ...catalogue.vendors.map(({ id }) => id),
    ...set.profiles.flatMap(({ vendor }) => vendor ?? []),
  ];
  warnings.push(...strayKeys(ownKeys(keys, host), vendors).map((each) => `${userPaths(host).auth}: ${each}`));
  const chosen = active.profile ? { activeProfile: active.profile.name } : {};
  return { ...keys, catalogue, profiles: set.profiles, ...chosen };
}

/** The profile in use. A user's choice of one that does not exist is an error; a project's is named and ignored. */
function chosenProfile(
  set: ProfileSet,
  layers: readonly SettingsLayer[],
  { sets, warnings }: { readonly sets: readonly ProfileSet[]; readonly warnings: string[] },
): { readonly profile: Profile | undefined } {
  const active = activeProfile(set);
  if (active.ok) return active;
  const chooser = sets.findLastIndex((each) => each.active !== undefined);
  if (!layers[chooser]?.fromProject) throw new AgentError('config', active.error);
  warnings.push(`${layers[chooser].source}: ${active.error} The choice is ignored.`);
  const others = sets.map((each, index) => {
    const { active: chosen, ...rest } = each;
    return index === chooser ? rest : each;
  });
  return chosenProfile(mergeProfiles(...others), layers, { sets: others, warnings });
}

/** Other tools know other vendors, and keep keys for them. */
function ownKeys({ storedKeys, keyFiles }: KeptKeys, host: HostEnvironment): StoredKeys {
  const { auth } = userPaths(host);
  return Object.fromEntries(Object.entries(storedKeys).filter(([vendor]) => keyFiles[vendor] === auth));
}

/** The built-in catalogue with the models of the user's files laid over it, ours last. */
async function loadUserModels(host: HostEnvironment, warnings: string[]): Promise<Catalogue> {
  let catalogue = loadCatalogue();
  for (const { path, isOurs } of userFiles('models', host).reverse()) {
    const file = await readJsonFile(path).catch((thrown: unknown) => {
      if (isOurs) throw thrown;
      return void warnings.push(`${errorMessage(thrown)} Its models are not used.`);
    });
    if (!file) continue;
    const written = parseUserModels(file.value);
    const applied = applyUserModels(catalogue, written);
    catalogue = applied.catalogue;
    warnings.push(...applied.problems.map((problem) => `${path}: ${problem}`));
    for (const problem of isOurs ? written.unknown : [])
      warnings.push(
        `${path}:${lineOfPath(file.text, problem.path) ?? 1}: ${problemText(problem, 'setting')}`,
      );
  }
  return catalogue;
}

function profilesOf({ source, value }: SettingsLayer, host: HostEnvironment): ProfileSet {
  const written = writtenProfiles(value);
  if (!written) return { profiles: [], problems: [] };
  const set = parseProfiles(substituteEnvironment(written, host.env));
  return { ...set, problems: set.problems.map((problem) => `${source}: ${problem}`) };
}
