import { join, resolve } from 'node:path';
import {
  areHooksOff,
  type HostEnvironment,
  hooksOfLayers,
  hostShape,
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
  strayKeys,
  substituteEnvironment,
  unsetReference,
  userFiles,
  userPaths,
  withoutMissing,
  writtenProfiles,
} from '@robota-sdk/agent-config';
import {
  AgentError,
  activeProfile,
  addSentence,
  applyUserModels,
  type Catalogue,
  checkArguments,
  describeMismatch,
  given,
  having,
  isJsonObject,
  type JsonObject,
  list,
  loadCatalogue,
  mergeProfiles,
  noteTemporaryFiles,
  objectInstance,
  optional,
  type Problem,
  type Profile,
  type ProfileSet,
  parseProfiles,
  parseUserModels,
  pathShape,
  pathText,
  problemOf,
  Report,
  robotaDirectories,
  sentence,
  warning,
} from '@robota-sdk/agent-core';
import { packagesIn } from '../extensions/extension-packages.ts';
import { type ExtraServers, loadServers } from '../mcp-definitions/load-servers.ts';
import { loadPlugins } from '../plugins/load-plugins.ts';
import type { LoadedConfig } from '../source/loaded-config.ts';
import { type LayerOptions, loadLayers, mergeLayers } from './load-layers.ts';

export interface LoadConfigOptions extends Omit<LayerOptions, 'problems' | 'cwd' | 'host'> {
  readonly host?: HostEnvironment;
  /** MCP servers in addition to those of files. */
  readonly mcpServers?: readonly ExtraServers[] | undefined;
  /** Uses only these MCP servers. */
  readonly strictMcpConfig?: boolean | undefined;
  /** Folders of plugins that are used without being installed. */
  readonly pluginDirectories?: readonly string[] | undefined;
}

const loadOptions = having({
  host: optional(hostShape),
  mcpServers: optional(list(objectInstance)),
  pluginDirectories: optional(list(pathShape)),
});

/** Reads the settings files of a project and its user in the documented order and merges them. */
export async function loadConfig(directory: string, options: LoadConfigOptions = {}): Promise<LoadedConfig> {
  checkArguments('loadConfig', { directory: [directory, pathShape], options: [options, loadOptions] });
  const host = options.host ?? (await processHost());
  // Before anything is written or locked.
  noteTemporaryFiles(join(robotaDirectories(host).state, 'temporary'));
  const cwd = resolve(directory);
  const problems: Problem[] = [];
  const { mcpServers, strictMcpConfig: strict } = options;
  const [found, servers] = await Promise.all([
    loadPlugins({ cwd, host, problems, directories: options.pluginDirectories }),
    loadServers({ cwd, host, given: mcpServers, strict, problems }),
  ]);
  const drafts = [...found.drafts, ...servers.drafts];
  const trustCollectors = [...(options.trustCollectors ?? []), () => drafts];
  const { settings, profiles, trust } = await loadLayers({
    ...options,
    trustCollectors,
    cwd,
    host,
    problems,
  });
  const plugins = found.settle(trust);
  const checked = settings.map((steps) => steps.checked);
  if (checked.some(({ value }) => value.enabledPlugins !== undefined)) {
    const { mentionedPlugins } = await import('../plugins/mentioned-plugins.ts');
    problems.push(...(await mentionedPlugins(checked, { cwd, host })));
  }
  const layers = settings.map(({ used }) => used);
  const merged = settingsOf(layers, { ...options, host, plugins, problems });
  const models = await loadModels([...layers, ...profiles.map(({ used }) => used)], host, problems);
  return {
    cwd,
    settings: withoutMissing(merged, { cwd, home: host.home, layers, problems }),
    host,
    sources: [...settings, ...profiles].map(({ used }) => used.source),
    ...models,
    // Plugin hooks come before the user's, so that the user's decide last.
    hooks: [
      ...(areHooksOff(layers) ? [] : plugins.flatMap(({ hooks }) => hooks)),
      ...hooksOfLayers(layers, { gate: trust, problems }),
    ],
    areHooksOff: areHooksOff(layers),
    extensionPackages: packagesIn(layers),
    plugins,
    mcpServers: await servers.settle({ gate: trust, plugins, layers }),
    trust,
    problems,
  };
}

interface Merging extends Pick<LoadConfigOptions, 'refuseBroken'> {
  readonly host: HostEnvironment;
  readonly plugins: LoadedConfig['plugins'];
  readonly problems: Problem[];
}

/** The settings of all files together, the strongest first. */
function settingsOf(
  layers: readonly SettingsLayer[],
  { host, plugins = [], problems, refuseBroken }: Merging,
): Settings {
  // A prohibition counts in any layer.
  const forbidding = layers.find(
    ({ value: { permissions } }) =>
      isJsonObject(permissions) && permissions.disableBypassPermissionsMode === 'disable',
  );
  const rules = [...layers, ...plugins.map((plugin) => plugin.rules)];
  const joined = {
    permissions: joinRules(rules, { env: host.env, problems, refuseBroken: refuseBroken === true }),
    budget: joinBudgets(layers),
    ...given('bypassForbiddenBy', forbidding?.source),
  };
  const written = withoutUnset(mergeLayers(layers), host.env, problems);
  const value = substituteEnvironment(written, host.env);
  const report = new Report();
  const merged = resolveSettings(isJsonObject(value) ? value : {}, joined, report);
  problems.push(...variableProblems(report));
  if (forbidding !== undefined && merged.permissionMode === 'bypassPermissions')
    problems.push(
      warning(
        'permissions.bypass-forbidden',
        'permissions.disableBypassPermissionsMode forbids the mode bypassPermissions; the mode is default.',
        { source: { file: forbidding.source }, isInactive: true },
      ),
    );
  return merged;
}

/** A variable for commands whose own value is an unset variable is left out: its text would be taken for a value. */
function withoutUnset(value: JsonObject, env: HostEnvironment['env'], problems: Problem[]): JsonObject {
  if (!isJsonObject(value.env)) return value;
  const kept = Object.entries(value.env).filter(([name, text]) => {
    const unset = typeof text === 'string' ? unsetReference(text, env) : undefined;
    if (unset === undefined) return true;
    const setting = `env.${name}`;
    const message = sentence`${{ setting }} is left out: the environment variable ${{ variable: unset }} is not set.`;
    problems.push(warning('setting.unset-variable', message, { subject: setting, isInactive: true }));
    return false;
  });
  return { ...value, env: Object.fromEntries(kept) };
}

/** Files were checked already, so only the value of a variable can be wrong. One that decides about permissions is an error. */
function variableProblems({ problems }: Report): Problem[] {
  return problems
    .filter(({ kind }) => kind !== 'unknown')
    .map((found) => {
      const hint = 'Correct the environment variable.';
      const problem = { ...describeMismatch(found, { noun: 'setting' }), hint };
      if (decisive.has(pathText(found.path))) throw new AgentError('config', problem.message, problem);
      return addSentence(problem, 'The setting is ignored.');
    });
}

const decisive: ReadonlySet<string> = new Set([
  'permissions.defaultMode',
  'defaultTrustLevel',
  'thinking',
  'defaultThinkingLevel',
]);

/** Keys, catalogue and profiles; an invalid entry is reported and skipped. */
async function loadModels(layers: readonly SettingsLayer[], host: HostEnvironment, problems: Problem[]) {
  const [keys, catalogue] = await Promise.all([loadKeys(host, problems), loadUserModels(host, problems)]);
  const strongestFirst = [...layers].sort((a, b) => Number(b.fromProject) - Number(a.fromProject));
  const sets = strongestFirst.reverse().map((layer) => profilesOf(layer, host, problems));
  const set = mergeProfiles(...sets);
  const active = chosenProfile(set, strongestFirst, { sets, problems });
  const vendors = [
    ...catalogue.vendors.map(({ id }) => id),
    ...set.profiles.flatMap(({ vendor }) => vendor ?? []),
  ];
  problems.push(...strayKeys(ownKeys(keys, host), vendors));
  const chosen = active.profile ? { activeProfile: active.profile.name } : {};
  return { ...keys, catalogue, profiles: set.profiles, ...chosen };
}

/** The profile in use. A user's choice of a missing one is an error; a project's is reported and ignored. */
function chosenProfile(
  set: ProfileSet,
  layers: readonly SettingsLayer[],
  { sets, problems }: { readonly sets: readonly ProfileSet[]; readonly problems: Problem[] },
): { readonly profile: Profile | undefined } {
  const active = activeProfile(set);
  if (active.ok) return active;
  const chooser = sets.findLastIndex((each) => each.active !== undefined);
  const chosenBy = layers[chooser];
  if (!chosenBy?.fromProject) throw new AgentError('config', active.problem.message, active.problem);
  const ignored = { ...active.problem, severity: 'warning', source: { file: chosenBy.source } } as const;
  problems.push(addSentence({ ...ignored, isInactive: true }, 'The choice is ignored.'));
  const others = sets.map((each, index) => {
    const { active: chosen, ...rest } = each;
    return index === chooser ? rest : each;
  });
  return chosenProfile(mergeProfiles(...others), layers, { sets: others, problems });
}

/** Other tools store keys for vendors we do not know. */
function ownKeys({ storedKeys, keyFiles }: KeptKeys, host: HostEnvironment): KeptKeys {
  const { auth } = userPaths(host);
  const own = Object.entries(storedKeys).filter(([vendor]) => keyFiles[vendor] === auth);
  return { storedKeys: Object.fromEntries(own), keyFiles };
}

/** The built-in catalogue with the models of the user's files laid over it, ours last. */
async function loadUserModels(host: HostEnvironment, problems: Problem[]): Promise<Catalogue> {
  let catalogue = loadCatalogue();
  for (const { path, isOurs } of userFiles('models', host).reverse()) {
    const file = await readJsonFile(path).catch((thrown: unknown) => {
      if (isOurs) throw thrown;
      const unreadable = { code: 'models.unreadable', severity: 'warning', isInactive: true } as const;
      const problem = { source: { file: path }, ...problemOf(thrown), ...unreadable };
      return void problems.push(addSentence(problem, 'Its models are not used.'));
    });
    if (!file) continue;
    const written = parseUserModels(file.value);
    const applied = applyUserModels(catalogue, written);
    catalogue = applied.catalogue;
    problems.push(...applied.problems.map((problem) => ({ ...problem, source: { file: path } })));
    for (const found of isOurs ? written.unknown : []) {
      const source = { file: path, line: lineOfPath(file.text, found.path) ?? 1 };
      problems.push(describeMismatch(found, { noun: 'setting', source }));
    }
  }
  return catalogue;
}

function profilesOf(
  { source, value }: SettingsLayer,
  host: HostEnvironment,
  problems: Problem[],
): ProfileSet {
  const written = writtenProfiles(value);
  if (!written) return { profiles: [], problems: [] };
  const set = parseProfiles(substituteEnvironment(written, host.env));
  problems.push(...set.problems.map((problem) => ({ ...problem, source: { file: source } })));
  return set;
}
