import { findOptionalModule, findProgram } from '@robota-sdk/agent-core';
import { isExecutable } from '../files/is-executable.ts';

let found: Promise<string | undefined> | undefined;

/** The ripgrep to use: the one on the PATH, else that of the optional package, else none. Looked for once. */
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
    const module = findOptionalModule('@vscode/ripgrep', { beside: import.meta.url });
    if (module === undefined) return undefined;
    return ((await import(module)) as typeof import('@vscode/ripgrep')).rgPath;
  } catch {
    return undefined;
  }
}
