import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isJsonObject } from '@robota-sdk/agent-core';
import { lineOfString } from './read-json.ts';
import type { Settings, SettingsLayer } from './settings.ts';

interface Place {
  readonly cwd: string;
  readonly layers: readonly SettingsLayer[];
  readonly warnings: string[];
}

/** Leaves out added directories that are not there, as a shared file may name what only others have, and says so. */
export function withoutMissing(settings: Settings, { cwd, layers, warnings }: Place): Settings {
  const additionalDirectories = settings.additionalDirectories.filter((directory) => {
    const path = resolve(cwd, directory);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) return true;
    const why = found ? 'is a file' : 'does not exist';
    warnings.push(`${placeOf(directory, layers)}: the directory ${path} ${why}; it is left out.`);
    return false;
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
