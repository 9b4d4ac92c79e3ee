import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  errorMessage,
  type HostEnvironment,
  readRegularFile,
  userResourceFolders,
} from '@robota-sdk/agent-sdk/front-end';
import { type FileProblem, readTheme, type ThemeDefinition } from '@robota-sdk/agent-tui';
import { appDarkTheme } from './app-themes.ts';
import { type AppToken, appTokens } from './app-tokens.ts';

/** A theme of the user, and its file. */
export interface UserTheme {
  readonly path: string;
  readonly definition: ThemeDefinition<AppToken>;
  /** How many colours it leaves out, which are those of the dark theme. */
  readonly missing: number;
}

/** The problem of a file, in one line. */
interface ThemeProblem {
  readonly path: string;
  readonly text: string;
  /** True if there is a theme in it nevertheless. */
  readonly isTheme: boolean;
}

/** The themes that were found, and what is wrong with files, each with its place and what is used instead. */
export interface LoadedThemes {
  readonly themes: readonly UserTheme[];
  readonly problems: readonly ThemeProblem[];
}

/** The folders of the user's themes, strongest first; they may not exist. */
export function themeFolders(host: HostEnvironment): readonly string[] {
  return userResourceFolders('themes', host);
}

/** Reads all themes of some folders; of a name the first one counts. */
export async function loadThemes(folders: readonly string[]): Promise<LoadedThemes> {
  const found = await Promise.all(folders.map(readFolder));
  const problems: ThemeProblem[] = [];
  const themes = new Map<string, UserTheme>();
  for (const { theme, problem } of found.flat()) {
    if (problem) problems.push(problem);
    if (theme && !themes.has(theme.definition.name)) themes.set(theme.definition.name, theme);
  }
  return { themes: [...themes.values()], problems };
}

interface FoundFile {
  readonly theme?: UserTheme;
  readonly problem?: ThemeProblem;
}

async function readFolder(folder: string): Promise<readonly FoundFile[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.json')).sort();
  return Promise.all(files.map((name) => readFileOf(join(folder, name))));
}

async function readFileOf(path: string): Promise<FoundFile> {
  try {
    const schema = { tokens: appTokens, fallback: appDarkTheme() };
    const written = (await readRegularFile(path)).toString();
    const { definition, missing, problems } = await readTheme(written, schema);
    const text = describeProblems(path, problems);
    return {
      ...(definition ? { theme: { path, definition, missing: missing.length } } : {}),
      ...(text === undefined ? {} : { problem: { path, text, isTheme: definition !== undefined } }),
    };
  } catch (thrown) {
    const text = `${path} can't be read, so it is no theme: ${errorMessage(thrown)}`;
    return { problem: { path, text, isTheme: false } };
  }
}

/** The first problem with its place, and how many others there are. */
function describeProblems(path: string, problems: readonly FileProblem[]): string | undefined {
  const [first, ...others] = problems;
  if (!first) return undefined;
  const more =
    others.length === 0 ? '' : ` (and ${others.length} more problem${others.length === 1 ? '' : 's'})`;
  return `${path}:${first.line}: ${first.message}${more}`;
}
