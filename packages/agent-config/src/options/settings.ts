import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type PermissionRules,
  type TypeOf,
} from '@robota-sdk/agent-core';
import type { Dialect } from '../host/dialects.ts';
import type { OptionScope, UsedValue } from './option-row.ts';
import type { optionTable } from './table.ts';

type Table = typeof optionTable;
type Value<K extends keyof Table> = UsedValue<Table[K]>;
type Dotted = `${string}.${string}`;
/** Rows that always have a value. */
type Preset = { [K in keyof Table]: 'default' extends keyof Table[K] ? K : never }[keyof Table];
type GroupName = keyof Table extends infer K ? (K extends `${infer G}.${string}` ? G : never) : never;
type FieldOf<K, G extends string> = K extends `${G}.${infer Field}` ? Field : never;

/** The rows of one group, such as `compaction`. */
type Group<G extends string> = {
  readonly [K in Preset as FieldOf<K, G>]: Value<K>;
} & { readonly [K in Exclude<keyof Table, Preset> as FieldOf<K, G>]?: Value<K> };

type Flat = { readonly [K in Exclude<Preset, Dotted>]: Value<K> } & {
  readonly [K in Exclude<keyof Table, Preset | Dotted>]?: Value<K>;
} & { readonly [G in GroupName]: Group<G> };

/** Rows that stand for older names, or are read where they are used. */
type Elsewhere =
  | { [K in keyof Table]: 'olderFor' extends keyof Table[K] ? K : never }[keyof Table]
  | '$schema'
  | 'models'
  | 'hooks'
  | 'disableAllHooks'
  | 'extensions'
  | 'enabledPlugins'
  | 'extraKnownMarketplaces';

/** The settings of a session, all layers merged: a value for each row of the table, by its name. */
export interface Settings extends Omit<Flat, Elsewhere | keyof Joined | 'model' | 'sandbox'>, Joined {
  /** `vendor/id`, an id, or a profile. */
  readonly model?: string;
  /** The model of pi or rab; used if our settings name none. */
  readonly foreignModel?: string;
  /** As written: the sandbox reads it itself. */
  readonly sandbox?: JsonValue;
}

/** Settings joined from all layers instead of being overridden by the strongest. */
export interface Joined {
  readonly permissions: PermissionRules;
  /** US dollars for a prompt, a session and a day. */
  readonly budget: Group<'budget'>;
  /** The file that forbids the mode bypassPermissions. */
  readonly bypassForbiddenBy?: string;
}

export type CompactionSettings = Group<'compaction'>;

/** Limits and permissions of background work. */
export type TaskSettings = Group<'tasks'>;

export type TaskPermissionPolicy = TaskSettings['permissionPolicy'];

/** Limits beyond which a background agent counts as stuck or runaway; 0 switches a limit off. */
export type WatchdogLimits = Omit<TaskSettings, 'maxConcurrent' | 'permissionPolicy'>;

/** Options of programs that are settings too, by the object they belong to. */
export type OptionsOf<S extends OptionScope> = {
  readonly [K in keyof Table as Table[K] extends { readonly scope: S } ? K : never]?:
    | TypeOf<Table[K]['shape']>
    | undefined;
};

/** All options of programs that are settings too; they override the files. */
export type SettingOptions = OptionsOf<OptionScope>;

/** Names of the flags of settings. */
export type SettingFlag = {
  [K in keyof Table]: Table[K] extends { readonly flag: { readonly name: infer N } } ? N : never;
}[keyof Table];

/** One settings file on its way to being merged. */
export interface SettingsLayer {
  readonly source: string;
  readonly dialect: Dialect['name'];
  /** Supplied by the repository: may narrow freely, but neither execute nor redirect anything. */
  readonly fromProject: boolean;
  readonly text: string;
  readonly value: JsonObject;
  /** Keys of another tool that we have nothing like. */
  readonly unread?: readonly string[];
}

/** Replaces `$ENV:NAME` in every string; an unset variable keeps the text, so that the mistake can be seen. */
export function substituteEnvironment(value: JsonValue, env: Environment): JsonValue {
  if (typeof value === 'string') return substituteText(value, env);
  if (Array.isArray(value)) return value.map((item) => substituteEnvironment(item, env));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, substituteEnvironment(item, env)]),
  );
}

/** The first `$ENV:NAME` in a text whose variable is not set. */
export function unsetReference(text: string, env: Environment): string | undefined {
  return [...text.matchAll(reference)].map(([, name = '']) => name).find((name) => env[name] === undefined);
}

const reference = /\$ENV:([A-Za-z_][A-Za-z0-9_]*)/g;

/** Replaces `$ENV:NAME` in one string. */
export function substituteText(text: string, env: Environment): string {
  return text.replace(reference, (written, name: string) => env[name] ?? written);
}

type Environment = Readonly<Record<string, string | undefined>>;
