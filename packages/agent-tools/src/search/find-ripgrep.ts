import { delimiter, isAbsolute, join } from 'node:path';
import { isExecutable } from '../is-executable.ts';

let found: Promise<string | undefined> | undefined;

/** The ripgrep to use: the one on the PATH, else the one installed with this package, else none. Looked for once. */
export function findRipgrep(): Promise<string | undefined> {
  found ??= lookForRipgrep();
  return found;
}

async function lookForRipgrep(): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    // A relative entry would let a repository supply the program.
    if (isAbsolute(directory) && isExecutable(join(directory, name))) return join(directory, name);
  }
  const path = await installedPath();
  return path !== undefined && isExecutable(path) ? path : undefined;
}

async function installedPath(): Promise<string | undefined> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch {
    return undefined;
  }
}
