import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isJsonObject } from '@robota-sdk/agent-core';
import { readJsonFile } from '../file/read-json.ts';
import type { HostEnvironment } from '../host/dialects.ts';
import { userResourceFolders } from '../host/resource-folders.ts';

/** The names of the themes that need no file, the default one first. */
export const builtInThemeNames = [
  'dark',
  'light',
  'colour-blind-dark',
  'colour-blind-light',
  'high-contrast-dark',
  'high-contrast-light',
  'ansi',
] as const;

/** The theme names in a setting such as `light/dark`; American spelling is accepted. */
export function themesIn(setting: string): readonly string[] {
  return setting.split('/').map((name) => name.trim().replace(/^color-blind/, 'colour-blind'));
}

/** The names of all themes: built-in ones and those of the user's files. */
export async function knownThemes(host: HostEnvironment): Promise<readonly string[]> {
  const own = await Promise.all(userResourceFolders('themes', host).map(namesIn));
  return [...new Set([...builtInThemeNames, ...own.flat()])];
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const names = files.map(async (file) => {
    const value = (await readJsonFile(join(folder, file)).catch(() => undefined))?.value;
    const name = isJsonObject(value) ? value.name : undefined;
    return typeof name === 'string' ? name : basename(file, '.json');
  });
  return Promise.all(names);
}
