import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isInWorkspace, nearest, relativePath, type Workspace } from '@robota-sdk/agent-core';
import { describePathProblem, type ResolvedPath } from './resolve-path.ts';

const maxNames = 3;
const maxEntries = 5_000;
const skipped = new Set(['.git', 'node_modules', 'dist', 'build', 'target', '.venv', '__pycache__']);

/** Reports that a file does not exist, and suggests existing ones. */
export async function describeMissing(
  asked: string,
  resolved: ResolvedPath,
  workspace: Workspace,
): Promise<string> {
  const message = describePathProblem('NotFound', asked);
  if (asked.includes('\uFFFD')) {
    const pattern = asked.replace(/[^\w./\uFFFD-]/g, '\\$&').replace(/\uFFFD+/g, '*');
    return `${message} If � stands for bytes that are not UTF-8, only Bash can open the file: give it ${pattern}, or rename the file.`;
  }
  if (!isInWorkspace(resolved.real, workspace)) return message;
  const names = await similarNames(resolved.real, workspace.cwd);
  if (names.length === 0) return `${message} Relative paths start at ${workspace.cwd}.`;
  return `${message} Did you mean ${names.join(' or ')}?`;
}

/**
 * Files with similar names in the same folder, otherwise files of the same name elsewhere in the workspace.
 */
async function similarNames(missing: string, root: string): Promise<readonly string[]> {
  const wanted = basename(missing);
  const siblings = await readdir(dirname(missing)).catch(() => []);
  const near = [
    ...siblings.filter((name) => stemOf(name) === stemOf(wanted)),
    ...nearest(wanted, siblings, maxNames),
  ];
  const found = [...new Set(near)].slice(0, maxNames).map((name) => join(dirname(missing), name));
  const paths = found.length > 0 ? found : await findByName(wanted, root);
  return paths.map((path) => relativePath(root, path));
}

/** The name without its extension: `index.js` often means `index.ts`. */
function stemOf(name: string): string {
  return name.toLowerCase().replace(/(?<=.)\.\w+$/, '');
}

/** Searches for a name breadth first in a limited number of entries. */
async function findByName(wanted: string, root: string): Promise<readonly string[]> {
  const found: string[] = [];
  const queue = [resolve(root)];
  let budget = maxEntries;
  for (let directory = queue.shift(); directory !== undefined && budget > 0; directory = queue.shift()) {
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    budget -= entries.length + 1;
    for (const entry of entries) {
      const path = join(directory, entry.name);
      if (entry.isFile() && entry.name.toLowerCase() === wanted.toLowerCase()) found.push(path);
      if (entry.isDirectory() && !skipped.has(entry.name)) queue.push(path);
    }
    if (found.length >= maxNames) break;
  }
  return found.slice(0, maxNames);
}
