import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

export interface ProgramSearchPath {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The file that a command of a configuration means; nothing where there is none that can be run. */
export function findProgram(command: string, { cwd, env }: ProgramSearchPath): string | undefined {
  if (isAbsolute(command) || command.includes('/')) {
    const path = resolve(cwd, command);
    return isProgram(path) ? path : undefined;
  }
  const directories = (env.PATH ?? '').split(delimiter).filter((directory) => directory !== '');
  return directories.map((directory) => join(resolve(cwd, directory), command)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
