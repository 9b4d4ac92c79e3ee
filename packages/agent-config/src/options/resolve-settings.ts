import { isJsonObject, type JsonObject, type JsonValue, Report } from '@robota-sdk/agent-core';
import { valueAt } from './key-path.ts';
import type { SettingRow } from './option-row.ts';
import type { Joined, SettingOptions, Settings } from './settings.ts';
import { optionRows, settingKey } from './settings-shape.ts';

/** Rows that are read where they are used, or combined with others below. */
const elsewhere = /^(?:\$schema|model|models\..*|permissions\..*|budget\..*|hooks|sandbox)$/;

/** Rows that a session reads from `Settings`, by their name. */
const resolved = optionRows.filter(([name, row]) => row.olderFor === undefined && !elsewhere.test(name));

/** Rows that are older names of others. */
const olderRows = optionRows.filter(([, { olderFor }]) => olderFor !== undefined);

/** Makes settings of the merged files, whose shape has been checked; only `$ENV:NAME` can bring new problems. */
export function resolveSettings(value: JsonObject, joined: Joined, report = new Report()): Settings {
  const provider = textsIn(value.provider);
  const vendor = provider.name ?? textOf(value.defaultProvider);
  const model = textOf(value.model) ?? textOf(value.defaultModel) ?? provider.model;
  const foreign = textsIn(value.foreignModel);
  const settings = { ...presets(value, report), ...joined };
  const baseUrl = provider.baseUrl ?? provider.baseURL;
  const chosen = {
    model: vendor !== undefined && model !== undefined && !model.includes('/') ? `${vendor}/${model}` : model,
    foreignModel:
      foreign.vendor === undefined || foreign.id === undefined
        ? foreign.id
        : `${foreign.vendor}/${foreign.id}`,
    sandbox: value.sandbox,
    apiKeys: withEntry(settings.apiKeys, vendor, provider.apiKey),
    baseUrls: withEntry(settings.baseUrls, vendor, baseUrl),
  };
  return { ...settings, ...withoutUndefined(chosen) };
}

/** The value of every row, or its default. */
function presets(value: JsonObject, report: Report): Settings {
  const settings: Record<string, unknown> = {};
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [name, row] of resolved) {
    const parsed = writtenIn(value, name, row, report) ?? row.default;
    const [group = '', field] = name.split('.');
    if (field !== undefined) groups[group] ??= {};
    const fields = field === undefined ? settings : groups[group];
    if (fields && parsed !== undefined) fields[field ?? group] = parsed;
  }
  return { ...settings, ...groups } as object as Settings;
}

/** The usable value under a row's key, or under an older name of it. */
function writtenIn(
  value: JsonObject,
  ...[name, row, report]: readonly [string, SettingRow, Report]
): unknown {
  const older = olderRows.filter(([, { olderFor }]) => olderFor === name);
  for (const [each, alternative] of [[name, row] as const, ...older]) {
    const path = settingKey(each, alternative).split('.');
    const written = valueAt(value, path);
    const parsed =
      written === undefined || written === '' ? undefined : report.at(path, alternative.shape, written);
    if (parsed !== undefined) return used(alternative, parsed);
  }
  return undefined;
}

function used({ translate }: SettingRow, written: unknown): unknown {
  return translate ? translate(written as never) : written;
}

/** Settings whose lists are joined, by their key in files. */
const joinedLists: ReadonlySet<string> = new Set(
  optionRows.flatMap(([name, row]) => (row.merge === 'join' ? [settingKey(name, row)] : [])),
);

/** Merges objects deeply. Otherwise `over` replaces what is below, except lists that their row joins: `over` comes first. */
export function mergeSettings(under: JsonObject, over: JsonObject, path = ''): JsonObject {
  const merged: Record<string, JsonValue> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    if (key === '__proto__') continue;
    const below = merged[key];
    const place = `${path}${key}`;
    if (isJsonObject(below) && isJsonObject(value)) merged[key] = mergeSettings(below, value, `${place}.`);
    else if (joinedLists.has(place) && Array.isArray(below) && Array.isArray(value))
      merged[key] = [...new Set<JsonValue>([...value, ...below])];
    else merged[key] = value;
  }
  return merged;
}

/** Settings with the options of a program or the command line above them. */
export function withOptions(settings: Settings, options: SettingOptions): Settings {
  const given = options as Readonly<Record<string, unknown>>;
  const over = optionRows.flatMap(([name, row]) => {
    const option = row.scope === undefined ? undefined : given[name];
    if (option === undefined) return [];
    const below: unknown = settings[name as keyof Settings];
    const isAdded = row.merge === 'join' && Array.isArray(below) && Array.isArray(option);
    return [[name, isAdded ? [...new Set([...below, ...option])] : used(row, option)] as const];
  });
  return { ...settings, ...Object.fromEntries(over) };
}

/** Options without those that later settings replace. Lists that are joined stay. */
export function withoutReplaced<O extends SettingOptions>(options: O, later: JsonObject): O {
  const replaced = optionRows.filter(([name, row]) => {
    if (row.scope === undefined || row.merge !== undefined) return false;
    return (valueAt(later, settingKey(name, row).split('.')) ?? null) !== null;
  });
  const names = new Set(replaced.map(([name]) => name));
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.has(name))) as O;
}

/** Keys of settings that take effect only in the next session. */
export function fixedKeys(settings: JsonObject): readonly string[] {
  const fixed = optionRows.filter(([, { live }]) => !live).map(([name, row]) => settingKey(name, row));
  return fixed.filter((key) => valueAt(settings, key.split('.')) !== undefined);
}

/** The part of a program's options that are settings too. */
export function settingOptions(options: object): SettingOptions {
  const names = new Set(optionRows.flatMap(([name, { scope }]) => (scope === undefined ? [] : [name])));
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => names.has(name) && value !== undefined),
  );
}

/** The same options under the keys of settings files. */
export function optionsAsSettings(options: SettingOptions): JsonObject {
  const given = options as Readonly<Record<string, JsonValue | undefined>>;
  const settings: Record<string, JsonValue> = {};
  for (const [name, row] of optionRows) {
    const value = row.scope === undefined ? undefined : given[name];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    const [group = '', field] = settingKey(name, row).split('.');
    settings[group] =
      field === undefined ? value : { ...(settings[group] as JsonObject | undefined), [field]: value };
  }
  return settings;
}

function withEntry(
  table: Readonly<Record<string, string>>,
  key: string | undefined,
  value: string | undefined,
): Readonly<Record<string, string>> {
  return key === undefined || value === undefined ? table : { ...table, [key]: value };
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The texts of an object, by name. */
function textsIn(value: JsonValue | undefined): Readonly<Record<string, string | undefined>> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(entries.map(([name, each]) => [name, textOf(each)]));
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
