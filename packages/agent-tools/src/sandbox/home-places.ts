import { realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { isWithin, orElse } from '@robota-sdk/agent-core';
import paths from './home-paths.json' with { type: 'json' };
import { entriesOf } from './workspace-tree.ts';

/** Directories of the system: a home that holds one of them cannot be hidden. */
const systemPlaces = '/usr /bin /sbin /lib /etc /opt /nix /var /dev /proc /run'.split(' ');

/** True if a home directory can be hidden completely; one like `/` contains the system itself. */
export function isHideable(home: string): boolean {
  return !systemPlaces.some((place) => isWithin(home, place));
}

/** Usual paths of keys, tokens, logins, histories and sockets, for homes that are not hidden completely. */
export function hiddenPlaces(home: string): string[] {
  return paths.hidden.map((name) => join(home, name));
}

/** Paths below a home directory that commands may read although the rest is hidden. */
export function shownInHome(home: string, path: string): string[] {
  // Builds and tests read programs, packages and caches, which contain no logins.
  const known = Object.values(paths.readable)
    .flat()
    .map((name) => join(home, name));
  const programs = path
    .split(delimiter)
    .filter((directory) => isAbsolute(directory) && isWithin(home, directory) && directory !== home)
    .flatMap((directory) => [...installedWith(directory, home), ...linkedFrom(directory, home)]);
  return [...new Set([...known, ...programs])];
}

/** Folders next to programs in an installation directory, such as `~/tools/node-20` with its `bin`. */
const installedParts = ['bin', 'include', 'lib', 'lib64', 'libexec', 'share'];

function installedWith(directory: string, home: string): string[] {
  const prefix = dirname(directory);
  const isShared = prefix === home || prefix === join(home, '.local');
  if (basename(directory) !== 'bin' || isShared) return [directory];
  return installedParts.map((part) => join(prefix, part));
}

const mostLinks = 200;

/** Programs that are links into another directory of the home, as pipx and uv install them. */
function linkedFrom(directory: string, home: string): string[] {
  return entriesOf(directory)
    .filter((entry) => entry.isSymbolicLink())
    .slice(0, mostLinks)
    .flatMap(({ name }) => {
      const target = programAt(join(directory, name));
      if (target === undefined || !isWithin(home, target)) return [];
      const parts = installedWith(dirname(target), home);
      // A program directly in another directory is shown alone.
      return parts.length > 1 ? parts : [target];
    });
}

function programAt(path: string): string | undefined {
  return orElse(() => (statSync(path).isFile() ? realpathSync(path) : undefined), undefined);
}

/** Plain files at the top of the home directory, readable if it is the workspace. */
export function plainFilesIn(home: string): string[] {
  return entriesOf(home)
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => home + sep + entry.name);
}
