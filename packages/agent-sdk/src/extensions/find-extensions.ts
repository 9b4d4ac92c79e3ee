import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../config/is-missing.ts';
import { type HostEnvironment, robotaHome } from '../dialects.ts';
import {
  allResourceFolders,
  type ResourceFolder,
  type ResourcePlaces,
} from '../resources/resource-folders.ts';
import { findPackage } from './find-package.ts';
import { moduleOf } from './module-of.ts';

/** A module that holds an extension. */
export interface FoundExtension {
  /** The module. */
  readonly path: string;
  /** The folder whose files belong to it. */
  readonly folder: string;
  /** Supplied by the repository, the user's own, or part of a plugin, which was agreed to as a whole. */
  readonly scope: ResourceFolder['scope'];
  /** The package it is, if it was named in the settings. */
  readonly packageName?: string;
}

/** A package that a settings file names. */
export interface NamedPackage {
  readonly name: string;
  /** Whether the repository named it. */
  readonly fromProject: boolean;
}

/** The modules that were found, and the packages that were not. */
export interface FoundExtensions {
  readonly extensions: readonly FoundExtension[];
  readonly warnings: readonly string[];
}

/** Finds the extensions of a project, its user and plugins in the order in which the first of a name wins. Runs nothing. */
export async function findExtensions(
  places: ResourcePlaces,
  packages: readonly NamedPackage[] = [],
): Promise<FoundExtensions> {
  const inFolders = (await Promise.all(allResourceFolders('extensions', places).map(modulesIn))).flat();
  const inPackages = await Promise.all(packages.map((each) => packageModule(each, places)));
  const warnings = inPackages.flatMap((found) => (typeof found === 'string' ? [found] : []));
  const named = inPackages.filter((found) => typeof found !== 'string');
  const rank = { project: 0, user: 1, plugin: 2 };
  const extensions = [...inFolders, ...named].sort((a, b) => rank[a.scope] - rank[b.scope]);
  return { extensions, warnings };
}

async function modulesIn(folder: ResourceFolder): Promise<FoundExtension[]> {
  const { path, scope, only } = folder;
  if (isMissing(path)) return [];
  const entries = await readdir(path).catch((): string[] => []);
  const names = entries.filter((name) => only === undefined || only.includes(name)).sort();
  const found = await Promise.all(names.map((name) => moduleOf(join(path, name))));
  return found.flatMap((module) => (module === undefined ? [] : [{ path: module, folder: path, scope }]));
}

async function packageModule(
  { name, fromProject }: NamedPackage,
  { cwd, host }: { readonly cwd: string; readonly host: HostEnvironment },
): Promise<FoundExtension | string> {
  // Whoever names a package means the one they installed: a repository must not put another one in its place.
  const bases = fromProject ? [cwd, robotaHome(host)] : [robotaHome(host)];
  const folder = findPackage(name, bases);
  if (folder === undefined) {
    const where = fromProject ? 'the project' : robotaHome(host);
    return `The extension package "${name}" is not installed: run npm install ${name} in ${where}.`;
  }
  const path = await moduleOf(folder);
  if (path === undefined) return `The package "${name}" in ${folder} names no module to load.`;
  const isProjects = fromProject && !folder.startsWith(join(robotaHome(host), 'node_modules'));
  return { path, folder, scope: isProjects ? 'project' : 'user', packageName: name };
}
