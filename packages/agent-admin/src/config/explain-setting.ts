import {
  optionRows,
  type SettingsContext,
  type SettingsLayer,
  settingKey,
  settingsShape,
  shownValue,
  valueAt,
} from '@robota-sdk/agent-config';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KeyPath,
  loadCatalogue,
  pathText,
  shapeAt,
} from '@robota-sdk/agent-core';
import { type LayerSteps, loadLayers, loadPlugins, mergeLayers } from '@robota-sdk/agent-resources';

/** The directory of a session, and its overrides. */
export interface ExplainContext extends SettingsContext {
  /** Settings of the command line; they override all files. */
  readonly overrides?: JsonObject | undefined;
  /** Settings given for one session, below those of the command line; the strongest first. */
  readonly givenSettings?: readonly JsonObject[] | undefined;
  readonly trustProject?: boolean | undefined;
}

/** The value of a setting in one file, the command line or the environment. */
export interface SettingSource {
  readonly source: string;
  readonly line?: number;
  /** The key it stands under, where that is not the setting's own. */
  readonly key?: string;
  readonly value: JsonValue;
  /** Why it counts or does not. */
  readonly state:
    | 'counts'
    | 'joined'
    | 'overridden'
    | 'not trusted yet'
    | 'never from a project'
    | 'does not fit, so it is ignored';
}

/** A setting, where its value comes from, and what else was said about it, the strongest first. */
export interface SettingReport {
  readonly key: string;
  readonly value: JsonValue | undefined;
  readonly description?: string;
  readonly sources: readonly SettingSource[];
}

/** Tells why a setting is what it is. Keys are not shown. */
export async function explainSetting(path: KeyPath, place: ExplainContext): Promise<SettingReport> {
  return reportOf(path, await readSteps(place), place);
}

/** Tells of several settings why they are what they are. */
export async function explainSettings(
  paths: readonly KeyPath[],
  place: ExplainContext,
): Promise<readonly SettingReport[]> {
  const steps = await readSteps(place);
  return Promise.all(paths.map((path) => reportOf(path, steps, place)));
}

/** Every setting that something says, each with its report. */
export async function listSettings(place: ExplainContext): Promise<readonly SettingReport[]> {
  const steps = await readSteps(place);
  const merged = mergeLayers(steps.map(({ written }) => written));
  const written = leavesOf(merged).map((path) => (path[0] === 'foreignModel' ? ['model'] : path));
  const paths = [...written, ...leavesOf(place.overrides ?? {})];
  const distinct = [...new Map(paths.map((path) => [pathText(path), path])).values()];
  const known = distinct.filter((path) => shapeAt(settingsShape, path) !== undefined);
  return Promise.all(known.map((path) => reportOf(path, steps, place)));
}

/** Unknown keys in settings files, ours or others'. */
export async function unreadSettings(
  place: ExplainContext,
): Promise<readonly { readonly source: string; readonly keys: readonly string[] }[]> {
  const steps = await readSteps(place);
  return steps.flatMap(({ written: { source, value, unread = [] } }) => {
    const keys = Object.keys(value).filter((key) => shapeAt(settingsShape, [key]) === undefined);
    const strange = [...keys.filter((key) => key !== 'foreignModel'), ...unread];
    return strange.length === 0 ? [] : [{ source, keys: strange }];
  });
}

async function readSteps({
  cwd,
  host,
  trustProject = false,
  givenSettings,
}: ExplainContext): Promise<readonly LayerSteps[]> {
  const plugins = await loadPlugins({ cwd, host, problems: [] });
  const trustCollectors = [() => plugins.drafts];
  const { settings, trust } = await loadLayers({
    cwd,
    host,
    trustProject,
    trustCollectors,
    givenSettings,
    problems: [],
  });
  // Narrowed to the trusted values, as a session uses them.
  const { narrowToTrusted, trustedSources } = await import('@robota-sdk/agent-resources');
  const layers = settings.map(({ used }) => used);
  const parts = await trustedSources({ cwd, host }, layers, { gate: trust, plugins });
  return settings.map((steps) => ({ ...steps, used: narrowToTrusted(steps.used, parts) }));
}

/** Lists and values; objects are looked into. */
function leavesOf(value: JsonValue, path: KeyPath = []): KeyPath[] {
  if (!isJsonObject(value) || (path.length > 0 && Object.keys(value).length === 0))
    return path.length === 0 || path[0] === '$schema' ? [] : [path];
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
}

/** Older names of a setting, which count where its own is not set; `provider` and other tools have a field for the model. */
function olderNames(key: string): readonly KeyPath[] {
  const own = optionRows.find(([name, row]) => settingKey(name, row) === key)?.[0];
  const older = optionRows.filter(([name, { olderFor }]) => olderFor === own && name !== 'defaultProvider');
  const paths = older.map(([name]) => (name === 'provider' ? [name, 'model'] : [name]));
  return key === 'model' ? [...paths, ['foreignModel', 'id']] : own === undefined ? [] : paths;
}

/** How the values of several files become one. */
function mergeOf(path: string): 'join' | 'smallest' | undefined {
  const found = optionRows.find(([name, row]) => {
    const key = settingKey(name, row);
    return path === key || (key === 'hooks' && path.startsWith('hooks.'));
  });
  return found?.[1].merge;
}

async function reportOf(
  path: KeyPath,
  steps: readonly LayerSteps[],
  place: ExplainContext,
): Promise<SettingReport> {
  const key = pathText(path);
  const names = [path, ...olderNames(key)];
  const found = names.flatMap((name) => steps.flatMap((step) => mentionOf(step, name)));
  const given = valueAt(place.overrides, path);
  const mentions: readonly Mention[] = [
    ...(given === undefined ? [] : [{ source: 'command line', name: path, written: given, used: given }]),
    ...environmentOf(path, place),
    ...found,
  ];
  const judged = judge(key, mentions);
  const schema = shapeAt(settingsShape, path)?.json;
  const value = judged.value ?? schema?.default;
  const sources = await Promise.all(judged.sources.map((each) => sourceOf(each, path)));
  return {
    key,
    value: value === undefined ? undefined : shownValue(value, path),
    ...(typeof schema?.description === 'string' ? { description: schema.description } : {}),
    sources,
  };
}

interface Mention {
  readonly source: string;
  readonly text?: string;
  readonly name: KeyPath;
  readonly written: JsonValue;
  /** The effective part of it. */
  readonly used: JsonValue | undefined;
  readonly refusal?: SettingSource['state'];
}

type Judged = Mention & { readonly state: SettingSource['state'] };

function mentionOf({ written, valid, checked, used }: LayerSteps, name: KeyPath): Mention[] {
  const said = saidIn(written, name);
  if (said === undefined) return [];
  const counting = saidIn(used, name);
  const isEmptied = Array.isArray(counting) && counting.length === 0 && JSON.stringify(said) !== '[]';
  return [
    {
      source: written.source,
      text: written.text,
      name,
      written: said,
      used: isEmptied ? undefined : counting,
      refusal: refusalOf(name, { valid, checked }),
    },
  ];
}

/** Vendor and model of other tools are two settings, and one of ours. */
function saidIn({ value }: SettingsLayer, name: KeyPath): JsonValue | undefined {
  const said = valueAt(value, name);
  const vendor = name[0] === 'foreignModel' ? valueAt(value, ['foreignModel', 'vendor']) : undefined;
  return said !== undefined && typeof vendor === 'string' ? `${vendor}/${String(said)}` : said;
}

function refusalOf(name: KeyPath, { valid, checked }: Pick<LayerSteps, 'valid' | 'checked'>) {
  if (valueAt(valid.value, name) === undefined) return 'does not fit, so it is ignored';
  return valueAt(checked.value, name) === undefined ? 'never from a project' : 'not trusted yet';
}

function judge(key: string, mentions: readonly Mention[]): { value?: JsonValue; sources: Judged[] } {
  const usable = mentions.filter(({ used }) => used !== undefined);
  const winner = mergeOf(key) === 'smallest' ? least(usable) : usable[0];
  const isJoined = mergeOf(key) === 'join' || isJsonObject(winner?.used);
  const sources = mentions.map((mention): Judged => {
    if (mention.used === undefined) return { ...mention, state: mention.refusal ?? 'overridden' };
    if (isJoined) return { ...mention, state: usable.length === 1 ? 'counts' : 'joined' };
    return { ...mention, state: mention === winner ? 'counts' : 'overridden' };
  });
  const value = isJoined ? joined(key, usable) : winner?.used;
  return value === undefined ? { sources } : { value, sources };
}

function least(usable: readonly Mention[]): Mention | undefined {
  return [...usable].sort((a, b) => Number(a.used) - Number(b.used))[0];
}

/** Lists behind each other without repeats, objects key by key. */
function joined(key: string, usable: readonly Mention[]): JsonValue | undefined {
  const values = usable.map(({ used }) => used);
  if (values.length === 0) return undefined;
  if (!values.some(isJsonObject)) {
    const items = values.flatMap((value) => (Array.isArray(value) ? (value as readonly JsonValue[]) : []));
    return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
  }
  const names = new Set(values.filter(isJsonObject).flatMap((value) => Object.keys(value)));
  const entries = [...names].map((name) => {
    const inner = usable.map((mention) => ({ ...mention, used: valueAt(mention.used, [name]) }));
    return [name, judge(`${key}.${name}`, inner).value] as const;
  });
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

/** Keys and addresses of vendors may come from the environment, which stands above the files. */
function environmentOf([first, vendor]: KeyPath, { host }: ExplainContext): Mention[] {
  if ((first !== 'apiKeys' && first !== 'baseUrls') || vendor === undefined) return [];
  const known = loadCatalogue().vendors.find(({ id }) => id === vendor);
  const variables = first === 'apiKeys' ? known?.keyVariables : [known?.baseUrlVariable ?? []].flat();
  return (variables ?? []).flatMap((name) => {
    const value = host.env[name];
    return value
      ? [{ source: `environment ${name}`, name: [first, vendor], written: value, used: value }]
      : [];
  });
}

async function sourceOf(mention: Judged, path: KeyPath): Promise<SettingSource> {
  const { source, text, written, state } = mention;
  const name = mention.name[0] === 'foreignModel' ? ['defaultModel'] : mention.name;
  const line = text === undefined ? undefined : await lineAt(text, name);
  return {
    source,
    ...(line === undefined ? {} : { line }),
    ...(name === path ? {} : { key: pathText(name) }),
    value: shownValue(written, name),
    state,
  };
}

/** The line on which the value at a path begins; nothing where another program calls it otherwise. */
async function lineAt(text: string, path: KeyPath): Promise<number | undefined> {
  const { parseTree, findNodeAtLocation } = await import('jsonc-parser');
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const node = tree && findNodeAtLocation(tree, [...path]);
  return node && text.slice(0, node.offset).split('\n').length;
}
