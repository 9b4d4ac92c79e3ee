import {
  type AskTrust,
  areHooksOff,
  dropForbidden,
  givenLayers,
  type HostEnvironment,
  mergeSettings,
  openTrustGate,
  type ProjectSource,
  readLayers,
  type SettingsLayer,
  settingsDrafts,
  type TrustCollector,
  type TrustDraft,
  type TrustGate,
  translateLayer,
  validateLayer,
  withheldProblem,
} from '@robota-sdk/agent-config';
import type { JsonObject, Problem } from '@robota-sdk/agent-core';
import { agentDrafts } from '../agents/agent-drafts.ts';
import { commandDrafts } from '../command-files/command-drafts.ts';
import { extensionDrafts } from '../extensions/extension-drafts.ts';
import { skillDrafts } from '../skills/skill-drafts.ts';
import { componentDrafts } from '../wasm/component-drafts.ts';
import { keepRestrictions } from './keep-restrictions.ts';
import { narrowLayer } from './narrow-layer.ts';

/** One file on its way to being used. */
export interface LayerSteps {
  /** As written, with our key names. */
  readonly written: SettingsLayer;
  /** Without invalid values. */
  readonly valid: SettingsLayer;
  /** Without settings that a project can never set. */
  readonly checked: SettingsLayer;
  /** The trusted part of the layer. */
  readonly used: SettingsLayer;
}

export interface LayerOptions {
  readonly cwd: string;
  readonly host: HostEnvironment;
  /** Trusts the repository's current content for this run. */
  readonly trustProject?: boolean;
  /** Asks the user about untrusted content; without it, that is skipped with a warning. */
  readonly askTrust?: AskTrust | undefined;
  /** Additional collectors of repository content. */
  readonly trustCollectors?: readonly TrustCollector[];
  /** An earlier trust decision; if given, it is reused. */
  readonly trust?: TrustGate | undefined;
  /** Settings that override all files, for one session; the strongest first. */
  readonly givenSettings?: readonly JsonObject[] | undefined;
  /** A broken file of the project is an error, too; otherwise it is reported and skipped. */
  readonly refuseBroken?: boolean;
  readonly problems: Problem[];
}

/** The files of a project and its user, the strongest first, and the trust decision about the repository's. */
export interface LoadedLayers {
  readonly settings: readonly LayerSteps[];
  readonly profiles: readonly LayerSteps[];
  readonly trust: TrustGate;
}

/** Reads the settings files and removes what may not apply. */
export async function loadLayers(options: LayerOptions): Promise<LoadedLayers> {
  const { problems } = options;
  const [files, profileFiles] = await Promise.all([
    readLayers('settings', options, options.refuseBroken ? undefined : problems),
    readLayers('profiles', options, options.refuseBroken ? undefined : problems),
  ]);
  const check = (layer: SettingsLayer) => {
    const written = translateLayer(layer, problems);
    const mayRefuse = !written.fromProject || options.refuseBroken === true;
    const valid = validateLayer(written, { problems, mayRefuse });
    return { written, valid, checked: dropForbidden(valid, problems) };
  };
  const settings = [...givenLayers(options.givenSettings, problems), ...files].map(check);
  const profiles = profileFiles.map(onlyModels).map(check);
  const trust = options.trust ?? (await judgeProject({ settings, profiles }, options));
  const own = settings.flatMap(({ checked }) => (checked.fromProject ? [] : [checked]));
  const narrow = (steps: CheckedLayer) => ({
    ...steps,
    used: keepRestrictions(narrowLayer(steps.checked, trust), own),
  });
  return {
    settings: settings.map(narrow),
    profiles: profiles.map(narrow),
    trust,
  };
}

/** Merges files, the strongest first, into one. */
export function mergeLayers(layers: readonly SettingsLayer[]): JsonObject {
  return layers.reduceRight<JsonObject>((under, layer) => mergeSettings(under, layer.value), {});
}

type CheckedLayer = Omit<LayerSteps, 'used'>;

interface FoundLayers {
  readonly settings: readonly CheckedLayer[];
  readonly profiles: readonly CheckedLayer[];
}

/** Collects everything the repository supplies, and decides what may be used. */
async function judgeProject(found: FoundLayers, options: LayerOptions): Promise<TrustGate> {
  const { cwd, host, problems } = options;
  const settings = found.settings.map(({ checked }) => checked);
  const all = [...settings, ...found.profiles.map(({ checked }) => checked)];
  const own = all.filter(({ fromProject }) => fromProject);
  const layers = areHooksOff(settings) ? own.map(withoutHooks) : own;
  const drafts = await collectDrafts({ cwd, host, layers }, options.trustCollectors);
  const trustProject = options.trustProject ?? false;
  const gate = await openTrustGate({ cwd, host, drafts, trustProject, ask: options.askTrust, problems });
  // Skipped if the user was already asked.
  if (!gate.isShown && gate.withheld.length > 0) problems.push(withheldProblem(gate.withheld));
  return gate;
}

function withoutHooks(layer: SettingsLayer): SettingsLayer {
  const { hooks, ...value } = layer.value;
  return { ...layer, value };
}

/** Profile files contribute only models. */
function onlyModels(layer: SettingsLayer): SettingsLayer {
  const { models, model } = layer.value;
  return {
    ...layer,
    value: { ...(models === undefined ? {} : { models }), ...(model === undefined ? {} : { model }) },
  };
}

/** All built-in collectors; anything they do not find never runs. */
const collectors: readonly TrustCollector[] = [
  ({ layers, cwd }) => layers.flatMap((layer) => settingsDrafts(layer, cwd)),
  skillDrafts,
  commandDrafts,
  extensionDrafts,
  componentDrafts,
  agentDrafts,
];

/** Runs all collectors, and `more`. */
async function collectDrafts(
  project: ProjectSource,
  more: readonly TrustCollector[] = [],
): Promise<readonly TrustDraft[]> {
  const found = await Promise.all([...collectors, ...more].map((collect) => collect(project)));
  return found.flat();
}
