import { findOptionalModule, findProgram, isProgram } from '@robota-sdk/agent-core';

let found: Promise<string | undefined> | undefined;

/** The ripgrep to use: from the PATH, otherwise from the optional package, otherwise undefined. Searched once. */
export function findRipgrep(): Promise<string | undefined> {
  found ??= lookForRipgrep();
  return found;
}

async function lookForRipgrep(): Promise<string | undefined> {
  const own = findProgram('rg');
  if (own !== undefined) return own;
  const path = await installedPath();
  return path !== undefined && isProgram(path) ? path : undefined;
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
