import { isMissing, type Problem, problemOf } from '@robota-sdk/agent-core';
import { readJsonFile } from '../file/read-json.ts';
import { updatePrivateFile } from '../file/update-private-file.ts';
import { checkLayer, type SettingsScope, scopeFile } from './edit-settings.ts';
import { layerCandidates, type SettingsContext } from './read-layers.ts';

/** The settings file of a scope, made where there is none. */
export async function ensureSettingsFile(scope: SettingsScope, place: SettingsContext): Promise<string> {
  const file = scopeFile(scope, place);
  if (isMissing(file)) await updatePrivateFile(file, (before) => before ?? '{\n}\n');
  return file;
}

/** Checks one settings file: errors that make it unusable, and warnings. */
export async function checkSettingsFile(path: string, place: SettingsContext): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  try {
    const file = await readJsonFile(path);
    const candidate = layerCandidates('settings', place).find(({ source }) => source === path);
    if (file && candidate) checkLayer({ ...candidate, ...file }, { host: place.host, problems });
    return problems;
  } catch (thrown) {
    return [problemOf(thrown), ...problems];
  }
}
