import { join } from 'node:path';
import {
  allResourceFolders,
  entriesIn,
  type HostEnvironment,
  type ResourceFolder,
  type ResourceSearchPaths,
  refusalOf,
  robotaHome,
} from '@robota-sdk/agent-config';
import {
  addSentence,
  isMissing,
  isProblem,
  type Problem,
  type ProblemText,
  sentence,
  warning,
} from '@robota-sdk/agent-core';
import type { NamedPackage } from '../source/named-package.ts';
import { findPackage } from './find-package.ts';
import { moduleOf } from './module-of.ts';

/** A module with an extension. */
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

/** The modules that were found, and packages that are missing. */
export interface FoundExtensions {
  readonly extensions: readonly FoundExtension[];
  readonly problems: readonly Problem[];
}

/** Finds the extensions of a project, its user and plugins, in order; the first of a name wins. Runs nothing. */
export async function findExtensions(
  places: ResourceSearchPaths,
  packages: readonly NamedPackage[] = [],
): Promise<FoundExtensions> {
  const inFolders = (await Promise.all(allResourceFolders('extensions', places).map(modulesIn))).flat();
  const inPackages = await Promise.all(packages.map((each) => packageModule(each, places)));
  const all = [...inFolders, ...inPackages];
  const problems = all.filter((found) => isProblem(found));
  const rank = { project: 0, user: 1, plugin: 2 };
  const extensions = all
    .filter((found): found is FoundExtension => !isProblem(found))
    .sort((a, b) => rank[a.scope] - rank[b.scope]);
  return { extensions, problems };
}

/** The modules of a folder, and problems of those that lead out of their repository. */
async function modulesIn(folder: ResourceFolder): Promise<(FoundExtension | Problem)[]> {
  const { path, scope, root, only } = folder;
  if (isMissing(path)) return [];
  const entries = entriesIn(path, { root }).filter(({ name }) => only === undefined || only.includes(name));
  const found = await Promise.all(
    entries.map(async (entry) => {
      const module = entry.kind === 'outside' ? entry.path : await moduleOf(entry.path);
      const refusal = module === undefined ? undefined : refusalOf(module, root);
      if (refusal !== undefined)
        return unusable(
          module ?? path,
          sentence`The extension ${{ extension: module ?? path }} is skipped: ${{ reason: refusal }}.`,
        );
      return module === undefined ? undefined : { path: module, folder: path, scope };
    }),
  );
  return found.filter((each) => each !== undefined);
}

async function packageModule(
  { name, fromProject }: NamedPackage,
  { cwd, host }: { readonly cwd: string; readonly host: HostEnvironment },
): Promise<FoundExtension | Problem> {
  // A package the user names is the one the user installed: a repository must not replace it.
  const bases = fromProject ? [cwd, robotaHome(host)] : [robotaHome(host)];
  const folder = findPackage(name, bases);
  if (folder === undefined) {
    const problem = unusable(name, sentence`The extension package "${{ package: name }}" is not installed.`);
    // Do not suggest installing a package that only the repository names.
    if (fromProject) return addSentence(problem, 'The project names it.');
    return { ...problem, hint: `Run npm install ${name} in ${robotaHome(host)}.` };
  }
  const path = await moduleOf(folder);
  if (path === undefined)
    return unusable(
      name,
      sentence`The package "${{ package: name }}" in ${{ folder }} names no module to load.`,
    );
  const isProjects = fromProject && !folder.startsWith(join(robotaHome(host), 'node_modules'));
  return { path, folder, scope: isProjects ? 'project' : 'user', packageName: name };
}

function unusable(subject: string, message: ProblemText): Problem {
  return warning('extension.unusable', message, { subject, isInactive: true });
}
