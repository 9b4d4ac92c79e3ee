import path from 'node:path';
import type { PolicyFiles, Workspace } from '@robota-sdk/agent-shell';
import { globsOverlap, isWithin, openGlob } from '@robota-sdk/agent-shell';
import lists from './protected-paths.json' with { type: 'json' };

/**
 * Protected names, all in lower case. `directories` decide which programs run: version control, agents, editors, keys.
 * `files` are run or read automatically. `pairs` are protected only inside another directory. Editors read files with
 * one of the `endings`. Git reads the names of `repository` in a directory with a `HEAD`; those of `configuration`
 * apply below `~/.config`.
 */
const { directories, files: fileNames, pairs, endings, repository, configuration } = lists;

/** Names of files and directories, in lower case, that are protected everywhere. */
export const protectedNames: ReadonlySet<string> = new Set([...directories, ...fileNames]);

/** The part of a path that makes it protected, whether the file exists or not; case is ignored. */
export function protectedPart(
  file: string,
  { workspace, files }: { readonly workspace: Workspace; readonly files?: PolicyFiles },
): string | undefined {
  // A workspace inside such a directory, such as a worktree, is not protected as a whole.
  const root = [workspace.cwd, ...workspace.additional].find((directory) => isWithin(directory, file));
  const segments = file.toLowerCase().split('/');
  const own = root === undefined ? segments : file.slice(root.length).toLowerCase().split('/');
  const names = own.map(stem);
  const found = names.find(
    (name) => protectedNames.has(name) || endings.some((ending) => name.endsWith(ending)),
  );
  if (found !== undefined) return found;
  const pair = pairs.find((one) => `/${names.join('/')}/`.includes(`/${one}/`));
  if (pair !== undefined) return pair;
  const part = repositoryPart(file, { root: root ?? '/', files });
  if (part !== undefined) return part;
  const home = path.posix.join(workspace.home, '.config').toLowerCase().split('/');
  if (!home.every((segment, index) => segments[index] === segment)) return undefined;
  const area = segments[home.length];
  return area !== undefined && configuration.includes(area) ? area : undefined;
}

/**
 * The protected part that a glob may match. A glob that starts with a wildcard skips names with a dot and is too vague
 * for others: its matches are checked one by one.
 */
export function protectedByGlob(file: string, workspace: Workspace): string | undefined {
  const root = [workspace.cwd, ...workspace.additional].find((directory) => isWithin(directory, file));
  const names = file
    .slice(root?.length ?? 0)
    .toLowerCase()
    .split('/');
  const isGlob = (name: string) => /[*?[]/.test(name);
  const may = (name: string, wanted: string) =>
    name === wanted ||
    (isGlob(name) &&
      !(wanted.startsWith('.') && /^[*?[]/.test(name)) &&
      globsOverlap(openGlob(name), wanted));
  for (const name of names) {
    if (!isGlob(name) || /^[*?[]/.test(name)) continue;
    const found = [...protectedNames].find((wanted) => may(name, wanted));
    if (found !== undefined) return found;
  }
  return pairs.find((pair) => {
    const [outer = '', inner = ''] = pair.split('/');
    return names.some((name, index) => may(name, outer) && may(names[index + 1] ?? '', inner));
  });
}

/** True if a rule names the protected part itself, so that its author meant it. */
export function namesProtectedPart(specifier: string, part: string): boolean {
  const named = `/${specifier.toLowerCase()}/`;
  // `*.code-workspace` names all such files.
  return (
    named.includes(`/${part}/`) ||
    endings.some((ending) => part.endsWith(ending) && named.endsWith(`${ending}/`))
  );
}

/** The part that makes a directory a bare repository, or belongs to one. */
function repositoryPart(
  file: string,
  { root, files }: { readonly root: string; readonly files: PolicyFiles | undefined },
): string | undefined {
  const name = stem(path.posix.basename(file));
  if (name.toLowerCase() === 'head') return 'head';
  if (files === undefined) return undefined;
  let inner = file;
  while (isWithin(root, inner) && inner !== root) {
    const part = stem(path.posix.basename(inner)).toLowerCase();
    inner = path.posix.dirname(inner);
    if (repository.includes(part) && files.look(path.posix.join(inner, 'HEAD')) !== undefined) return part;
  }
  return undefined;
}

function stem(segment: string): string {
  // Windows opens `.git.`, `.git ` and `.git::$DATA` as `.git`.
  return segment.replace(/(?<![. ])[. ]+$|::?\$.*$/s, '');
}
