import { dirname } from 'node:path';
import {
  AgentError,
  type AnyShape,
  addSentence,
  describeMismatch,
  isWithin,
  type JsonValue,
  type KeyPath,
  type Problem,
  parseJson,
  parseProfiles,
  pathText,
  Report,
  realPathOf,
  shapeAt,
} from '@robota-sdk/agent-core';
import { editJson } from '../file/edit-json.ts';
import { parseJsonFile, readJsonFile } from '../file/read-json.ts';
import { updatePrivateFile } from '../file/update-private-file.ts';
import type { HostEnvironment } from '../host/dialects.ts';
import { projectPaths, userPaths } from '../host/paths.ts';
import { valueAt } from '../options/key-path.ts';
import type { SettingsLayer } from '../options/settings.ts';
import { settingsShape } from '../options/settings-shape.ts';
import { approveRules } from '../trust/approve-rules.ts';
import { dropForbidden } from '../trust/forbidden-settings.ts';
import { parseHooks } from '../trust/hook-config.ts';
import { ignoreLocalSettings } from './ignore-local-settings.ts';
import { joinRules } from './join-rules.ts';
import type { SettingsContext } from './read-layers.ts';
import { translateLayer } from './translate-layer.ts';
import { validateLayer } from './validate-layer.ts';
import { writtenProfiles } from './written-profiles.ts';

/** The owner of settings: the user everywhere, all users of the project, or the user in this project. */
export type SettingsScope = 'user' | 'project' | 'local';

export const settingsScopes: readonly SettingsScope[] = ['user', 'project', 'local'];

/** The file of ours that holds the settings of a scope. */
export function scopeFile(scope: SettingsScope, { cwd, host }: SettingsContext): string {
  if (scope === 'user') return userPaths(host).settings;
  return scope === 'project' ? projectPaths(cwd).settings : projectPaths(cwd).localSettings;
}

/** A change of a setting: set it, add to its list, or remove it. */
export interface SettingEdit {
  readonly path: KeyPath;
  readonly scope: SettingsScope;
  readonly action: 'set' | 'add' | 'unset';
  /** JSON, or a text as it is. */
  readonly text?: string;
}

export interface EditReport {
  readonly file: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  /** Warnings about values with another meaning than expected. */
  readonly problems: readonly Problem[];
}

/** Changes one setting in a file of ours; comments stay, and what would not be understood is not written. */
export async function editSetting(edit: SettingEdit, place: SettingsContext): Promise<EditReport> {
  const file = scopeFile(edit.scope, place);
  const value = edit.action === 'unset' ? undefined : wantedValue(edit);
  if (edit.scope !== 'user') assertInside(place.cwd, file);
  const change = (text: string | undefined) =>
    changedText(text, { ...edit, value }, { file, host: place.host });
  // Before anything is made for it, so that what is refused leaves no trace.
  let outcome = await change((await readJsonFile(file))?.text);
  if (edit.action === 'unset' && outcome.before === undefined) return { file, ...outcome };
  await updatePrivateFile(file, async (written) => {
    outcome = await change(written);
    return outcome.text;
  });
  if (edit.scope === 'local') await ignoreLocalSettings(place.cwd);
  const { before, after, problems } = outcome;
  // A rule added by the user counts as approved.
  if (edit.scope !== 'user' && edit.path.join('.') === 'permissions.allow')
    await approveRules(place.cwd, addedTexts(before, after), place.host);
  return { file, before, after, problems };
}

interface ChangeOutcome extends Omit<EditReport, 'file'> {
  readonly text: string;
}

async function changedText(
  written: string | undefined,
  edit: SettingEdit & { readonly value: JsonValue | undefined },
  { file, host }: { readonly file: string; readonly host: HostEnvironment },
): Promise<ChangeOutcome> {
  const { path, scope, value } = edit;
  const old = written?.trim() ? written : '{}\n';
  const before = valueAt((await layerOf(old, { file, scope })).value, path);
  const append = edit.action === 'add';
  const isThere = append && Array.isArray(before) && before.some((item) => isSame(item, value));
  const text = isThere ? old : await editJson(old, { path, value, append });
  const layer = await layerOf(text, { file, scope });
  const problems: Problem[] = [];
  assertAllowed(edit, checkLayer(layer, { host, problems }));
  return { text, before, after: valueAt(layer.value, path), problems };
}

function isSame(a: JsonValue, b: JsonValue | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function addedTexts(before: JsonValue | undefined, after: JsonValue | undefined): string[] {
  const known = Array.isArray(before) ? before : [];
  return Array.isArray(after)
    ? after.filter((item): item is string => typeof item === 'string' && !known.includes(item))
    : [];
}

/** JSON where that is meant; text where the setting is one, or where it is no JSON. */
function wantedValue({ path, action, text = '' }: SettingEdit): JsonValue {
  const target = action === 'add' ? [...path, 0] : path;
  const shape = shapeAt(settingsShape, target);
  if (!shape) throw new AgentError('usage', `"${pathText(path)}" is not a list, so nothing can be added.`);
  const value = parsed(text, shape);
  const report = new Report({ lenient: true });
  const fitting = report.at(path, shape, value);
  const [found] = report.problems.filter(({ kind }) => kind !== 'unknown');
  if (found === undefined) return (fitting as JsonValue | undefined) ?? value;
  const problem = addSentence(describeMismatch(found, { noun: 'setting' }), 'Nothing was changed.');
  const hint =
    action === 'set' && shape.json.type === 'array' ? 'Add one to the list with --add.' : undefined;
  throw new AgentError('usage', problem.message, { ...problem, hint });
}

function parsed(text: string, { json }: AnyShape): JsonValue {
  const value = parseJson(text);
  return value === undefined || (json.type === 'string' && typeof value !== 'string') ? text : value;
}

async function layerOf(
  text: string,
  { file, scope }: { readonly file: string; readonly scope: SettingsScope },
): Promise<SettingsLayer> {
  const { value } = await parseJsonFile(text, file);
  return { source: file, dialect: 'robota', fromProject: scope !== 'user', text, value };
}

/** Holds a file against everything that is asked of it when it is used; gives back what of it may count. */
export function checkLayer(
  layer: SettingsLayer,
  { host, problems }: { readonly host: HostEnvironment; readonly problems: Problem[] },
): { readonly valid: SettingsLayer; readonly allowed: SettingsLayer } {
  const valid = validateLayer(translateLayer(layer, problems), { problems, mayRefuse: true });
  const allowed = dropForbidden(valid, problems);
  joinRules([allowed], { env: host.env, problems, refuseBroken: true });
  parseHooks(allowed.value.hooks, { source: layer.source, problems });
  const profiles = parseProfiles(writtenProfiles(allowed.value) ?? {});
  problems.push(...profiles.problems.map((problem) => ({ ...problem, source: { file: layer.source } })));
  return { valid, allowed };
}

function assertAllowed({ path, action }: SettingEdit, checked: ReturnType<typeof checkLayer>): void {
  const isRefused =
    valueAt(checked.valid.value, path) !== undefined && valueAt(checked.allowed.value, path) === undefined;
  if (!isRefused || action === 'unset') return;
  throw new AgentError('usage', `A project can never set "${pathText(path)}".`, {
    subject: pathText(path),
    hint: 'Set it for yourself instead: --scope user.',
  });
}

/** A repository may bring a link in place of the file or its folder: nothing must land anywhere else. */
function assertInside(cwd: string, file: string): void {
  const folder = realPathOf(dirname(file));
  if (isWithin(realPathOf(cwd), folder)) return;
  const advice = 'Remove the link, or edit the file you mean.';
  throw new AgentError(
    'config',
    `${file} leads out of the project, to ${folder}, so nothing is written. ${advice}`,
  );
}
