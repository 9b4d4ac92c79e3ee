import {
  type DrainMode,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type PermissionMode,
  type PermissionRules,
  type RetryPolicy,
  type ThinkingLevel,
  type ToolProtocol,
} from '@robota-sdk/agent-core';
import type { BudgetLimits, CompactionPolicy } from '@robota-sdk/agent-sessions';
import type { Dialect } from '../host/dialects.ts';
import type { TaskSettings } from './task-settings.ts';

/** The settings of a session, all layers merged. */
export interface Settings {
  /** `vendor/id`, an id, or a profile. */
  readonly model?: string;
  /** The model of pi or rab; used if our settings name none. */
  readonly foreignModel?: string;
  readonly fallbackModels?: readonly string[];
  /** By `vendor/id` or id. */
  readonly toolProtocols: Readonly<Record<string, ToolProtocol>>;
  readonly thinking?: ThinkingLevel;
  readonly language?: string;
  /** How the terminal UI looks and behaves. */
  readonly terminal: TerminalSettings;
  readonly permissionMode?: PermissionMode;
  readonly permissions: PermissionRules;
  /** The file that forbids the mode bypassPermissions. */
  readonly bypassForbiddenBy?: string;
  readonly additionalDirectories: readonly string[];
  readonly maxTurns?: number;
  /** How messages sent during a run join: one by one or all at once. */
  readonly steeringMode?: DrainMode;
  /** The same for messages that wait for the end of a run. */
  readonly followUpMode?: DrainMode;
  /** How independent calls of one answer run: in parallel or one by one. */
  readonly toolExecution?: 'parallel' | 'sequential';
  /** US dollars for a prompt, a session and a day. */
  readonly budget: BudgetLimits;
  /** How patiently a failed model call is repeated. */
  readonly retry?: RetryPolicy;
  /** A stream that is silent for this long is given up and asked for again. */
  readonly idleTimeoutMs?: number;
  readonly tools?: readonly string[];
  readonly excludeTools: readonly string[];
  /** Default invocation of skills; `auto-invoke` unless given. */
  readonly skillInvocation?: 'user' | 'auto-invoke';
  /** Keys by vendor, from a user layer only. */
  readonly apiKeys: Readonly<Record<string, string>>;
  readonly baseUrls: Readonly<Record<string, string>>;
  readonly allowInsecureHttp: boolean;
  readonly webFetch: { readonly allowPrivate: boolean };
  /** As written: the sandbox reads it itself. */
  readonly sandbox?: JsonValue;
  /** Variables for the processes of tools and hooks; never for our own. */
  readonly env: Readonly<Record<string, string>>;
  /** When a conversation is made shorter, in general and for single models. */
  readonly compaction: CompactionSettings;
  /** How work in the background is done. */
  readonly tasks: TaskSettings;
}

/** Settings of the terminal front end. */
export interface TerminalSettings {
  /** A theme, or two with a slash between them: for light and for dark terminals. */
  readonly theme?: string;
  readonly vim: boolean;
  readonly notifications: boolean;
  readonly hideThinking: boolean;
}

export interface CompactionSettings extends CompactionPolicy {
  /** The model that writes summaries; the session's own unless given. */
  readonly model?: string;
  /** By `vendor/id` or id. */
  readonly models: Readonly<Record<string, CompactionPolicy>>;
}

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

/** Replaces `$ENV:NAME` in one string. */
export function substituteText(text: string, env: Environment): string {
  return text.replace(/\$ENV:([A-Za-z_][A-Za-z0-9_]*)/g, (written, name: string) => env[name] ?? written);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Merges objects deeply; anything else in `over` replaces what is below. */
export function mergeDeep(under: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    if (key === '__proto__') continue;
    const below = merged[key];
    merged[key] = isJsonObject(below) && isJsonObject(value) ? mergeDeep(below, value) : value;
  }
  return merged;
}
