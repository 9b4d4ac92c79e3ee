import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isWithin } from '@robota-sdk/agent-shell';
import { realPathOf } from './walk-path.ts';

/** The search path of programs, and the project whose programs must not shadow them. */
export interface ProgramSearch {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Directories to look in first. */
  readonly before?: readonly string[];
}

/** Variables that helper programs need; none of them holds a key. */
const neededVariables =
  /^(?:HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TERM|TMPDIR|TMP|TEMP|TZ|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|WSL_DISTRO_NAME|WSL_INTEROP|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|PROGRAMDATA|PROGRAMFILES|HOMEDRIVE|HOMEPATH)$/i;

/** Cached, because every command asks for the same few. */
const known = new Map<string, readonly string[]>();
const maximumKnown = 16;

/**
 * Entries of the search path that a project cannot put programs into: absolute, outside of it, and not in
 * `node_modules`, which `npx` and npm scripts add.
 */
export function trustedSearchPath({
  env = process.env,
  cwd = process.cwd(),
}: ProgramSearch = {}): readonly string[] {
  const key = JSON.stringify([cwd, env.PATH ?? env.Path ?? '']);
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const project = realPathOf(cwd);
  const trusted = (env.PATH ?? env.Path ?? '').split(delimiter).filter((directory) => {
    if (!isAbsolute(directory) || /(?:^|[\\/])node_modules(?:[\\/]|$)/.test(directory)) return false;
    const real = realPathOf(directory);
    return !isWithin(project, real) && !isWithin(cwd, directory);
  });
  if (known.size >= maximumKnown) known.clear();
  known.set(key, trusted);
  return trusted;
}

/** Finds a program that Robota starts itself; undefined if none is installed outside the project. */
export function findProgram(name: string, search: ProgramSearch = {}): string | undefined {
  const names =
    process.platform === 'win32' && !/\.\w+$/.test(name) ? [`${name}.exe`, `${name}.cmd`] : [name];
  const findIn = (directories: readonly string[]) =>
    directories.flatMap((directory) => names.map((one) => join(directory, one))).find(isProgram);
  return findIn(search.before ?? []) ?? findIn(trustedSearchPath(search));
}

/** Environment of programs that Robota starts itself: without keys and without the project's programs. */
export function helperEnvironment(search: ProgramSearch = {}): Record<string, string> {
  const { env = process.env } = search;
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && neededVariables.test(entry[0]),
  );
  return { ...Object.fromEntries(kept), PATH: trustedSearchPath(search).join(delimiter) };
}

/** True if a file can be run. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
