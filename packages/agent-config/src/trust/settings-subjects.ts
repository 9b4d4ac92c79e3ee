import { isJsonObject, type JsonValue } from '@robota-sdk/agent-core';
import { lineOfKey, lineOfString } from '../file/read-json.ts';
import { valueAt } from '../options/key-path.ts';
import type { SettingsLayer } from '../options/settings.ts';
import { optionRows, settingKey } from '../options/settings-shape.ts';
import { commandLine, type HookGroup, parseHooks } from './hook-config.ts';
import { hookSubject } from './hook-subject.ts';
import { scriptsOf } from './referenced-files.ts';
import type { TrustDraft, TrustSubject } from './trust-item.ts';

/** A rule that lets calls run without a question. */
export function ruleSubject(rule: string): TrustSubject {
  return { kind: 'allow-rule', name: rule, content: rule };
}

/** A directory beside the workspace that the agent may work in. */
export function directorySubject(directory: string): TrustSubject {
  return { kind: 'directory', name: directory, content: directory };
}

/** A mode that asks less than the strictest one. */
export function modeSubject(mode: string): TrustSubject {
  return { kind: 'mode', name: mode, content: mode };
}

/** A variable for the processes that tools and hooks start. */
export function variableSubject(name: string, value: string): TrustSubject {
  return { kind: 'environment', name, content: `${name}=${value}` };
}

/** A command that runs for the line at the foot of the screen. */
export function statusLineSubject(written: JsonValue): TrustSubject {
  const command = isJsonObject(written) ? written.command : undefined;
  return { kind: 'status-line', name: 'statusLine', content: String(command ?? JSON.stringify(written)) };
}

/** A setting that takes its value from the user's environment or chooses who is asked; nothing for one that does neither. */
export function settingSubject(key: string, value: JsonValue): TrustSubject | undefined {
  const content = JSON.stringify(value);
  if (content.includes('$ENV:'))
    return { kind: 'environment', name: `"${key}" reads your environment`, content };
  if (!choosesModel(key, value) || content === '{}') return undefined;
  const written = key === 'foreignModel' ? 'defaultModel' : key;
  return { kind: 'model', name: `"${written}" chooses who is asked`, content };
}

/** Whether a setting decides where the conversation, or a part of it, is sent. */
function choosesModel(key: string, value: JsonValue): boolean {
  if (key === 'foreignModel') return true;
  return optionRows.some(([name, row]) => {
    const [group, ...inner] = settingKey(name, row).split('.');
    return row.project === 'model' && group === key && valueAt(value, inner) !== undefined;
  });
}

/** Settings whose parts are looked at one by one. */
const ownSubjects: ReadonlySet<string> = new Set(['permissions', 'hooks', 'env', 'statusLine']);

/**
 * The trust items of a repository's settings file: everything that would execute code or widen permissions.
 */
export function settingsDrafts(layer: SettingsLayer, cwd: string): TrustDraft[] {
  const { value } = layer;
  const permissions = isJsonObject(value.permissions) ? value.permissions : {};
  const modes = [permissions.defaultMode, value.defaultTrustLevel].filter((mode) => mode !== undefined);
  return [
    ...hookDrafts(layer, cwd),
    ...statusLineDrafts(layer, cwd),
    ...texts(permissions.allow).map((rule) => at(layer, ['allow', rule], ruleSubject(rule))),
    ...texts(permissions.additionalDirectories).map((directory) =>
      at(layer, ['additionalDirectories', directory], directorySubject(directory)),
    ),
    ...modes
      .filter((mode) => !isStrictest(mode))
      .map((mode) => at(layer, ['defaultMode', String(mode)], modeSubject(String(mode)))),
    ...(isJsonObject(value.env) ? Object.entries(value.env) : []).map(([name, text]) =>
      at(layer, ['env', String(text)], variableSubject(name, String(text))),
    ),
    ...Object.entries(value).flatMap(([key, item]) => {
      const reading = ownSubjects.has(key) ? undefined : settingSubject(key, item);
      return reading ? [{ ...reading, source: placeOf(layer, lineOfKey(layer.text, key)) }] : [];
    }),
  ];
}

/** True if a mode may be asked for by anybody. */
export function isStrictest(mode: JsonValue | undefined): boolean {
  return mode === 'plan' || mode === 'safe';
}

function hookDrafts(layer: SettingsLayer, cwd: string): TrustDraft[] {
  // Problems of hooks are reported where they are read to be run.
  const groups = parseHooks(layer.value.hooks, { source: layer.source, problems: [] });
  return groups.flatMap((group) =>
    group.hooks.map((hook) => {
      const subject = hookSubject(group, hook);
      const command = commandLine(hook);
      const scripts = command === undefined ? {} : scriptsOf(command, cwd, variablesOf(layer, group.env));
      const [first = ''] = [hook.command, hook.url, hook.prompt, hook.agent].filter(
        (text) => typeof text === 'string',
      );
      return { ...at(layer, [group.event, String(first)], subject), ...scripts };
    }),
  );
}

function statusLineDrafts(layer: SettingsLayer, cwd: string): TrustDraft[] {
  const { statusLine } = layer.value;
  if (statusLine === undefined) return [];
  const subject = statusLineSubject(statusLine);
  const source = placeOf(layer, lineOfKey(layer.text, 'statusLine'));
  return [{ ...subject, source, ...scriptsOf(subject.content, cwd, variablesOf(layer, undefined)) }];
}

/** The environment of a hook's command, as far as the same file sets it. */
function variablesOf({ value }: SettingsLayer, own: HookGroup['env']): Record<string, string> {
  const shared = isJsonObject(value.env) ? Object.entries(value.env) : [];
  return { ...Object.fromEntries(shared.map(([name, text]) => [name, String(text)])), ...own };
}

/** A subject with the line on which its text stands behind a key. */
function at(layer: SettingsLayer, [key, text]: readonly [string, string], subject: TrustSubject): TrustDraft {
  const line = lineOfString(layer.text, text, key) ?? lineOfKey(layer.text, key);
  return { ...subject, source: placeOf(layer, line) };
}

function placeOf({ source }: SettingsLayer, line: number | undefined): string {
  return line === undefined ? source : `${source}:${line}`;
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
