import { createHash } from 'node:crypto';
import { describeProblem, isJsonObject, type JsonObject, type Problem } from '@robota-sdk/agent-core';
import { readJsonFile } from '../file/read-json.ts';
import { updatePrivateFile } from '../file/update-private-file.ts';
import { userPaths } from '../host/paths.ts';
import type { SettingsContext } from './read-layers.ts';

export interface WarningOptions extends SettingsContext {
  /** False where nothing is to be kept on disk. */
  readonly isKept?: boolean;
  /** Print mode remembers on its own: what a script's log shows, the user at the terminal has not seen. */
  readonly isPrintMode?: boolean;
}

/** Projects whose warnings are remembered; the oldest are forgotten, and told again. */
const maximum = 500;

/**
 * The problems that were not shown in a project before, each of them once until it changes. Those that were shown are kept
 * as hashes in `~/.robota/warnings.json`; where that cannot be read or written, everything is shown.
 */
export async function untoldProblems(
  problems: readonly Problem[],
  { cwd, host, isKept = true, isPrintMode = false }: WarningOptions,
): Promise<readonly Problem[]> {
  if (problems.length === 0) return [];
  const memory = { path: userPaths(host).warnings, list: isPrintMode ? 'printed' : 'projects', cwd } as const;
  const hashes = problems.map(hashOf);
  try {
    const told = new Set(hashesIn((await readMemory(memory))[memory.list], cwd));
    const untold = problems.filter((_, index) => !told.has(hashes[index] ?? ''));
    if (isKept && untold.length > 0) await keep(memory, hashes);
    return untold;
  } catch {
    return problems;
  }
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

/** The same problem on another line of its file is not news. */
function hashOf({ source, ...problem }: Problem): string {
  const text = describeProblem({ ...problem, source: source && { file: source.file } });
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
