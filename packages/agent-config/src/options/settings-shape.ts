import {
  type AnyShape,
  described,
  type JsonObject,
  type JsonValue,
  lazy,
  modelsFileShape,
  object,
  withDefault,
} from '@robota-sdk/agent-core';
import type { FlagSpec, SettingRow } from './option-row.ts';
import { optionTable } from './table.ts';

/** Every row with its name. */
export const optionRows: readonly (readonly [name: string, row: SettingRow])[] = Object.entries(optionTable);

/** Key of a setting in files. */
export function settingKey(name: string, { key = name }: SettingRow): string {
  return key;
}

const groupHelp: Readonly<Record<string, string>> = {
  models: 'Named ways to reach a model.',
  permissions: 'Calls that are allowed, asked about and denied.',
  budget: 'Limits in US dollars.',
  webFetch: 'What pages may be fetched.',
  tasks: 'How work in the background is done; 0 switches a limit off.',
  local: 'How models on this machine are run.',
  compaction: 'When and how a conversation is compacted.',
};

/** A settings file: every setting by its key. Files are checked against this, and `robota config` reads it. */
export const settingsShape = lazy(() => object({}, fieldsBelow('')));

function fieldsBelow(prefix: string): Record<string, AnyShape> {
  const fields: Record<string, AnyShape> = {};
  for (const [name, row] of optionRows) {
    const key = settingKey(name, row);
    if (!key.startsWith(prefix)) continue;
    const [field = '', inner] = key.slice(prefix.length).split('.');
    if (inner === undefined) fields[field] = fieldShape(row);
    else fields[field] ??= described(object({}, fieldsBelow(`${field}.`)), groupHelp[field] ?? '');
  }
  return fields;
}

function fieldShape({ shape, default: preset, help }: SettingRow): AnyShape {
  const isTold = preset !== undefined && JSON.stringify(preset) !== '{}' && JSON.stringify(preset) !== '[]';
  const field = described(shape, help);
  return isTold ? withDefault(field, preset as JsonValue) : field;
}

const draft = 'http://json-schema.org/draft-07/schema#';

/** JSON Schema of a settings file, for editors. */
export const settingsSchema = (): JsonObject => ({
  $schema: draft,
  title: 'Settings of Robota',
  ...settingsShape.json,
});

/** JSON Schema of `models.json`. */
export const modelsSchema = (): JsonObject => ({
  $schema: draft,
  title: 'Vendors and models of Robota',
  ...modelsFileShape.json,
});

/** The flags of settings, with the choices and the help of their rows where they have none of their own. */
export function settingFlags(): readonly (FlagSpec & { readonly help: string })[] {
  return optionRows.flatMap(([, { flag, shape, help }]) => {
    if (!flag) return [];
    const spec = { help: help.replace(/\.$/, ''), ...flag };
    const isChoice = flag.value !== undefined && !flag.repeat && !flag.choices;
    return [isChoice ? withChoices(spec, shape) : spec];
  });
}

/** Asks the shape for its words when the flag is used, as some shapes are made only then. */
function withChoices<T>(spec: T, shape: AnyShape): T & Pick<FlagSpec, 'choices'> {
  const get = () => {
    const { enum: words } = shape.json;
    return Array.isArray(words) ? words.map(String) : undefined;
  };
  return Object.defineProperty(spec as T & Pick<FlagSpec, 'choices'>, 'choices', { get, enumerable: true });
}

/** The keys of all settings that have a fixed one, groups included. */
export function settingKeys(): string[] {
  const keys = optionRows.map(([name, row]) => settingKey(name, row)).filter((key) => key !== '$schema');
  return [...new Set(keys.flatMap((key) => (key.includes('.') ? [key.split('.')[0] ?? '', key] : [key])))];
}
