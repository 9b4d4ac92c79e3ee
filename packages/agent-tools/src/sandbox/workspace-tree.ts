import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin, orElse, protectedNames, realPathOf } from '@robota-sdk/agent-core';

/** The contents of a writable directory that matter to the sandbox. */
export interface WorkspaceTree {
  /** Protected files and directories near its top. */
  readonly protected: readonly string[];
  /** Everything named `.git`: a repository, or a pointer to one. */
  readonly dotGits: readonly string[];
  /** The `HEAD` of directories that git treats as bare repositories. */
  readonly bareHeads: readonly string[];
  /** Sockets; a program outside the sandbox may listen on them. */
  readonly sockets: readonly string[];
}

const deepestProtected = 3;
// Limit, because each costs a mount and each mount takes time.
const mostProtected = 40;
// Limit that keeps commands fast; upper levels come first.
const mostDirectories = 4_000;
const skipped: ReadonlySet<string> = new Set(['node_modules', 'dist', 'target', '.venv']);

/** Searches a directory level by level, within limits. */
export function inspectTree(root: string): WorkspaceTree {
  const found = { protected: [] as string[], dotGits: [] as string[] };
  const rest = { bareHeads: [] as string[], sockets: [] as string[] };
  let level = [root];
  for (let depth = 0, visited = 0; level.length > 0 && visited < mostDirectories; depth += 1) {
    const directories = level.slice(0, mostDirectories - visited);
    visited += directories.length;
    level = [];
    for (const directory of directories) {
      const entries = entriesOf(directory);
      if (isRepository(entries)) rest.bareHeads.push(join(directory, 'HEAD'));
      for (const entry of entries) {
        const path = join(directory, entry.name);
        const name = entry.name.toLowerCase();
        if (name === '.git') found.dotGits.push(path);
        else if (depth < deepestProtected && protectedNames.has(name)) found.protected.push(realPathOf(path));
        else if (entry.isDirectory() && !skipped.has(entry.name)) level.push(path);
        else if (entry.isSocket()) rest.sockets.push(path);
      }
    }
  }
  // A link may lead out of the tree, where nothing is writable anyway.
  const inside = found.protected.filter((path) => isWithin(root, path) && path !== root);
  return { ...rest, dotGits: found.dotGits, protected: inside.slice(0, mostProtected) };
}

/** Git needs only these to treat a directory as a repository and use its `config`. */
function isRepository(entries: readonly Dirent[]): boolean {
  const names = new Set(entries.map(({ name }) => name.toLowerCase()));
  return names.has('head') && (names.has('commondir') || (names.has('objects') && names.has('refs')));
}

/** The entries of a directory; none if it cannot be read. */
export function entriesOf(directory: string): Dirent[] {
  return orElse(() => readdirSync(directory, { withFileTypes: true }), []);
}
