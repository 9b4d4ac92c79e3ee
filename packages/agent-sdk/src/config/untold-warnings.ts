import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@robota-sdk/agent-core';
import { userPaths } from '../paths.ts';
import { readJsonFile } from './read-json.ts';
import type { SettingsPlace } from './read-layers.ts';
import { updatePrivateFile } from './update-private-file.ts';

interface WarningPlace extends SettingsPlace {
  /** False where nothing is to be kept on disk. */
  readonly isKept?: boolean;
}

/** Projects whose warnings are remembered; the oldest are forgotten, and told again. */
const maximum = 500;

/**
 * The warnings that were not told in a project before, each of them once until its text changes. What was told is kept
 * as hashes in `~/.robota/warnings.json`; where that can't be read or written, everything is told.
 */
export async function untoldWarnings(
  warnings: readonly string[],
  { cwd, host, isKept = true }: WarningPlace,
): Promise<readonly string[]> {
  if (warnings.length === 0) return [];
  const path = userPaths(host).warnings;
  const hashes = warnings.map(hashOf);
  try {
    const told = new Set(hashesIn(await projectsIn(path), cwd));
    const untold = warnings.filter((_, index) => !told.has(hashes[index] ?? ''));
    if (isKept && untold.length > 0) await keep(path, { cwd, hashes });
    return untold;
  } catch {
    return warnings;
  }
}

async function keep(
  path: string,
  { cwd, hashes }: { cwd: string; hashes: readonly string[] },
): Promise<void> {
  await updatePrivateFile(path, async () => {
    const { [cwd]: _, ...others } = await projectsIn(path);
    // Those that are no longer given are forgotten: when one comes back, it is news.
    const projects = [...Object.entries(others), [cwd, [...new Set(hashes)]] as const].slice(-maximum);
    return `${JSON.stringify({ projects: Object.fromEntries(projects) }, null, 2)}\n`;
  });
}

async function projectsIn(path: string): Promise<JsonObject> {
  const projects = (await readJsonFile(path))?.value.projects;
  return isJsonObject(projects) ? projects : {};
}

function hashesIn(projects: JsonObject, cwd: string): readonly string[] {
  const list = Object.hasOwn(projects, cwd) ? projects[cwd] : [];
  return Array.isArray(list) ? list.map(String) : [];
}

/** The same problem on another line of its file is no news. */
function hashOf(text: string): string {
  return createHash('sha256')
    .update(text.replace(/:\d+(?=[:)])/g, ''))
    .digest('hex')
    .slice(0, 16);
}
