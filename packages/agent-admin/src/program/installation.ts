import { existsSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import path, { type posix } from 'node:path';
import { object, orElse, parseJson, text } from '@robota-sdk/agent-core';

/** The name of the package that brings the command. */
export const programPackage = '@robota-sdk/agent-cli';

/** How the program came onto this machine, and where it is. */
export interface Installation {
  /**
   * `npm` is a global installation; `executable` the single file; `clone` a checkout of the source; `npx` a run from npm's
   * cache; `project` a dependency of a project; `manager` belongs to another package manager.
   */
  readonly kind: 'npm' | 'executable' | 'clone' | 'npx' | 'project' | 'manager' | 'unknown';
  /** The folder of the package, the executable, or the folder of the clone or project. */
  readonly path: string;
  /** The package manager, in words. */
  readonly manager?: string;
  /** Words that install a version from the registry, up to the package; absent if only the user can update. */
  readonly install?: readonly string[];
  /** Words that download it first, for a manager that removes one version before it has the next. */
  readonly download?: readonly string[];
  /** Command lines for what Robota does not do itself. */
  readonly updateWith?: string;
  readonly removeWith?: string;
}

/** The running program, and the file system it is looked up in. */
export interface RunningProgram {
  /** The file that was started: the launcher's script, or the single executable. */
  readonly file: string;
  readonly isExecutable: boolean;
  readonly files?: ProgramFiles;
}

/** Questions about files; tests answer them as another operating system would. */
export interface ProgramFiles {
  readonly path: typeof posix;
  realPath(file: string): string;
  read(file: string): string | undefined;
  exists(file: string): boolean;
}

/** Package managers by a part of the path that they install into. Those with `install` install from npm's registry. */
const managers: readonly {
  readonly name: string;
  readonly part: string;
  readonly install?: string;
  readonly update?: string;
  readonly remove: string;
}[] = [
  { name: 'pnpm', part: '/pnpm/global/', install: 'pnpm add -g', remove: 'pnpm remove -g {package}' },
  {
    name: 'pnpm',
    part: '/.pnpm/',
    update: 'pnpm add -g {package}@latest',
    remove: 'pnpm remove -g {package}',
  },
  { name: 'Yarn', part: '/yarn/global/', install: 'yarn global add', remove: 'yarn global remove {package}' },
  { name: 'Bun', part: '/.bun/install/global/', install: 'bun add -g', remove: 'bun remove -g {package}' },
  { name: 'Volta', part: '/.volta/tools/', install: 'volta install', remove: 'volta uninstall {package}' },
  {
    name: 'Homebrew',
    part: '/Cellar/robota/',
    update: 'brew upgrade robota',
    remove: 'brew uninstall robota',
  },
  {
    name: 'Nix',
    part: '/nix/store/',
    update: 'nix profile upgrade robota',
    remove: 'nix profile remove robota',
  },
  { name: 'Scoop', part: '/scoop/apps/', update: 'scoop update robota', remove: 'scoop uninstall robota' },
  { name: 'WinGet', part: '/WinGet/', update: 'winget upgrade robota', remove: 'winget uninstall robota' },
  { name: 'Snap', part: '/snap/', update: 'sudo snap refresh robota', remove: 'sudo snap remove robota' },
];

/** Finds out how the running program was installed. */
export function findInstallation({ file, isExecutable, files = ownFiles }: RunningProgram): Installation {
  const real = files.realPath(file);
  const manager = managedBy(slashed(real));
  if (manager) return { ...manager, path: real };
  if (isExecutable)
    return {
      kind: 'executable',
      path: real,
      updateWith: `npm pack ${programPackage}-${process.platform}-${process.arch}@latest, then replace the file by bin/robota from the archive`,
    };
  const root = nearestPackage(files.path.dirname(real), files);
  if (root === undefined) return { kind: 'unknown', path: real };
  if (slashed(root).includes('/_npx/'))
    return {
      kind: 'npx',
      path: root,
      updateWith: `npx ${programPackage}@latest`,
      removeWith: 'npm cache npx rm',
    };
  const clone = files.path.resolve(root, '../..');
  if (nameIn(clone, files) === 'robota-workspace')
    return { kind: 'clone', path: clone, updateWith: 'git pull && npm install && npm run build' };
  return inModules(root, files);
}

/** Names an installation in a sentence: "installed by npm in …". */
export function describeInstallation({ kind, path: place, manager }: Installation): string {
  const ways: Readonly<Record<Installation['kind'], string>> = {
    npm: `installed by npm in ${place}`,
    executable: `the single executable ${place}`,
    clone: `run from the clone ${place}`,
    npx: `run by npx from ${place}`,
    project: `a dependency of the project ${place}`,
    manager: `installed by ${manager} in ${place}`,
    unknown: `run from ${place}`,
  };
  return ways[kind];
}

/** The link to the manual page that npm made, unless it leads to another package. */
export function manualLinks(root: string): readonly string[] {
  const link = path.join(root, '../../../../share/man/man1/robota.1.gz');
  return orElse(
    () => (isBelow(path.resolve(path.dirname(link), readlinkSync(link)), root, ownFiles) ? [link] : []),
    [],
  );
}

/** The files in `<prefix>` that start a package which npm installed globally; those that exist. */
export function commandFiles(root: string, files: ProgramFiles = ownFiles): readonly string[] {
  const prefix = prefixOf(root, files);
  const candidates = ['bin/robota', 'robota', 'robota.cmd', 'robota.ps1'].map((name) =>
    files.path.join(prefix, name),
  );
  return candidates.filter((file) => files.exists(file) && startsPackage(file, root, files));
}

/** The folder that npm installs a package of its global installations below. */
export function prefixOf(root: string, files: ProgramFiles = ownFiles): string {
  const above = files.path.resolve(root, '../../..');
  return files.path.basename(above) === 'lib' ? files.path.dirname(above) : above;
}

/** On Windows a script names the file that it starts, with `/` or `\`. */
function startsPackage(file: string, root: string, files: ProgramFiles): boolean {
  if (isBelow(files.realPath(file), root, files)) return true;
  const script = slashed(files.read(file) ?? '');
  return script.includes(`node_modules/${programPackage}/`);
}

function inModules(root: string, files: ProgramFiles): Installation {
  const modules = files.path.resolve(root, '../..');
  if (files.path.basename(modules) !== 'node_modules') return { kind: 'unknown', path: root };
  if (commandFiles(root, files).length > 0) {
    // The npm on the path may be that of another Node, which installs elsewhere.
    const install = ['npm', 'install', '-g', '--prefix', prefixOf(root, files)];
    return { kind: 'npm', path: root, install, download: ['npm', 'cache', 'add'] };
  }
  const project = files.path.dirname(modules);
  if (nameIn(project, files) === undefined && !files.exists(files.path.join(project, 'package.json')))
    return { kind: 'unknown', path: root };
  const package_ = `${programPackage}@latest`;
  return {
    kind: 'project',
    path: project,
    updateWith: `npm install ${package_}`,
    removeWith: `npm uninstall ${programPackage}`,
  };
}

function managedBy(real: string): Omit<Installation, 'path'> | undefined {
  const found = managers.find(({ part }) => real.includes(part));
  if (!found) return undefined;
  const { name, install, update, remove } = found;
  return {
    kind: 'manager',
    manager: name,
    ...(install !== undefined && { install: install.split(' ') }),
    ...(update !== undefined && { updateWith: update.replace('{package}', programPackage) }),
    removeWith: remove.replace('{package}', programPackage),
  };
}

function nearestPackage(directory: string, files: ProgramFiles): string | undefined {
  if (nameIn(directory, files) === programPackage) return directory;
  const parent = files.path.dirname(directory);
  return parent === directory ? undefined : nearestPackage(parent, files);
}

function nameIn(directory: string, files: ProgramFiles): string | undefined {
  return namedShape.parse(parseJson(files.read(files.path.join(directory, 'package.json')) ?? ''))?.name;
}

const namedShape = object({ name: text });

function isBelow(file: string, directory: string, { path: paths }: ProgramFiles): boolean {
  const relative = paths.relative(directory, file);
  return relative !== '' && !relative.startsWith('..') && !paths.isAbsolute(relative);
}

function slashed(file: string): string {
  return file.replaceAll('\\', '/');
}

/** The file system of this machine. */
const ownFiles: ProgramFiles = {
  path,
  realPath: (file) => {
    try {
      return realpathSync(file);
    } catch {
      return path.resolve(file);
    }
  },
  read: (file) => {
    return orElse(() => readFileSync(file, 'utf8'), undefined);
  },
  exists: (file) => existsSync(file),
};
