import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import {
  editSetting,
  readableValue,
  type SettingEdit,
  type SettingsFile,
  settingsFiles,
  shownValue,
  valueText,
} from '@robota-sdk/agent-config';
import {
  AgentError,
  describeProblems,
  type JsonValue,
  pathText,
  problemData,
  robotaDirectories,
} from '@robota-sdk/agent-core';
import type { ConfigRequest } from '../request/config-request.ts';
import { assertKnownNames } from './assert-known-names.ts';
import {
  type ExplainContext,
  explainSetting,
  listSettings,
  type SettingReport,
  type SettingSource,
  unreadSettings,
} from './explain-setting.ts';

/** The answer to a request about settings. */
export interface ConfigAnswer {
  readonly text: string;
  readonly data: JsonValue;
  /** True if there was something to tell. */
  readonly isFound: boolean;
  /** The file that was changed. */
  readonly changed?: string;
}

/** Answers a request about settings: the same for `robota config` and `/config`. */
export async function runConfigRequest(request: ConfigRequest, place: ExplainContext): Promise<ConfigAnswer> {
  const answer = await answerTo(request, place);
  return request.json ? { ...answer, text: JSON.stringify(answer.data) } : answer;
}

async function answerTo(request: ConfigRequest, place: ExplainContext): Promise<ConfigAnswer> {
  switch (request.verb) {
    case 'list': {
      const reports = await listSettings(place);
      const unread = (await unreadSettings(place)).map(
        ({ source, keys }) => `Not read by Robota: ${keys.join(', ')}  (${source})`,
      );
      const lines = reports.length === 0 ? ['No file sets anything.'] : reports.map(listLine);
      return { text: [...lines, ...unread].join('\n'), data: reports.map(asJson), isFound: true };
    }
    case 'path': {
      const files = await settingsFiles(place);
      const folders = foldersOf(place);
      const rows = files.map(({ problem, ...file }) => ({
        ...file,
        ...(problem && { problem: problemData(problem) }),
      }));
      return {
        text: [...files.map(fileLine), ...folders.map(folderLine)].join('\n'),
        data: [...rows, ...folders.map((folder) => ({ ...folder }))],
        isFound: true,
      };
    }
    case 'get': {
      const { value } = await explainSetting(request.path, place);
      return { text: valueText(value), data: value ?? null, isFound: value !== undefined };
    }
    case 'explain': {
      const report = await explainSetting(request.path, place);
      return { text: describeSetting(report), data: asJson(report), isFound: true };
    }
    case 'schema':
      return describeSchema(request.name);
    case 'edit': {
      const { ensureSettingsFile } = await import('@robota-sdk/agent-config');
      const file = await ensureSettingsFile(request.scope, place);
      const text = `Open ${file} in your editor; saved changes take effect at once where possible. In a shell, robota config edit opens it.`;
      return { text, data: { file }, isFound: true };
    }
    case 'edit-setting':
      return changeSetting(request.edit, place);
  }
}

async function describeSchema(name: string): Promise<ConfigAnswer> {
  const { credentialsSchema, modelsSchema, settingsSchema } = await import('@robota-sdk/agent-config');
  const schemas = { settings: settingsSchema(), models: modelsSchema(), credentials: credentialsSchema };
  const schema = Object.entries(schemas).find(([known]) => known === name)?.[1];
  if (!schema) {
    const names = Object.keys(schemas).join(', ');
    throw new AgentError('usage', `Unknown schema "${name}". Available: ${names}.`);
  }
  return { text: JSON.stringify(schema, null, 2), data: schema, isFound: true };
}

async function changeSetting(edit: SettingEdit, place: ExplainContext): Promise<ConfigAnswer> {
  const doubts = await assertKnownNames(edit, place);
  const { file, before, after, problems } = await editSetting(edit, place);
  const key = pathText(edit.path);
  const shown = after === undefined ? undefined : shownValue(after, edit.path);
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  const told =
    shown === undefined ? `Removed ${key} from ${file}.` : `Set ${key} to ${valueText(shown)} in ${file}.`;
  if (edit.action === 'unset' && isSame) {
    const text = `${key} is not set in ${file}.`;
    return { text, data: { key, file, value: null }, isFound: true };
  }
  const notes = isSame ? [] : await effectNotes(edit, { file, place });
  const text = [
    isSame ? `${key} is already ${valueText(shown)} in ${file}.` : told,
    ...notes,
    ...describeProblems([...doubts, ...problems]).map((line) => `warning: ${line}`),
  ].join('\n');
  const data = { key, file, value: shown ?? null, problems: [...doubts, ...problems].map(problemData) };
  return { text, data, isFound: true, changed: file };
}

/** Reports at once if a written value has no effect. */
async function effectNotes(
  { path, action }: SettingEdit,
  { file, place }: { file: string; place: ExplainContext },
): Promise<string[]> {
  // Another file may be broken, which is no reason not to have written this one.
  const report = await explainSetting(path, place).catch(() => undefined);
  const own = report?.sources.find(({ source }) => source === file);
  const winner = report?.sources.find(({ state }) => state === 'counts');
  if (action === 'unset' && winner)
    return [`It is ${valueText(report?.value)} now, from ${placeOf(winner)}.`];
  if (own?.state === 'overridden' && winner) return [`Not effective here: ${placeOf(winner)} overrides it.`];
  if (own?.state === 'not trusted yet')
    return ['Not active yet: you are asked to trust project settings when a session starts.'];
  return [];
}

/** Formats a report. */
function describeSetting({ key, value, description, sources }: SettingReport): string {
  const from = sources.filter(({ state }) => state === 'counts' || state === 'joined');
  const origin = from.length === 0 && value !== undefined ? '  (built-in)' : '';
  const rows = sources.map(
    (source) => `  ${mark(source)} ${placeOf(source)}: ${readableValue(key, source.value)}${note(source)}`,
  );
  return [
    `${key} = ${readableValue(key, value)}${origin}`,
    ...(description === undefined ? [] : [`  ${description}`]),
    ...(rows.length === 0 ? ['  No file sets it.'] : rows),
  ].join('\n');
}

function mark({ state }: SettingSource): string {
  return state === 'counts' || state === 'joined' ? '*' : '-';
}

function note({ state, key }: SettingSource): string {
  const older = key === undefined ? '' : ` as ${key}`;
  return state === 'counts' ? older : `${older}  (${state})`;
}

function listLine({ key, value, sources }: SettingReport): string {
  const from = sources.filter(({ state }) => state === 'counts' || state === 'joined');
  const places = from.map(placeOf).join(', ');
  const refused = sources
    .filter(({ state }) => state !== 'counts' && state !== 'joined' && state !== 'overridden')
    .map((source) => `${placeOf(source)}: ${readableValue(key, source.value)} ${remarkOf(source)}`);
  const nothing = value === undefined ? [] : ['built-in'];
  const origin = [...(places === '' ? nothing : [places]), ...refused].join('; ');
  return `${key} = ${readableValue(key, value)}  (${origin})`;
}

function remarkOf({ state }: SettingSource): string {
  return state === 'not trusted yet' ? 'is not trusted yet' : state;
}

function placeOf({ source, line }: SettingSource): string {
  return line === undefined ? source : `${source}:${line}`;
}

function fileLine({ path, what, state, why }: SettingsFile): string {
  const kind = what === 'settings' ? '' : `  (${what})`;
  return `${state.padEnd(8)}${path}${kind}${why === undefined ? '' : `\n        ${why}`}`;
}

interface UserFolder {
  readonly path: string;
  readonly what: 'folder';
  /** The kinds of files in it, as the XDG specification names them. */
  readonly holds: string;
  readonly owner: 'user';
  readonly state: 'used' | 'missing' | 'unused';
}

/** The user's folders of Robota: one for everything, or those of XDG. */
function foldersOf({ host }: ExplainContext): readonly UserFolder[] {
  const { config, data, state, cache } = robotaDirectories(host);
  const kinds = new Map<string, string[]>();
  for (const [kind, path] of Object.entries({ config, data, state, cache }))
    kinds.set(path, [...(kinds.get(path) ?? []), kind]);
  const folder = { what: 'folder', owner: 'user' } as const;
  return [
    ...[...kinds].map(([path, names]) => {
      const isThere = existsSync(path);
      return { ...folder, path, holds: names.join(', '), state: isThere ? 'used' : 'missing' } as const;
    }),
    ...unusedFolders(host).map((path) => {
      const holds = `${config} is used instead`;
      return { ...folder, path, holds, state: 'unused' } as const;
    }),
  ];
}

/** Folders of the variables of XDG that are not used because another folder takes precedence. */
function unusedFolders(host: ExplainContext['host']): readonly string[] {
  if (robotaDirectories(host).layout === 'xdg') return [];
  const places = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'].map((name) => host.env[name] ?? '');
  return places
    .filter(isAbsolute)
    .map((place) => join(place, 'robota'))
    .filter(existsSync);
}

function folderLine({ path, holds, state }: UserFolder): string {
  return `${state.padEnd(8)}${path}  (folder: ${holds})`;
}

function asJson({ key, value, description, sources }: SettingReport): JsonValue {
  return {
    key,
    value: value ?? null,
    ...(description === undefined ? {} : { description }),
    sources: sources.map((source) => ({ ...source })),
  };
}
