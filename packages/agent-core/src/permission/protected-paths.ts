import path from 'node:path';
import { isWithin } from '../file/is-within.ts';
import type { Workspace } from '../tool/tool.ts';

/** Directories whose content decides what programs run: version control, agents, editors, keys. */
const protectedDirectories = [
  '.agents',
  '.aws',
  '.claude',
  '.cursor',
  '.devcontainer',
  '.eidolon',
  '.git',
  '.gnupg',
  '.husky',
  '.idea',
  '.pi',
  '.rab',
  '.robota',
  '.ssh',
  '.vscode',
  '.zed',
];

/** Files that are run or obeyed without anyone opening them, wherever they lie. */
const protectedFiles = [
  '.bash_aliases',
  '.bash_login',
  '.bash_logout',
  '.bash_profile',
  '.bashrc',
  '.envrc',
  '.gitconfig',
  '.gitmodules',
  '.mcp.json',
  '.netrc',
  '.npmrc',
  '.pnpmfile.cjs',
  '.profile',
  '.pypirc',
  '.ripgreprc',
  '.yarnrc',
  '.yarnrc.yml',
  '.zlogin',
  '.zlogout',
  '.zprofile',
  '.zshenv',
  '.zshrc',
];

/** The same, but only below the home directory's `.config`. */
const protectedConfiguration = ['autostart', 'fish', 'git', 'systemd'];

/** Names of files and directories, in lower case, that are protected wherever they lie. */
export const protectedNames: ReadonlySet<string> = new Set([...protectedDirectories, ...protectedFiles]);

/** The part of a path that makes it protected, whether the file exists or not; compared without letter case. */
export function protectedPart(file: string, workspace: Workspace): string | undefined {
  // A workspace that itself lies below such a directory, as a worktree may, is not protected as a whole.
  const root = [workspace.cwd, ...workspace.additional].find((directory) => isWithin(directory, file));
  const segments = file.toLowerCase().split('/');
  const own = root === undefined ? segments : file.slice(root.length).toLowerCase().split('/');
  const found = own.find((segment) => protectedNames.has(stem(segment)));
  if (found !== undefined) return stem(found);
  const configuration = path.posix.join(workspace.home, '.config').toLowerCase().split('/');
  if (!configuration.every((segment, index) => segments[index] === segment)) return undefined;
  const area = segments[configuration.length];
  return area !== undefined && protectedConfiguration.includes(area) ? area : undefined;
}

/** Whether a rule names the protected part itself, so that its author had it in mind. */
export function namesProtectedPart(specifier: string, part: string): boolean {
  return specifier.toLowerCase().split('/').includes(part);
}

function stem(segment: string): string {
  // Windows opens `.git.`, `.git ` and `.git::$DATA` as `.git`.
  return segment.replace(/(?:[. ]+|::?\$.*)$/, '');
}
