import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isJsonObject, type Problem, type ProblemSource, sentence, warning } from '@robota-sdk/agent-core';
import { lineOfString } from '../file/read-json.ts';
import type { Settings, SettingsLayer } from '../options/settings.ts';

interface DirectoryContext {
  readonly cwd: string;
  readonly home: string;
  readonly layers: readonly SettingsLayer[];
  readonly problems: Problem[];
}

/** Expands `~` in added directories and reports and skips missing ones: a shared file may name what only others have. */
export function withoutMissing(
  settings: Settings,
  { cwd, home, layers, problems }: DirectoryContext,
): Settings {
  const additionalDirectories = settings.additionalDirectories.flatMap((directory) => {
    const written = directory.replace(/^~(?=\/|$)/, home);
    const path = resolve(cwd, written);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) return [written];
    const why = found ? 'is a file' : 'does not exist';
    const source = sourceOf(directory, layers);
    const message = sentence`The directory ${{ directory: path }} ${{ why }}; it is skipped.`;
    problems.push(warning('setting.missing-directory', message, { subject: path, source, isInactive: true }));
    return [];
  });
  return { ...settings, additionalDirectories };
}

function sourceOf(directory: string, layers: readonly SettingsLayer[]): ProblemSource {
  const layer = layers.find(({ value: { permissions } }) => {
    const named = isJsonObject(permissions) ? permissions.additionalDirectories : undefined;
    return Array.isArray(named) && named.includes(directory);
  });
  if (!layer) return { file: 'settings' };
  return { file: layer.source, line: lineOfString(layer.text, directory, 'additionalDirectories') };
}
