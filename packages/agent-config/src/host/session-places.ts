import { join, resolve } from 'node:path';
import { readJsonFile } from '../file/read-json.ts';
import { type HostEnvironment, type ImportSource, sessionFolders } from './dialects.ts';

/** The folders and files that hold a tool's sessions, also those that its own settings name; they may not exist. */
export async function sessionPlaces(
  source: ImportSource,
  { host, cwd }: { readonly host: HostEnvironment; readonly cwd: string },
): Promise<readonly string[]> {
  const named = await namedFolder(source, host);
  return named === undefined ? sessionFolders(source, host) : [resolve(cwd, named)];
}

async function namedFolder(
  { sessions: { setting } }: ImportSource,
  { env, home }: HostEnvironment,
): Promise<string | undefined> {
  if (!setting || env[setting.unless]) return undefined;
  const moved = env[setting.variable];
  const folder = moved ? inHome(moved, home) : join(home, setting.folder);
  const { value = {} } = (await readJsonFile(join(folder, 'settings.json'))) ?? {};
  const named = value[setting.key];
  return typeof named === 'string' && named !== '' ? inHome(named, home) : undefined;
}

function inHome(path: string, home: string): string {
  return path.replace(/^~(?=\/|$)/, home);
}
