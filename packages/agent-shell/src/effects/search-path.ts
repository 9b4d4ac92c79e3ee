import path from 'node:path';
import { isInWorkspace } from '../path/is-within.ts';
import type { ShellScope } from '../path/shell-scope.ts';
import { wordList } from '../read-only/read-only-spec.ts';
import { literalOf } from '../word/shell-word.ts';
import type { PlacedCommand } from './place-commands.ts';

/** Bash builtins, for which the search path does not matter. */
const builtIns: ReadonlySet<string> = new Set(wordList(': [ cd echo false printf pwd test true type'));

/** Files by which a project selects programs behind the shims of asdf, mise and similar tools. */
const versionFiles = wordList(
  '.tool-versions .mise.toml mise.toml .mise.local.toml mise.local.toml .rtx.toml .mise .config/mise',
);

/**
 * Why a read-only command may run another program than its name says: the search path has an entry inside the
 * workspace, or the name belongs to a version manager that a workspace file controls.
 */
export function otherProgram(policy: ShellScope, placed: PlacedCommand): string | undefined {
  const { files, workspace } = policy;
  const [first] = placed.command.words;
  const name = first === undefined ? undefined : literalOf(first);
  if (files === undefined || name === undefined || builtIns.has(name)) return undefined;
  const entries = files.searchPath.split(':');
  const isOwn = (entry: string) => !entry.startsWith('/') || isInWorkspace(files.realPath(entry), workspace);
  if (!entries.some((entry) => isOwn(entry) || isShim(entry))) return undefined;
  for (const directory of placed.directories) {
    const entry = entries.find((one) => files.look(path.posix.resolve(directory, one, name)) !== undefined);
    if (entry === undefined) continue;
    if (isOwn(entry)) return `${name} is the workspace's own program in ${entry || '.'}`;
    const chooser = isShim(entry) ? versionFile(policy, directory) : undefined;
    if (chooser !== undefined) return `${chooser} says which program ${name} is`;
  }
  return undefined;
}

function isShim(entry: string): boolean {
  return /\/(?:shims|\.?proto\/bin)\/?$/.test(entry);
}

function versionFile({ files, workspace }: ShellScope, directory: string): string | undefined {
  for (let current = directory; isInWorkspace(current, workspace); current = path.posix.dirname(current)) {
    const found = versionFiles
      .map((name) => path.posix.join(current, name))
      .find((file) => files?.look(file) !== undefined);
    if (found !== undefined || current === '/') return found;
  }
  return undefined;
}
