import { resolve } from 'node:path';
import {
  AgentError,
  activeProfile,
  applyUserModels,
  type Catalogue,
  isJsonObject,
  type JsonObject,
  loadCatalogue,
  mergeProfiles,
  type Profile,
  type ProfileSet,
  parseProfiles,
  parseUserModels,
} from '@robota-sdk/agent-core';
import { loadStoredKeys, type StoredKeys, strayKeys } from '../credentials.ts';
import type { HostEnvironment } from '../dialects.ts';
import { areHooksOff, type HookGroup, hooksOfLayers } from '../hooks/hook-config.ts';
import { userPaths } from '../paths.ts';
import { collectDrafts, type TrustCollector } from '../trust/collectors.ts';
import { type AskTrust, openTrustGate, type TrustGate } from '../trust/trust-gate.ts';
import { withheldWarning } from '../trust/withheld-warning.ts';
import { dropForbidden } from './forbidden-settings.ts';
import { joinBudgets } from './join-budgets.ts';
import { joinRules } from './join-rules.ts';
import { narrowLayer } from './narrow-layer.ts';
import { readJsonFile } from './read-json.ts';
import { readLayers } from './read-layers.ts';
import { mergeDeep, type Settings, type SettingsLayer, substituteEnvironment } from './settings.ts';
import { toSettings } from './to-settings.ts';
import { translateLayer } from './translate-layer.ts';
import { validateLayer } from './validate-layer.ts';
import { withoutMissing } from './without-missing.ts';

/** What `loadConfig` found: settings, keys and models, the files they came from, and what was left out and why. */
export interface Config {
  readonly settings: Settings;
  readonly host: HostEnvironment;
  /** The built-in models and those of the user's `models.json`. */
  readonly catalogue: Catalogue;
  readonly profiles: readonly Profile[];
  /** The profile to use where no model is named. */
  readonly activeProfile?: string;
  readonly storedKeys: StoredKeys;
  /** The hooks of all files that may run, the strongest file first. */
  readonly hooks?: readonly HookGroup[];
  /** Decides about everything the repository supplies. */
  readonly trust?: TrustGate;
  /** Files that were read, the strongest first. */
  readonly sources: readonly string[];
  readonly warnings: readonly string[];
}

export interface LoadConfigOptions {
  readonly host?: HostEnvironment;
  /** The user vouches for what the repository supplies as it is now, for this run. */
  readonly trustProject?: boolean;
  /** Asks the user about what is not trusted yet; without it, that is left out with a warning. */
  readonly askTrust?: AskTrust | undefined;
  /** Find what the repository supplies beside what is built in. */
  readonly trustCollectors?: readonly TrustCollector[];
}

/** Reads the settings files of a project and its user in the documented order and merges them. */
export async function loadConfig(directory: string, options: LoadConfigOptions = {}): Promise<Config> {
  const host = options.host ?? (await processHost());
  const cwd = resolve(directory);
  const warnings: string[] = [];
  const [files, profileFiles] = await Promise.all([
    readLayers('settings', { cwd, host }),
    readLayers('profiles', { cwd, host }),
  ]);
  const check = (layer: SettingsLayer) =>
    dropForbidden(validateLayer(translateLayer(layer), warnings), warnings);
  const checked = { settings: files.map(check), profiles: profileFiles.map(onlyModels).map(check) };
  const trust = await judgeProject(checked, { ...options, cwd, host, warnings });
  const layers = checked.settings.map((layer) => narrowLayer(layer, trust));
  const profileLayers = checked.profiles.map((layer) => narrowLayer(layer, trust));
  const merged = layers.reduceRight<JsonObject>((under, layer) => mergeDeep(under, layer.value), {});
  const value = substituteEnvironment(merged, host.env);
  const joined = {
    permissions: joinRules(layers, { env: host.env, warnings }),
    budget: joinBudgets(layers),
  };
  const models = await loadModels([...layers, ...profileLayers], host, warnings);
  return {
    settings: withoutMissing(toSettings(isJsonObject(value) ? value : {}, joined), { cwd, layers, warnings }),
    host,
    sources: [...files, ...profileFiles].map(({ source }) => source),
    ...models,
    hooks: hooksOfLayers(layers, { gate: trust, warnings }),
    trust,
    warnings,
  };
}

interface CheckedLayers {
  readonly settings: readonly SettingsLayer[];
  readonly profiles: readonly SettingsLayer[];
}

/** Collects all that the repository supplies, and has it decided what of it may be used. */
async function judgeProject(
  { settings, profiles }: CheckedLayers,
  options: LoadConfigOptions & { cwd: string; host: HostEnvironment; warnings: string[] },
): Promise<TrustGate> {
  const { cwd, host, warnings } = options;
  const own = [...settings, ...profiles].filter(({ fromProject }) => fromProject);
  const layers = areHooksOff(settings) ? own.map(withoutHooks) : own;
  const drafts = await collectDrafts({ cwd, host, layers }, options.trustCollectors);
  const trustProject = options.trustProject ?? false;
  const gate = await openTrustGate({ cwd, host, drafts, trustProject, ask: options.askTrust, warnings });
  // Whoever was asked knows already.
  if (!options.askTrust && gate.withheld.length > 0) warnings.push(withheldWarning(gate.withheld));
  return gate;
}

function withoutHooks(layer: SettingsLayer): SettingsLayer {
  const { hooks, ...value } = layer.value;
  return { ...layer, value };
}

/** Nothing else in a file of profiles is for us. */
function onlyModels(layer: SettingsLayer): SettingsLayer {
  const { models, model } = layer.value;
  return {
    ...layer,
    value: { ...(models === undefined ? {} : { models }), ...(model === undefined ? {} : { model }) },
  };
}

/** The environment of this process. */
export async function processHost(): Promise<HostEnvironment> {
  const { homedir } = await import('node:os');
  return { env: process.env, home: homedir() };
}

/** Keys, catalogue and profiles; what is wrong in one entry is reported and costs only that entry. */
async function loadModels(layers: readonly SettingsLayer[], host: HostEnvironment, warnings: string[]) {
  const paths = userPaths(host);
  const [storedKeys, modelsFile] = await Promise.all([
    loadStoredKeys(paths.auth, warnings),
    readJsonFile(paths.models),
  ]);
  const user = parseUserModels(modelsFile?.value ?? { providers: {} });
  const { catalogue, problems } = applyUserModels(loadCatalogue(), user);
  warnings.push(...problems.map((problem) => `${paths.models}: ${problem}`));
  const strongestFirst = [...layers].sort((a, b) => Number(b.fromProject) - Number(a.fromProject));
  const set = mergeProfiles(...strongestFirst.reverse().map((layer) => profilesOf(layer, host)));
  warnings.push(...set.problems);
  const active = activeProfile(set);
  if (!active.ok) throw new AgentError('config', active.error);
  const vendors = [
    ...catalogue.vendors.map(({ id }) => id),
    ...set.profiles.flatMap(({ vendor }) => vendor ?? []),
  ];
  warnings.push(...strayKeys(storedKeys, vendors).map((problem) => `${paths.auth}: ${problem}`));
  const chosen = active.profile ? { activeProfile: active.profile.name } : {};
  return { storedKeys, catalogue, profiles: set.profiles, ...chosen };
}

function profilesOf({ source, value }: SettingsLayer, host: HostEnvironment): ProfileSet {
  const { models, model } = value;
  const written = isJsonObject(models) ? { models } : isJsonObject(model) ? { model } : undefined;
  if (!written) return { profiles: [], problems: [] };
  const set = parseProfiles(substituteEnvironment(written, host.env));
  return { ...set, problems: set.problems.map((problem) => `${source}: ${problem}`) };
}
