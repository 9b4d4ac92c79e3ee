import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { object, orElse, parseJson, readRegularFileSync, text } from '@robota-sdk/agent-core';

/** Endings that interpreters and shells try behind a name. */
const endings = [
  ...['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.jsx', '.tsx', '.json', '.node'],
  ...['.py', '.sh', '.bash', '.zsh', '.rb', '.pl', '.php', '.lua', '.mk', '.cmd', '.bat', '.ps1', '.exe'],
];

/** Files that run when a directory is named. */
const entries = [
  ...['index', 'main'].flatMap((name) =>
    ['.js', '.mjs', '.cjs', '.ts', '.json', '.node'].map((end) => name + end),
  ),
  ...['package.json', '__init__.py', '__main__.py', 'main.go', 'Cargo.toml', 'deno.json', 'deno.jsonc'],
];

/** The files that may run where a command names a path: itself, with an ending, or what starts in the directory. */
export function programFiles(path: string): string[] {
  const found = kindOf(path);
  if (found === 'file') return [path];
  const behind = endings.map((ending) => path + ending).filter((file) => kindOf(file) === 'file');
  if (found !== 'directory') return behind;
  const inside = entries.map((name) => join(path, name)).filter((file) => kindOf(file) === 'file');
  return [...behind, ...inside, ...mainOf(path)];
}

function mainOf(directory: string): string[] {
  const manifest = orElse(() => readRegularFileSync(join(directory, 'package.json')).toString(), '');
  const { main } = mainShape.parse(parseJson(manifest)) ?? {};
  if (main === undefined || main.includes('\0')) return [];
  const path = join(directory, main);
  // One step only: the main file of a main directory is its index.
  return kindOf(path) === 'directory'
    ? entries.map((name) => join(path, name)).filter((file) => kindOf(file) === 'file')
    : programFiles(path);
}

const mainShape = object({ main: text });

/** The files of a dotted module name, with those of the packages around it, which run first. */
export function moduleFiles(name: string, base: string): string[] {
  if (!/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(name)) return [];
  const parts = name.split('.');
  const packages = parts.map((_, index) => join(base, ...parts.slice(0, index), '__init__.py'));
  return [...packages.filter((file) => kindOf(file) === 'file'), ...programFiles(join(base, ...parts))];
}

/** Files in which programs look up what to run, by the name of the program. */
const recipes: readonly (readonly [program: RegExp, files: readonly string[]])[] = [
  [/^(?:g|b|n)?make$|^remake$/, ['GNUmakefile', 'makefile', 'Makefile', 'BSDmakefile']],
  [
    /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx|node|turbo|nx|lerna)$/,
    [
      'package.json',
      '.npmrc',
      '.yarnrc.yml',
      '.pnp.cjs',
      'turbo.json',
      'nx.json',
      'lerna.json',
      'bunfig.toml',
      'pnpm-workspace.yaml',
    ],
  ],
  [
    /^(?:vitest|vite|jest|mocha|eslint|prettier|tsc|tsx|ts-node|webpack|rollup|playwright|cypress|biome)$/,
    [
      'package.json',
      'vitest.config.ts',
      'vite.config.ts',
      'vite.config.js',
      'jest.config.js',
      'jest.config.ts',
      '.mocharc.json',
      '.mocharc.js',
      'eslint.config.js',
      'eslint.config.mjs',
      '.eslintrc.js',
      '.eslintrc.cjs',
      '.eslintrc.json',
      'prettier.config.js',
      '.prettierrc.js',
      'tsconfig.json',
      'webpack.config.js',
      'rollup.config.js',
      'playwright.config.ts',
      'cypress.config.ts',
    ],
  ],
  [/^deno$/, ['deno.json', 'deno.jsonc', 'package.json']],
  [/^just$/, ['justfile', 'Justfile', '.justfile']],
  [/^(?:go-)?task$/, ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml']],
  [/^(?:rake|bundle|rails|rspec|thor)$/, ['Rakefile', 'rakefile', 'Gemfile', '.rspec', 'Thorfile']],
  [/^(?:cargo)$/, ['Cargo.toml', 'build.rs', '.cargo/config.toml', 'rust-toolchain.toml']],
  [/^go$/, ['go.mod', 'main.go', 'magefile.go']],
  [/^(?:mvn|mvnw)$/, ['pom.xml', '.mvn/maven.config', '.mvn/jvm.config', '.mvn/extensions.xml', 'mvnw']],
  [
    /^(?:gradle|gradlew)$/,
    [
      'build.gradle',
      'build.gradle.kts',
      'settings.gradle',
      'settings.gradle.kts',
      'gradle.properties',
      'gradlew',
    ],
  ],
  [/^(?:ant)$/, ['build.xml']],
  [/^(?:composer)$/, ['composer.json']],
  [
    /^(?:pytest|py\.test|tox|nox|poetry|pdm|hatch|uv|uvx|invoke|python[\d.]*|pip[\d.]*|pre-commit|ruff|mypy)$/,
    [
      'pyproject.toml',
      'setup.py',
      'setup.cfg',
      'tox.ini',
      'noxfile.py',
      'conftest.py',
      'pytest.ini',
      'tasks.py',
      '.pre-commit-config.yaml',
      'sitecustomize.py',
      'usercustomize.py',
    ],
  ],
  [
    /^(?:docker|docker-compose|podman|podman-compose)$/,
    ['Dockerfile', 'docker-compose.yml', 'docker-compose.yaml', 'compose.yml', 'compose.yaml'],
  ],
  [
    /^(?:lefthook|husky|mise|direnv|bazel|bazelisk|meson|ninja|cmake|ctest|scons|buck2?)$/,
    [
      'lefthook.yml',
      'mise.toml',
      '.mise.toml',
      '.envrc',
      '.bazelrc',
      'BUILD',
      'BUILD.bazel',
      'WORKSPACE',
      'MODULE.bazel',
      'meson.build',
      'build.ninja',
      'CMakeLists.txt',
      'SConstruct',
    ],
  ],
];

/** The files in which a program looks up what to run. */
export function recipeFiles(program: string, base: string): string[] {
  const name = programName(program);
  return recipes
    .filter(([pattern]) => pattern.test(name))
    .flatMap(([, files]) => files.map((file) => join(base, file)))
    .filter((file) => kindOf(file) === 'file');
}

/** Programs that start one which packages installed, by its name. */
const runners = /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx|turbo|nx|lerna)$/;

/** True if a line has a program that starts others by the name under which packages installed them. */
export function hasPackageRunner(words: Iterable<string>): boolean {
  return [...words].some((word) => runners.test(programName(word)));
}

/** The installed program of a name, in the directory and those around it. */
export function installedFiles(name: string, base: string): string[] {
  // `npx vitest@3` and `@scope/tool` name packages; their programs mostly bear the last part.
  const plain = /^(?:@[\w.-]+\/)?([\w.-]+?)(?:@[^/]*)?$/.exec(name)?.[1];
  if (plain === undefined) return [];
  const found: string[] = [];
  for (let directory = base; ; directory = dirname(directory)) {
    found.push(...programFiles(join(directory, 'node_modules', '.bin', plain)));
    if (dirname(directory) === directory) return found;
  }
}

/** Programs that run what others list for them. */
const listRunners = /^(?:xargs|parallel|entr|watchexec|fd|fdfind)$/;

/** True if a word makes the rest of a line run files that only running it tells. */
export function runsListed(word: string): boolean {
  return listRunners.test(programName(word)) || /^-(?:exec|execdir|ok|okdir)$/.test(word);
}

function programName(word: string): string {
  return basename(word).replace(/\.(?:exe|cmd|bat)$/i, '');
}

function kindOf(path: string): 'file' | 'directory' | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? 'file' : stat?.isDirectory() ? 'directory' : undefined;
  } catch {
    return undefined;
  }
}
