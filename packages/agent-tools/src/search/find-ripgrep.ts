import { findProgram } from '@robota-sdk/agent-core';
import { isExecutable } from '../files/is-executable.ts';

let found: Promise<string | undefined> | undefined;

/** The ripgrep to use: the one on the PATH, else the one installed with this package, else none. Looked for once. */
export function findRipgrep(): Promise<string | undefined> {
  found ??= lookForRipgrep();
  return found;
}

async function lookForRipgrep(): Promise<string | undefined> {
  const own = findProgram('rg');
  if (own !== undefined) return own;
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
