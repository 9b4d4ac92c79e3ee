import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isJsonObject } from '@robota-sdk/agent-core';
import { lineOfString } from '../file/read-json.ts';
import type { Settings, SettingsLayer } from '../options/settings.ts';

interface Place {
  readonly cwd: string;
  readonly home: string;
  readonly layers: readonly SettingsLayer[];
  readonly warnings: string[];
}

/** Writes out `~` in added directories and leaves out those that are not there, as a shared file may name what only others have; says so. */
export function withoutMissing(settings: Settings, { cwd, home, layers, warnings }: Place): Settings {
  const additionalDirectories = settings.additionalDirectories.flatMap((directory) => {
    const written = directory.replace(/^~(?=\/|$)/, home);
    const path = resolve(cwd, written);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) return [written];
    const why = found ? 'is a file' : 'does not exist';
    warnings.push(`${placeOf(directory, layers)}: the directory ${path} ${why}; it is left out.`);
    return [];
  });
  return { ...settings, additionalDirectories };
}

/** The strongest file with such a list is the one that counts. */
function placeOf(directory: string, layers: readonly SettingsLayer[]): string {
  const layer = layers.find(
    ({ value }) => isJsonObject(value.permissions) && value.permissions.additionalDirectories !== undefined,
  );
  if (!layer) return 'settings';
  const line = lineOfString(layer.text, directory, 'additionalDirectories');
  return line === undefined ? layer.source : `${layer.source}:${line}`;
}
