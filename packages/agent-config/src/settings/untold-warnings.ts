import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@robota-sdk/agent-core';
import { readJsonFile } from '../file/read-json.ts';
import { updatePrivateFile } from '../file/update-private-file.ts';
import { userPaths } from '../host/paths.ts';
import type { SettingsPlace } from './read-layers.ts';

interface WarningPlace extends SettingsPlace {
  /** False where nothing is to be kept on disk. */
  readonly isKept?: boolean;
  /** Print mode remembers on its own: what a script's log shows, the user at the terminal has not seen. */
  readonly isPrintMode?: boolean;
}

/** Projects whose warnings are remembered; the oldest are forgotten, and told again. */
const maximum = 500;

/**
 * The warnings that were not told in a project before, each of them once until its text changes. What was told is kept
 * as hashes in `~/.robota/warnings.json`; where that can't be read or written, everything is told.
 */
export async function untoldWarnings(
  warnings: readonly string[],
  { cwd, host, isKept = true, isPrintMode = false }: WarningPlace,
): Promise<readonly string[]> {
  if (warnings.length === 0) return [];
  const memory = { path: userPaths(host).warnings, list: isPrintMode ? 'printed' : 'projects', cwd } as const;
  const hashes = warnings.map(hashOf);
  try {
    const told = new Set(hashesIn((await readMemory(memory))[memory.list], cwd));
    const untold = warnings.filter((_, index) => !told.has(hashes[index] ?? ''));
    if (isKept && untold.length > 0) await keep(memory, hashes);
    return untold;
  } catch {
    return warnings;
  }
}

/** Words by which a warning says that something written in a file does not protect, run or count. */
const notInForce =
  /\b(?:hooks?|not (?:in force|read|run|used|valid)|none of|can ?not be|left out|never runs?|skipped|forbidden|asked about|approves nothing|needs? your approval)\b/i;

/** True if a warning is about something that is not in force, which print mode repeats at every run. */
export function isAboutForce(warning: string): boolean {
  return notInForce.test(warning);
}

interface WarningMemory {
  readonly path: string;
  readonly list: 'printed' | 'projects';
  readonly cwd: string;
}

async function keep(memory: WarningMemory, hashes: readonly string[]): Promise<void> {
  const { path, list, cwd } = memory;
  await updatePrivateFile(path, async () => {
    const kept = await readMemory(memory);
    const { [cwd]: _, ...others } = kept[list];
    // Warnings that disappear are forgotten, so that they are shown again when they return.
    const projects = [...Object.entries(others), [cwd, [...new Set(hashes)]] as const].slice(-maximum);
    return `${JSON.stringify({ ...kept, [list]: Object.fromEntries(projects) }, null, 2)}\n`;
  });
}

async function readMemory({ path }: WarningMemory): Promise<Record<WarningMemory['list'], JsonObject>> {
  const { projects, printed } = (await readJsonFile(path))?.value ?? {};
  return {
    projects: isJsonObject(projects) ? projects : {},
    printed: isJsonObject(printed) ? printed : {},
  };
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
