import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { isWithin, orElse } from '@robota-sdk/agent-core';

/** Homes below which nothing else of the system lies; tried in this order. */
const systemPlaces = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/etc',
  '/opt',
  '/nix',
  '/var',
  '/dev',
  '/proc',
  '/run',
];

/** True if a home directory can be hidden as a whole; one like `/` holds the system itself. */
export function isHideable(home: string): boolean {
  return !systemPlaces.some((place) => isWithin(home, place));
}

/**
 * Paths below the home directory that builds and tests read: programs, packages and caches, without logins.
 */
const toolPlaces = [
  // JavaScript
  '.npm/_cacache',
  '.npm/_npx',
  '.nvm',
  '.fnm',
  '.local/share/fnm',
  '.volta',
  '.nodenv',
  '.node-gyp',
  '.cache/node',
  '.cache/node-gyp',
  '.cache/electron',
  '.cache/ms-playwright',
  '.cache/puppeteer',
  '.cache/Cypress',
  '.pnpm-store',
  '.local/share/pnpm',
  '.cache/pnpm',
  '.yarn',
  '.cache/yarn',
  '.bun/bin',
  '.bun/install',
  '.deno',
  '.cache/deno',
  // Rust
  '.cargo/bin',
  '.cargo/env',
  '.cargo/git',
  '.cargo/registry',
  '.rustup',
  '.cache/sccache',
  // Go
  'go/bin',
  'go/pkg',
  '.cache/go-build',
  '.cache/golangci-lint',
  // Python
  '.pyenv',
  '.rye',
  '.virtualenvs',
  '.local/lib',
  '.local/pipx',
  '.local/share/pipx',
  '.local/share/pypoetry',
  '.local/share/uv',
  '.local/share/virtualenvs',
  '.cache/pip',
  '.cache/pre-commit',
  '.cache/pypoetry',
  '.cache/uv',
  '.conda/envs',
  '.conda/pkgs',
  // Java, Kotlin, Scala
  '.sdkman/candidates',
  '.jenv',
  '.m2/repository',
  '.m2/wrapper',
  '.gradle/caches',
  '.gradle/jdks',
  '.gradle/wrapper',
  '.ivy2/cache',
  '.sbt/boot',
  '.konan',
  '.cache/coursier',
  // Ruby, PHP, .NET
  '.rbenv',
  '.rvm',
  '.gem/ruby',
  '.local/share/gem',
  '.cache/composer',
  '.composer/cache',
  '.composer/vendor',
  '.config/composer/vendor',
  '.dotnet',
  '.nuget/packages',
  // Others
  '.asdf',
  '.tool-versions',
  '.local/share/mise',
  '.proto/bin',
  '.proto/shims',
  '.proto/tools',
  '.nix-profile',
  '.local/state/nix',
  '.ghcup',
  '.cabal/bin',
  '.cabal/packages',
  '.cabal/store',
  '.stack/programs',
  '.stack/snapshots',
  '.opam',
  '.elan',
  '.juliaup',
  '.julia/artifacts',
  '.julia/compiled',
  '.julia/packages',
  '.pub-cache/bin',
  '.pub-cache/git',
  '.pub-cache/hosted',
  '.hex/packages',
  '.mix/archives',
  '.mix/elixir',
  '.ccache',
  '.cache/bazel',
  '.cache/bazelisk',
  '.cache/ccache',
  '.cache/huggingface/hub',
  '.cache/torch',
  '.cache/zig',
  '.linuxbrew',
  'perl5',
  // Ignore and attribute rules of git; its configuration is shown without logins.
  '.config/git/attributes',
  '.config/git/ignore',
  '.gitattributes',
  '.gitignore',
  '.gitignore_global',
];

/** The directories and files below a home directory that commands may read although the rest is hidden. */
export function shownInHome(home: string, path: string): string[] {
  const known = toolPlaces.map((name) => join(home, name));
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

/** Programs that are links into another directory of the home, where installers such as pipx and uv keep them. */
function linkedFrom(directory: string, home: string): string[] {
  return entriesOf(directory)
    .filter((entry) => entry.isSymbolicLink())
    .slice(0, mostLinks)
    .flatMap(({ name }) => {
      const target = programAt(join(directory, name));
      if (target === undefined || !isWithin(home, target)) return [];
      const parts = installedWith(dirname(target), home);
      // A program that lies at the top of something else is shown alone.
      return parts.length > 1 ? parts : [target];
    });
}

function programAt(path: string): string | undefined {
  return orElse(() => (statSync(path).isFile() ? realpathSync(path) : undefined), undefined);
}

/** Readable files at the top of the home directory when that is the workspace: its plain files. */
export function plainFilesIn(home: string): string[] {
  return entriesOf(home)
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => home + sep + entry.name);
}

function entriesOf(directory: string) {
  return orElse(() => readdirSync(directory, { withFileTypes: true }), []);
}
