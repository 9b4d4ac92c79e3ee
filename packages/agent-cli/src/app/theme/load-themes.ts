import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage, type HostEnvironment, userResourceFolders } from '@robota-sdk/agent-sdk';
import { darkTheme, readTheme, type ThemeDefinition } from '@robota-sdk/agent-tui';

/** A theme of the person's own, and the file it stands in. */
export interface UserTheme {
  readonly path: string;
  readonly definition: ThemeDefinition;
}

/** The themes that were found, and what is wrong with files, each with its place and what is used instead. */
export interface LoadedThemes {
  readonly themes: readonly UserTheme[];
  readonly problems: readonly string[];
}

/** The folders that hold the person's themes, the strongest first; they may not exist. */
export function themeFolders(host: HostEnvironment): readonly string[] {
  return userResourceFolders('themes', host);
}

/** Reads all themes of some folders; of a name the first one counts. */
export async function loadThemes(folders: readonly string[]): Promise<LoadedThemes> {
  const found = await Promise.all(folders.map(readFolder));
  const problems: string[] = [];
  const themes = new Map<string, UserTheme>();
  for (const file of found.flat()) {
    problems.push(...file.problems);
    if (file.theme && !themes.has(file.theme.definition.name))
      themes.set(file.theme.definition.name, file.theme);
  }
  return { themes: [...themes.values()], problems };
}

interface FoundFile {
  readonly theme?: UserTheme;
  readonly problems: readonly string[];
}

async function readFolder(folder: string): Promise<readonly FoundFile[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.json')).sort();
  return Promise.all(files.map((name) => readFileOf(join(folder, name))));
}

async function readFileOf(path: string): Promise<FoundFile> {
  try {
    const { definition, problems } = await readTheme(await readFile(path, 'utf8'), darkTheme());
    const named = problems.map(({ line, message }) => `${path}:${line}: ${message}`);
    return definition ? { theme: { path, definition }, problems: named } : { problems: named };
  } catch (thrown) {
    return { problems: [`${path} can't be read, so it is no theme: ${errorMessage(thrown)}`] };
  }
}
