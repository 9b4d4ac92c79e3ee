import { basename } from 'node:path';
import type { Git } from '../git/git.ts';
import { hashOfTexts } from '../tree/workspace-paths.ts';

/** Keys of the cache of set-ups. */
export interface SetUpKeys {
  /** The same for all commits with these lock files; for set-ups that make dependencies only. */
  readonly locks: string;
  /** Only for exactly these files; for set-ups that also build something from them. */
  readonly tree: string;
}

/** Files that decide which dependencies a set-up installs, and how: lock files, manifests with scripts, versions. */
const decisiveNames = new Set(
  (
    '.bun-version .node-version .npmrc .nvmrc .pnpmfile.cjs .python-version .ruby-version ' +
    '.tool-versions .yarnrc .yarnrc.yml Cargo.lock Cargo.toml Gemfile Gemfile.lock Pipfile Pipfile.lock ' +
    'bun.lock bun.lockb composer.json composer.lock deno.json deno.lock go.mod go.sum mix.exs mix.lock ' +
    'npm-shrinkwrap.json package-lock.json package.json pdm.lock pnpm-lock.yaml pnpm-workspace.yaml ' +
    'poetry.lock pubspec.lock pubspec.yaml pyproject.toml rust-toolchain rust-toolchain.toml setup.cfg ' +
    'setup.py uv.lock yarn.lock'
  ).split(' '),
);

function isDecisive(path: string): boolean {
  const name = basename(path);
  return (
    decisiveNames.has(name) ||
    (name.startsWith('requirements') && name.endsWith('.txt')) ||
    /(?:^|\/)patches\//.test(path)
  );
}

/** Makes the keys from the files in the index, the command with the scripts that it names, and this machine. */
export async function setUpKeys(git: Git, command: string, tree: string): Promise<SetUpKeys> {
  const named = new Set(command.split(/[\s;&|()'"]+/).map((word) => word.replace(/^\.\//, '')));
  const staged = await git.fields(['ls-files', '--stage', '-z']);
  const decisive = staged.filter((line) => {
    const path = line.slice(line.indexOf('\t') + 1);
    return isDecisive(path) || named.has(path);
  });
  const machine = [process.platform, process.arch, process.version, process.env['PATH'] ?? ''];
  return {
    locks: hashOfTexts('locks', command, ...machine, ...decisive),
    tree: hashOfTexts('tree', command, ...machine, tree),
  };
}

/** Directories that hold installed dependencies and nothing that is built from the project's own files. */
const dependencyDirectories = new Set([
  '.bundle',
  '.pnpm-store',
  '.yarn',
  'Pods',
  'deps',
  'node_modules',
  'vendor',
]);

/** True if a path that a set-up made depends on the lock files alone. */
export function isDependency(path: string): boolean {
  return path.split('/').some((part) => dependencyDirectories.has(part));
}
