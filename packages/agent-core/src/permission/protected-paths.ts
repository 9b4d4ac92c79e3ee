import path from 'node:path';
import type { PolicyFiles, Workspace } from '@robota-sdk/agent-shell';
import { globsOverlap, isWithin, openGlob } from '@robota-sdk/agent-shell';

/** Directories whose content decides what programs run: version control, agents, editors, keys. */
const protectedDirectories = [
  '.agents',
  '.aws',
  '.buildkite',
  '.circleci',
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
  '.mise',
  '.mvn',
  '.opencode',
  '.pi',
  '.rab',
  '.robota',
  '.ssh',
  '.vscode',
  '.windsurf',
  '.woodpecker',
  '.zed',
];

/** Files that programs run or obey without being asked, in any directory. */
const protectedFiles = [
  '.agentignore',
  '.aider.conf.yml',
  '.aiexclude',
  '.aiignore',
  '.bash_aliases',
  '.bash_login',
  '.bash_logout',
  '.bash_profile',
  '.bashrc',
  '.bazelrc',
  '.codexignore',
  '.cshrc',
  '.curlrc',
  '.cursorignore',
  '.cursorrules',
  '.dir-locals.el',
  '.drone.yml',
  '.emacs',
  '.envrc',
  '.exrc',
  '.gdbearlyinit',
  '.gdbinit',
  '.geminiignore',
  '.gitattributes',
  '.gitconfig',
  '.gitlab-ci.yml',
  '.gitmodules',
  '.inputrc',
  '.irbrc',
  '.kshrc',
  '.lefthook.yaml',
  '.lefthook.yml',
  '.lldbinit',
  '.lvimrc',
  '.mcp.json',
  '.mise.local.toml',
  '.mise.toml',
  '.netrc',
  '.npmrc',
  '.nvim.lua',
  '.nvimrc',
  '.overcommit.yml',
  '.pnp.cjs',
  '.pnp.loader.mjs',
  '.pnpmfile.cjs',
  '.pre-commit-config.yaml',
  '.profile',
  '.pryrc',
  '.psqlrc',
  '.pypirc',
  '.ripgreprc',
  '.rprofile',
  '.rtx.toml',
  '.simple-git-hooks.json',
  '.sqliterc',
  '.tmux.conf',
  '.tool-versions',
  '.travis.yml',
  '.vimrc',
  '.wgetrc',
  '.woodpecker.yml',
  '.yarnrc',
  '.yarnrc.yml',
  '.zlogin',
  '.zlogout',
  '.zprofile',
  '.zshenv',
  '.zshrc',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
  'bunfig.toml',
  'jenkinsfile',
  'lefthook-local.yaml',
  'lefthook-local.yml',
  'lefthook.json',
  'lefthook.toml',
  'lefthook.yaml',
  'lefthook.yml',
  'mise.local.toml',
  'mise.toml',
  'sitecustomize.py',
  'usercustomize.py',
];

/** Endings of files that an editor obeys when it opens them. */
const protectedEndings = ['.code-workspace'];

/** Names that are protected only inside another directory. */
const protectedPairs = [
  '.cargo/config',
  '.cargo/config.toml',
  '.config/mise',
  '.forgejo/workflows',
  '.gitea/workflows',
  '.github/actions',
  '.github/workflows',
  '.yarn/plugins',
  '.yarn/releases',
  'node_modules/.bin',
];

/** Names that git obeys in a directory that it takes for a repository by its `HEAD`. */
const repositoryNames: ReadonlySet<string> = new Set([
  'commondir',
  'config',
  'config.worktree',
  'hooks',
  'objects',
  'refs',
]);

/** The same, but only below the home directory's `.config`. */
const protectedConfiguration = ['autostart', 'fish', 'git', 'robota', 'systemd'];

/** Names of files and directories, in lower case, that are protected wherever they lie. */
export const protectedNames: ReadonlySet<string> = new Set([...protectedDirectories, ...protectedFiles]);

/** The part of a path that makes it protected, whether the file exists or not; compared without letter case. */
export function protectedPart(
  file: string,
  { workspace, files }: { readonly workspace: Workspace; readonly files?: PolicyFiles },
): string | undefined {
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
  const part = repositoryPart(file, { root: root ?? '/', files });
  if (part !== undefined) return part;
  const configuration = path.posix.join(workspace.home, '.config').toLowerCase().split('/');
  if (!configuration.every((segment, index) => segments[index] === segment)) return undefined;
  const area = segments[configuration.length];
  return area !== undefined && protectedConfiguration.includes(area) ? area : undefined;
}

/**
 * The protected part that a glob may stand for. One that begins with a wildcard leaves out names that begin with a dot,
 * and says too little about the others: what it matches is looked at by itself.
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
  return protectedPairs.find((pair) => {
    const [outer = '', inner = ''] = pair.split('/');
    return names.some((name, index) => may(name, outer) && may(names[index + 1] ?? '', inner));
  });
}

/** True if a rule names the protected part itself, so that its author had it in mind. */
export function namesProtectedPart(specifier: string, part: string): boolean {
  const named = `/${specifier.toLowerCase()}/`;
  // `*.code-workspace` has all such files in mind.
  return (
    named.includes(`/${part}/`) ||
    protectedEndings.some((ending) => part.endsWith(ending) && named.endsWith(`${ending}/`))
  );
}

/** The part that makes, or belongs to, a repository that consists of ordinary files. */
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
    if (repositoryNames.has(part) && files.look(path.posix.join(inner, 'HEAD')) !== undefined) return part;
  }
  return undefined;
}

function stem(segment: string): string {
  // Windows opens `.git.`, `.git ` and `.git::$DATA` as `.git`.
  return segment.replace(/(?<![. ])[. ]+$|::?\$.*$/s, '');
}
