import {
  baseUrlProblem,
  knownThemes,
  type SettingEdit,
  type SettingsContext,
  themesIn,
} from '@robota-sdk/agent-config';
import {
  AgentError,
  activeProfile,
  describeProblem,
  didYouMean,
  endSentence,
  findVendor,
  guessedName,
  guessHint,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KeyPath,
  orElse,
  type Problem,
  parseJson,
  parseRule,
  pathText,
  resolveModel,
  sentence,
  warning,
} from '@robota-sdk/agent-core';
import type { LoadedConfig } from '@robota-sdk/agent-resources';
import { loadConfig } from '@robota-sdk/agent-resources';

/** Refuses an unknown model, profile or vendor and a malformed rule in a setting; returns what is doubtful. */
export async function assertKnownNames(
  { path, action, text = '' }: SettingEdit,
  { cwd, host }: SettingsContext,
): Promise<readonly Problem[]> {
  if (action === 'unset' || text.includes('$ENV:')) return [];
  const key = pathText(path);
  if (key === 'language') return languageDoubts(text);
  const find = Object.entries(checks).find(([prefix]) => key === prefix || key.startsWith(`${prefix}.`))?.[1];
  if (!find) return [];
  // If another file is broken, the existing names are unknown; this edit may be the repair.
  const config = await loadConfig(cwd, { host }).catch(() => undefined);
  const problem = config && (await find({ path, value: valueIn(text), config }));
  if (problem === undefined) return find === modelProblem ? guesses(text, config) : [];
  throw new AgentError('usage', `${key}: ${endSentence(problem)} Nothing was changed.`, { subject: key });
}

function valueIn(text: string): JsonValue {
  return parseJson(text) ?? text;
}

interface Checked {
  readonly path: KeyPath;
  readonly value: JsonValue;
  readonly config: LoadedConfig;
}

type Check = (checked: Checked) => string | undefined | Promise<string | undefined>;

const checks: Readonly<Record<string, Check>> = {
  model: modelProblem,
  defaultModel: modelProblem,
  fallbackModels: modelProblem,
  'compaction.model': modelProblem,
  'models.active': profileProblem,
  'permissions.allow': ruleProblem,
  'permissions.ask': ruleProblem,
  'permissions.deny': ruleProblem,
  baseUrls: (checked) => vendorProblem(checked) ?? urlProblem(checked),
  apiKeys: vendorProblem,
  theme: themeProblem,
};

function modelProblem({ value, config }: Checked): string | undefined {
  const { catalogue, profiles, host } = config;
  for (const name of Array.isArray(value) ? (value as readonly JsonValue[]) : [value]) {
    if (typeof name !== 'string') continue;
    const found = resolveModel(name, { catalogue, profiles, env: host.env });
    if (!found.ok) return found.error;
  }
  return undefined;
}

/** A name that nothing explains may still be one of a server that is not asked here. */
function guesses(name: string, config: LoadedConfig | undefined): readonly Problem[] {
  const found = config && resolveModel(name, { ...config, env: config.host.env });
  const isGuess = found?.ok && guessedName(name, found.model) && !found.profile;
  return isGuess ? [warning('model.guessed', guessHint(name), { subject: name })] : [];
}

function profileProblem({ value, config: { profiles } }: Checked): string | undefined {
  const active = activeProfile({ profiles, active: String(value), problems: [] });
  return active.ok ? undefined : describeProblem(active.problem);
}

function ruleProblem({ value }: Checked): string | undefined {
  for (const rule of Array.isArray(value) ? (value as readonly JsonValue[]) : [value]) {
    if (typeof rule !== 'string') continue;
    const parsed = parseRule(rule, { source: '' });
    if (!parsed.ok) return describeProblem({ ...parsed.problem, source: undefined });
  }
  return undefined;
}

function vendorProblem({ path, value, config }: Checked): string | undefined {
  const vendors = [
    ...config.catalogue.vendors.map(({ id }) => id),
    ...config.profiles.flatMap(({ vendor }) => vendor ?? []),
  ];
  const written = path.length > 1 ? [String(path[1])] : Object.keys(isJsonObject(value) ? value : {});
  const unknown = written.find((id) => !vendors.includes(id));
  if (unknown === undefined) return undefined;
  return `Unknown vendor "${unknown}". ${didYouMean(unknown, vendors) ?? `Available: ${vendors.join(', ')}.`}`;
}

function urlProblem({ path, value, config: { catalogue } }: Checked): string | undefined {
  const urls: JsonObject = isJsonObject(value) ? value : { [String(path[1])]: value };
  for (const [id, url] of Object.entries(urls)) {
    const vendor = findVendor(catalogue, id);
    const problem = vendor && typeof url === 'string' ? baseUrlProblem(url, vendor) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

async function themeProblem({ value, config: { host } }: Checked): Promise<string | undefined> {
  const known = await knownThemes(host);
  const unknown = themesIn(String(value)).find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  return `Unknown theme "${unknown}". ${didYouMean(unknown, known, '"') ?? `Available: ${known.join(', ')}.`}`;
}

/** The model is told the language as it is written; a word that cannot be one is likely a typing error. */
function languageDoubts(text: string): readonly Problem[] {
  const isWord = /^\p{L}[\p{L}\p{M}\p{Zs}()'-]{3,}$/u.test(text);
  return isWord || isLanguageCode(text)
    ? []
    : [
        warning(
          'language.unknown',
          sentence`Unknown language "${{ language: text }}"; it is passed to models unchanged.`,
          {
            subject: text,
          },
        ),
      ];
}

function isLanguageCode(text: string): boolean {
  return orElse(
    () => new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(text) !== undefined,
    false,
  );
}
