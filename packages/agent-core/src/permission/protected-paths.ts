import path from 'node:path';
import { isWithin } from '../file/is-within.ts';
import type { Workspace } from '../tool/tool.ts';

/** Directories whose content decides what programs run: version control, agents, editors, keys. */
const protectedDirectories = [
  '.agents',
  '.aws',
  '.claude',
  '.codex',
  '.continue',
  '.cursor',
  '.devcontainer',
  '.eidolon',
  '.gemini',
  '.git',
  '.gnupg',
  '.hg',
  '.husky',
  '.idea',
  '.jj',
  '.opencode',
  '.pi',
  '.rab',
  '.robota',
  '.ssh',
  '.vscode',
  '.windsurf',
  '.zed',
];

/** Files that are run or obeyed without anyone opening them, wherever they lie. */
const protectedFiles = [
  '.aider.conf.yml',
  '.bash_aliases',
  '.bash_login',
  '.bash_logout',
  '.bash_profile',
  '.bashrc',
  '.cshrc',
  '.cursorrules',
  '.dir-locals.el',
  '.emacs',
  '.envrc',
  '.exrc',
  '.gdbinit',
  '.gitattributes',
  '.gitconfig',
  '.gitmodules',
  '.inputrc',
  '.kshrc',
  '.mcp.json',
  '.mise.toml',
  '.netrc',
  '.npmrc',
  '.nvim.lua',
  '.pnpmfile.cjs',
  '.pre-commit-config.yaml',
  '.profile',
  '.pypirc',
  '.ripgreprc',
  '.tmux.conf',
  '.vimrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.zlogin',
  '.zlogout',
  '.zprofile',
  '.zshenv',
  '.zshrc',
];

/** Endings of files that an editor obeys when it opens them. */
const protectedEndings = ['.code-workspace'];

/** Directories that are protected only inside another one. */
const protectedPairs = ['.github/workflows'];

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
  const names = own.map(stem);
  const found = names.find(
    (name) => protectedNames.has(name) || protectedEndings.some((ending) => name.endsWith(ending)),
  );
  if (found !== undefined) return found;
  const pair = protectedPairs.find((one) => `/${names.join('/')}/`.includes(`/${one}/`));
  if (pair !== undefined) return pair;
  const configuration = path.posix.join(workspace.home, '.config').toLowerCase().split('/');
  if (!configuration.every((segment, index) => segments[index] === segment)) return undefined;
  const area = segments[configuration.length];
  return area !== undefined && protectedConfiguration.includes(area) ? area : undefined;
}

/** Whether a rule names the protected part itself, so that its author had it in mind. */
export function namesProtectedPart(specifier: string, part: string): boolean {
  const named = `/${specifier.toLowerCase()}/`;
  // `*.code-workspace` has all such files in mind.
  return (
    named.includes(`/${part}/`) ||
    protectedEndings.some((ending) => part.endsWith(ending) && named.endsWith(`${ending}/`))
  );
}

function stem(segment: string): string {
  // Windows opens `.git.`, `.git ` and `.git::$DATA` as `.git`.
  return segment.replace(/(?:[. ]+|::?\$.*)$/, '');
}
